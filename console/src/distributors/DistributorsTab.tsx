// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { call } from '../api/call.ts';
import { useInstallation } from '../api/installation.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { markerNames } from '../channels/markerNames.ts';
import { Button } from '../components/buttons/Button.tsx';
import { CopyLine } from '../components/buttons/CopyButton.tsx';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { EmptyState } from '../components/feedback/EmptyState.tsx';
import { LoadState } from '../components/feedback/Loading.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { type Column, SecondLine, Table } from '../components/layout/Table.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { formatDateTime } from '../format/time.ts';
import { type Distributor, DistributorForm } from './DistributorForm.tsx';

const PATH = '/channels/{id}/distributors/{distributorId}';

const columns: readonly Column[] = [
  { label: 'Distributor' },
  { label: 'Markers', kind: 'wide' },
  { label: 'Last request' },
  { label: 'Keys' },
  { label: 'Actions', isHidden: true },
];

type NewKey = { readonly name: string; readonly key: string };

/** Who republishes a channel, when they requested it last, and their keys. */
export function DistributorsTab({ channelId }: { readonly channelId: string }) {
  const list = useGet('/channels/{id}/distributors', { path: { id: channelId } }, POLL.slow);
  const { data, reload } = list;
  /** Undefined: closed; null: a new distributor. */
  const [edited, setEdited] = useState<Distributor | null>();
  const [newKey, setNewKey] = useState<NewKey>();
  const add = (
    <Button kind="primary" icon="plus" requires="manage" onClick={() => setEdited(null)}>
      Add distributor
    </Button>
  );
  return (
    <section class="stack" aria-label="Distributors">
      <LoadState of={list} />
      {data?.length === 0 ? (
        <EmptyState icon="out" title="No distributors">
          <p>
            A distributor republishes this channel: as HLS and DASH with ad markers and without ads, and with its guide.
            Each one has URLs with a key of its own.
          </p>
          {add}
        </EmptyState>
      ) : null}
      {data && data.length > 0 ? (
        <>
          <div>{add}</div>
          <Table columns={columns} isFocusable>
            {data.map((one) => (
              <DistributorRow
                key={one.id}
                channelId={channelId}
                distributor={one}
                onEdit={() => setEdited(one)}
                onNewKey={setNewKey}
                onChanged={reload}
              />
            ))}
          </Table>
        </>
      ) : null}
      {edited === undefined ? null : (
        <DistributorForm
          channelId={channelId}
          distributor={edited ?? undefined}
          onSaved={(created) => {
            setEdited(undefined);
            setNewKey(created);
            reload();
          }}
          onClose={() => setEdited(undefined)}
        />
      )}
      {newKey ? <UrlsDialog channelId={channelId} {...newKey} onClose={() => setNewKey(undefined)} /> : null}
    </section>
  );
}

type DistributorRowProps = {
  readonly channelId: string;
  readonly distributor: Distributor;
  onEdit(): void;
  onNewKey(key: NewKey): void;
  onChanged(): void;
};

function DistributorRow({ channelId, distributor, onEdit, onNewKey, onChanged }: DistributorRowProps) {
  const { id, name, state, markersOut, lastRequestAt, keys } = distributor;
  const path = { id: channelId, distributorId: id };
  const changed = (text: string) => {
    showToast({ text });
    onChanged();
  };
  return (
    <tr>
      <td class="name">
        <strong>{name}</strong> {state === 'disabled' ? <Badge tone="warn">Disabled</Badge> : null}
        <SecondLine>{id}</SecondLine>
      </td>
      <td class="wide">{markerNames[markersOut]}</td>
      <td>{lastRequestAt === undefined ? 'Never' : formatDateTime(lastRequestAt)}</td>
      <td>
        {keys.map(({ id: keyId, hint, lastUsedAt, expiresAt }) => (
          <div key={keyId} class="row">
            <code>{hint}…</code>
            <span class="small muted">
              {lastUsedAt === undefined ? 'never used' : `used ${formatDateTime(lastUsedAt)}`}
              {expiresAt === undefined ? '' : `, valid until ${formatDateTime(expiresAt)}`}
            </span>
            <ConfirmationButton
              label="Revoke"
              kind="quiet"
              requires="manage"
              title={`Revoke a key of ${name}?`}
              target={{ kind: 'key' }}
              name={hint}
              consequence={`Requests with the key ${hint}… are rejected within a second. It cannot be restored.`}
              verb="Revoke key"
              act={async () => {
                await call('DELETE', `${PATH}/keys/{keyId}`, { path: { id: channelId, distributorId: id, keyId } });
                changed('Key revoked.');
              }}
            />
          </div>
        ))}
      </td>
      <td>
        <div class="actions end">
          <ConfirmButton
            label="New key"
            kind="plain"
            requires="manage"
            title={`Create a key for ${name}?`}
            message="Its other keys stay valid until you revoke them."
            act={async () => (await call('POST', `${PATH}/keys`, { path })).body}
            onDone={({ key }) => {
              onNewKey({ name, key });
              onChanged();
            }}
          />
          <Button isSmall requires="manage" onClick={onEdit}>
            Edit
          </Button>
          <ConfirmationButton
            label="Delete"
            kind="quiet"
            requires="manage"
            title={`Delete ${name}?`}
            target={{ kind: 'key' }}
            name={name}
            consequence="Its URLs are rejected within a second. It cannot be restored."
            verb="Delete distributor"
            act={async () => {
              await call('DELETE', PATH, { path });
              changed(`${name} deleted.`);
            }}
          />
        </div>
      </td>
    </tr>
  );
}

/** What a distributor is sent. @param liveUrl without a trailing slash */
function distributorUrls(liveUrl: string, channelId: string, key: string) {
  const id = encodeURIComponent(channelId);
  return {
    HLS: `${liveUrl}/hls/${id}/distributors/${key}/channel.m3u8`,
    DASH: `${liveUrl}/dash/${id}/distributors/${key}/channel.mpd`,
    XMLTV: `${liveUrl}/guide/${id}/${key}/xmltv.xml`,
    'Guide JSON': `${liveUrl}/guide/${id}/${key}/guide.json`,
  };
}

type UrlsDialogProps = NewKey & { readonly channelId: string; onClose(): void };

/** The URLs with a new key, which are shown only once. */
function UrlsDialog({ channelId, name, key, onClose }: UrlsDialogProps) {
  const { liveUrl } = useInstallation();
  return (
    <Dialog title={`URLs of ${name}`} onClose={onClose}>
      {Object.entries(distributorUrls(liveUrl, channelId, key)).map(([form, url]) => (
        <CopyLine key={form} name={form} text={url} />
      ))}
      <Notice tone="warn">Copy these URLs now. They cannot be shown again.</Notice>
      <DialogFooter dismiss="Done" onClose={onClose} />
    </Dialog>
  );
}
