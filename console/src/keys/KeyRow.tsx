import type { KeyAnswer, NewKeyAnswer } from '../../../src/http/tenantContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { formatDate } from '../logic/time.ts';
import { Badge } from '../parts/Badge.tsx';
import { Button } from '../parts/Button.tsx';
import { ConfirmButton } from '../parts/ConfirmButton.tsx';
import { ErrorNotice } from '../parts/Notice.tsx';

type KeyRowProps = { readonly entry: KeyAnswer; onNew(key: NewKeyAnswer): void; onRevoked(): void };

/** How long the old key goes on working when it is replaced: time to bring the new one everywhere. */
const OVERLAP_SECONDS = 86_400;

export function KeyRow({ entry, onNew, onRevoked }: KeyRowProps) {
  const { id, name, email, hint, createdAt, createdBy, lastUsedAt, expiresAt } = entry;
  const isOver = expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
  const rotate = useAction(async () => {
    const body = { overlapSeconds: OVERLAP_SECONDS };
    onNew((await call<NewKeyAnswer>('POST', `/keys/${id}/rotate`, { body })).body);
  });
  const revoke = async () => {
    await call('DELETE', `/keys/${id}`);
    onRevoked();
  };
  return (
    <tr>
      <td>
        <strong>{name ?? 'Without a name'}</strong>
        <br />
        <code>{hint}…</code>
        <ErrorNotice error={rotate.error} />
      </td>
      <td>{email}</td>
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
          <Button isSmall isBusy={rotate.isBusy} onClick={() => void rotate.run()}>
            Replace
          </Button>
          <ConfirmButton
            label="Revoke"
            isQuiet
            question={`Whatever uses the key ${hint}… is refused from now on. This cannot be undone.`}
            act={revoke}
          />
        </div>
      </td>
    </tr>
  );
}
