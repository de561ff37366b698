// SPDX-License-Identifier: Apache-2.0
import { Notice } from '../components/feedback/Notice.tsx';
import { plural } from '../format/numbers.ts';
import { type ConfirmationTarget, viewersOf, watchingText } from './affectedChannels.ts';
import type { Affected } from './useAffected.ts';

type AffectedSummaryProps = { readonly target: ConfirmationTarget; readonly affected: Affected };

/** How many viewers watch now, and which channels use what is about to be deleted or disabled. */
export function AffectedSummary({ target, affected: { channels, isLoading } }: AffectedSummaryProps) {
  if (target.kind === 'key') return null;
  if (isLoading) return <p class="muted">Counting viewers…</p>;
  if (channels === undefined) return <Notice tone="warn">The number of viewers is unknown.</Notice>;
  const viewers = viewersOf(channels);
  const text = watchingText(viewers);
  return (
    <>
      {viewers > 0 ? <Notice tone="warn">{text}</Notice> : <p>{text}</p>}
      {target.kind === 'channel' ? null : channels.length === 0 ? (
        <p class="muted">No channel uses it.</p>
      ) : (
        <>
          <p>Used by {plural(channels.length, 'channel')}:</p>
          <ul class="affected">
            {channels.map(({ id, name, viewers: watching }) => (
              <li key={id}>
                <strong>{name}</strong> ({plural(watching, 'viewer')})
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}
