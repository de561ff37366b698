// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { TracedBreak } from '../../../src/http/contract/airContract.ts';
import type { BreakReplay } from '../../../src/platform/tries/contract/tryContract.ts';
import { call } from '../api/call.ts';
import { useAction } from '../api/useAction.ts';
import { Button } from '../components/buttons/Button.tsx';
import { StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { plural } from '../format/numbers.ts';
import { breakStatuses, breakSummary } from './breakSummary.ts';

/** `1 ad would play now, 2 unchanged` */
export function differenceSummary(differences: readonly Difference[]): string {
  const count = (...changes: readonly Difference['change'][]) =>
    differences.filter(({ change }) => changes.includes(change)).length;
  const [plays, skipped, same] = [count('playsNow', 'added'), count('skippedNow'), count('same')];
  const others = differences.length - plays - skipped - same;
  const parts = [
    ...(plays > 0 ? [`${plural(plays, 'ad')} would play now`] : []),
    ...(skipped > 0 ? [`${plural(skipped, 'ad')} would no longer play`] : []),
    ...(others > 0 ? [`${plural(others, 'ad')} with other changes`] : []),
    ...(same > 0 ? [`${same} unchanged`] : []),
  ];
  return parts.length === 0 ? 'No ads to compare' : parts.join(', ');
}

/** The statuses of an ad in a replay. */
const changeStatuses: Statuses<Difference['change']> = {
  playsNow: ['good', 'Plays now'],
  skippedNow: ['bad', 'Skipped now'],
  otherReason: ['warn', 'Other reason'],
  same: ['calm', 'Unchanged'],
  notReplayed: ['info', 'Not stored'],
  added: ['info', 'Added'],
};

type Difference = BreakReplay['differences'][number];
type Side = Difference['now'];
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
  const run = useAction(async () => {
    const path = { id: session, breakId: one.id };
    setReplay((await call('POST', '/sessions/{id}/breaks/{breakId}/replay', { path, body: {} })).body);
  });
  return (
    <div class="stack tight">
      <div class="row">
        <Button icon="refresh" isSmall requires="operate" action={run}>
          Replay
        </Button>
        <span class="small muted">
          {replay ? differenceSummary(replay.differences) : 'With the current rules and creatives'}
        </span>
      </div>
      <ErrorNotice error={run.error} />
      {replay === undefined ? null : (
        <div class="replay stack tight" aria-live="polite">
          <Summary name="Then" one={replay.before} />
          {replay.now ? <Summary name="Now" one={replay.now} /> : null}
          {replay.differences.length > 0 ? (
            <ul class="differences stack tight">
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
