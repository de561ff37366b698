import { useRef } from 'preact/hooks';
import type { KeyAnswer, NewKeyAnswer } from '../../../src/http/tenantContract.ts';
import { call } from '../api/call.ts';
import { serverNow } from '../api/clock.ts';
import { formatDate } from '../logic/time.ts';
import { Badge } from '../parts/Badge.tsx';
import { ConfirmButton } from '../parts/ConfirmButton.tsx';

type KeyRowProps = { readonly entry: KeyAnswer; onNew(key: NewKeyAnswer): void; onRevoked(): void };

/** How long the old key goes on working when it is replaced: time to bring the new one everywhere. */
const OVERLAP_SECONDS = 86_400;

export function KeyRow({ entry, onNew, onRevoked }: KeyRowProps) {
  const { id, name, email, hint, createdAt, createdBy, lastUsedAt, expiresAt } = entry;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= serverNow();
  const next = useRef<NewKeyAnswer>();
  const rotate = async () => {
    const body = { overlapSeconds: OVERLAP_SECONDS };
    next.current = (await call<NewKeyAnswer>('POST', `/keys/${id}/rotate`, { body })).body;
  };
  const revoke = async () => {
    await call('DELETE', `/keys/${id}`);
    onRevoked();
  };
  return (
    <tr>
      <td class="called">
        <strong>{name ?? 'Without a name'}</strong>
        <br />
        <code>{hint}…</code>
      </td>
      <td class="called">{email}</td>
      <td class="wide">
        {formatDate(createdAt)}
        <br />
        <small>{createdBy}</small>
      </td>
      <td>
        {lastUsedAt === undefined ? 'never' : formatDate(lastUsedAt)}
        {expiresAt === undefined ? null : (
          <div>
            <Badge tone={isOver ? 'bad' : 'warn'}>{isOver ? 'Ended' : `Ends ${formatDate(expiresAt)}`}</Badge>
          </div>
        )}
      </td>
      <td>
        <div class="actions end">
          <ConfirmButton
            label="Replace"
            kind="plain"
            question={`A new key of ${email} is made and shown once. The key ${hint}… goes on working for 24 hours, and ends then.`}
            act={rotate}
            onDone={() => onNew(next.current!)}
          />
          <ConfirmButton
            label="Revoke"
            kind="quiet"
            question={`Whatever uses the key ${hint}… is refused from now on. This cannot be undone.`}
            act={revoke}
          />
        </div>
      </td>
    </tr>
  );
}
