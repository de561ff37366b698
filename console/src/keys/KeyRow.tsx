// SPDX-License-Identifier: Apache-2.0
import { useRef } from 'preact/hooks';
import type {
  KeyResponse,
  NewKeyResponse,
  RotationBody,
} from '../../../src/platform/access/contract/tenantContract.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/serverClock.ts';
import { ConfirmButton } from '../components/dialogs/ConfirmButton.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { showToast } from '../components/feedback/toastStore.ts';
import { RecordNames } from '../components/layout/RecordNames.tsx';
import { ConfirmationButton } from '../confirmations/ConfirmationButton.tsx';
import { formatDateTime } from '../format/time.ts';
import { keyNotes } from './keyNotes.ts';

type KeyRowProps = { readonly entry: KeyResponse; onRotated(key: NewKeyResponse): void; onRevoked(): void };

/** How long the old key stays valid after a rotation, so that clients can switch to the new one. */
const OVERLAP_HOURS = 24;

export function KeyRow({ entry, onRotated, onRevoked }: KeyRowProps) {
  const { id, name, email, hint, scope, channels, createdAt, createdBy, lastUsedAt, expiresAt } = entry;
  const newKey = useRef<NewKeyResponse>();
  const rotate = async () => {
    const body: RotationBody = { overlapSeconds: OVERLAP_HOURS * 3600 };
    newKey.current = (await call<NewKeyResponse>('POST', `/keys/${id}/rotate`, { body })).body;
  };
  const revoke = async () => {
    await call('DELETE', `/keys/${id}`);
    showToast({ text: `${name ?? hint} revoked.` });
    onRevoked();
  };
  return (
    <tr>
      <td class="name">
        <strong>{name ?? 'Unnamed'}</strong>
        <br />
        <code>{hint}…</code>
      </td>
      <td class="name">{email}</td>
      <td class="name">
        {scope}
        <br />
        <small>{channels === undefined ? 'All channels' : <RecordNames kind="channels" ids={channels} />}</small>
      </td>
      <td class="wide">
        {formatDateTime(createdAt)}
        <br />
        <small>{createdBy}</small>
      </td>
      <td>
        {lastUsedAt === undefined ? 'Never' : formatDateTime(lastUsedAt)}
        {expiresAt === undefined ? null : <div class="small muted">Valid until {formatDateTime(expiresAt)}</div>}
        {keyNotes(entry, serverNow()).map(({ tone, text }) => (
          <div key={text}>
            <Badge tone={tone}>{text}</Badge>
          </div>
        ))}
      </td>
      <td>
        <div class="actions end">
          <ConfirmButton
            label="Rotate"
            requires="tenant"
            title="Rotate this key?"
            kind="plain"
            message={`Creates a new key for ${email} with the same rights and without expiry, and shows it once. The key ${hint}… stays valid for ${OVERLAP_HOURS} hours.`}
            act={rotate}
            onDone={() => onRotated(newKey.current!)}
          />
          <ConfirmationButton
            label="Revoke"
            requires="tenant"
            title={`Revoke ${name ?? 'this key'}?`}
            kind="quiet"
            target={{ kind: 'key' }}
            name={name ?? hint}
            consequence={`Requests with the key ${hint}… fail from now on. Viewers are not affected. A revoked key cannot be restored.`}
            verb="Revoke key"
            act={revoke}
          />
        </div>
      </td>
    </tr>
  );
}
