// SPDX-License-Identifier: Apache-2.0

import { useEffect, useState } from 'preact/hooks';
import { sourceName } from '../../../src/channels/sourceName.ts';
import type { AssetResponse } from '../../../src/http/contract/assetContract.ts';
import { call, callBlob } from '../api/call.ts';
import { serverNow } from '../api/serverClock.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { showToast } from '../components/feedback/Toasts.tsx';
import { Icon } from '../components/icons/Icon.tsx';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationDialog.tsx';
import { formatBytes, formatHeights, plural } from '../format/numbers.ts';
import { formatDateTime, formatDuration, formatRelativeTime } from '../format/time.ts';

export const creativeStatuses: Statuses<AssetResponse['state']> = {
  failed: ['bad', 'Failed'],
  preparing: ['info', 'Preparing'],
  waiting: ['calm', 'Queued'],
  ready: ['good', 'Ready'],
};

const creativeName = ({ kind, source }: AssetResponse): string =>
  source === undefined ? (kind === 'slate' ? 'Built-in slate' : 'Creative') : sourceName(source);

const mediaFacts = ({ duration, bytes, renditions = [] }: AssetResponse): string =>
  [
    duration === undefined ? '' : formatDuration(duration),
    formatHeights(renditions),
    bytes === undefined ? '' : formatBytes(bytes),
  ]
    .filter(Boolean)
    .join(', ');

/** Why a creative failed, and when it is tried again. */
const Failure = ({ asset: { reason, fault, attempts, nextAttemptAt } }: { readonly asset: AssetResponse }) => (
  <>
    {reason ? (
      <p class="reason small">
        {reason}
        {fault ? (
          <>
            {' '}
            (<code>{fault}</code>)
          </>
        ) : null}
      </p>
    ) : null}
    {nextAttemptAt ? (
      <p class="small muted">
        {plural(attempts, 'attempt')}, next {formatRelativeTime(Date.parse(nextAttemptAt) - serverNow())}
      </p>
    ) : null}
  </>
);

export function CreativeCard({ asset, onChanged }: { readonly asset: AssetResponse; onChanged(): void }) {
  const { id, state, source, channels, createdAt, lastUsedAt } = asset;
  const retry = useAction(async () => {
    await call('POST', '/assets/{id}/retry', { path: { id } });
    onChanged();
  });
  const remove = async () => {
    await call('DELETE', '/assets/{id}', { path: { id } });
    showToast({ text: `${creativeName(asset)} deleted.` });
    onChanged();
  };
  return (
    <li class="card creative">
      <Thumbnail id={asset.thumbnail === undefined ? undefined : id} />
      <div class="stack tight">
        <div class="row between">
          <h2>{creativeName(asset)}</h2>
          <StatusBadge status={creativeStatuses[state]} />
        </div>
        <Failure asset={asset} />
        <p class="small muted">{mediaFacts(asset)}</p>
        <p class="small muted">
          Channels: {channels.length === 0 ? 'none' : <RecordNames kind="channels" ids={channels} />}.{' '}
          {lastUsedAt ? `Last used ${formatDateTime(lastUsedAt)}.` : `Added ${formatDateTime(createdAt)}.`}
        </p>
        {source ? <code class="small url muted">{source}</code> : null}
        <ErrorNotice error={retry.error} />
        <div class="row">
          {state === 'failed' || state === 'waiting' ? (
            <Button icon="refresh" isSmall requires="operate" isBusy={retry.isBusy} onClick={() => void retry.run()}>
              Retry
            </Button>
          ) : null}
          <ConfirmationButton
            requires="tenant"
            label="Delete"
            title={`Delete ${creativeName(asset)}?`}
            kind="quiet"
            target={{ kind: 'creative', channelIds: channels }}
            name={creativeName(asset)}
            consequence="Breaks on air are not affected. Midroll prepares the creative again when an ad server returns it."
            verb="Delete creative"
            isHarmless
            act={remove}
          />
        </div>
      </div>
    </li>
  );
}

/** An image that requires the API key, so it is fetched and shown from memory. @param id of the asset that has one */
function Thumbnail({ id }: { readonly id: string | undefined }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (id === undefined) return;
    const controller = new AbortController();
    let objectUrl: string | undefined;
    callBlob('/assets/{id}/thumbnail', { path: { id }, accept: 'image/*', signal: controller.signal }).then(
      (blob) => {
        if (controller.signal.aborted) return;
        objectUrl = URL.createObjectURL(blob);
        setUrl(objectUrl);
      },
      // The icon stays in place of a missing image.
      () => {},
    );
    return () => {
      controller.abort();
      if (objectUrl !== undefined) URL.revokeObjectURL(objectUrl);
    };
  }, [id]);
  return <div class="thumbnail">{url === undefined ? <Icon name="creatives" /> : <img src={url} alt="" />}</div>;
}
