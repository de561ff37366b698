// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { TracedBreak } from '../../../src/http/contract/airContract.ts';
import type { BreakReplay } from '../../../src/platform/tries/contract/tryContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { breakStatuses, changeStatuses } from '../components/feedback/statuses.ts';
import { breakSummary } from '../logic/sessions/breakSummary.ts';
import { differenceSummary } from '../logic/tries/verdicts.ts';

type Side = BreakReplay['differences'][number]['now'];
type Judged = BreakReplay['before'];

const sideText = (side: Side): string =>
  side === undefined ? 'Unknown' : side.outcome === 'stitched' ? 'Shown' : (side.reason?.code ?? 'Skipped');

const Summary = ({ name, one }: { readonly name: string; readonly one: Judged }) => (
  <p class="row">
    <strong>{name}</strong> <StatusBadge status={breakStatuses[one.status]} /> <span>{breakSummary(one)}</span>
  </p>
);

/** Replays a break: what it showed then, and what it would show now. */
export function ReplayBreak({ session, one }: { readonly session: string; readonly one: TracedBreak }) {
  const [replay, setReplay] = useState<BreakReplay>();
  const path = `/sessions/${encodeURIComponent(session)}/breaks/${encodeURIComponent(one.id)}/replay`;
  const run = useAction(async () => setReplay((await call<BreakReplay>('POST', path, { body: {} })).body));
  return (
    <div class="stack tight">
      <div class="row">
        <Button icon="refresh" isSmall requires="operate" isBusy={run.isBusy} onClick={() => void run.run()}>
          Replay
        </Button>
        <span class="small muted">
          {replay ? differenceSummary(replay.differences) : 'With the rules and creatives of now'}
        </span>
      </div>
      <ErrorNotice error={run.error} />
      {replay === undefined ? null : (
        <div class="replay stack tight" aria-live="polite">
          <Summary name="Then" one={replay.before} />
          {replay.now ? <Summary name="Now" one={replay.now} /> : null}
          {replay.differences.length > 0 ? (
            <ul class="differences">
              {replay.differences.map(({ adId, title, change, before, now, text }, index) => (
                <li key={`${adId} ${index}`}>
                  <div class="row">
                    <StatusBadge status={changeStatuses[change]} />
                    <strong>{title || adId || 'Ad without a title'}</strong>
                    <span class="small muted">
                      Then <code>{sideText(before)}</code>, now <code>{sideText(now)}</code>
                    </span>
                  </div>
                  {text === undefined ? null : <p class="reason">{text}</p>}
                </li>
              ))}
            </ul>
          ) : null}
          {replay.missing.map((text) => (
            <p class="small muted" key={text}>
              {text}
            </p>
          ))}
        </div>
      )}
    </div>
  );
}
