// SPDX-License-Identifier: Apache-2.0
import { useNow } from '../api/useNow.ts';
import { StatusBadge } from '../components/feedback/Badge.tsx';
import { Notice } from '../components/feedback/Notice.tsx';
import { asSentence } from '../format/asSentence.ts';
import { formatDateTime, formatDuration, formatTimeOfDay } from '../format/time.ts';
import { BackupList } from './BackupList.tsx';
import { HealthStrip } from './HealthStrip.tsx';
import type { OnAirKind, OriginEvent, OriginHealth, OriginOnAir, OriginState } from './liveTypes.ts';
import { OriginEvents } from './OriginEvents.tsx';
import { firstChange, type OriginChange, originPhases, phaseOf, phasesBetween } from './originPhases.ts';
import { RenditionList } from './RenditionList.tsx';
import { servedFormats } from './servedFormats.ts';

const originStates: Readonly<Record<OriginState, string>> = {
  ok: 'Working',
  stalled: 'Stalled',
  failing: 'Failing',
  ended: 'Ended',
  idle: 'Idle: no viewers',
};

type OriginStatusProps = {
  readonly format: 'hls' | 'dash';
  readonly origin: OriginOnAir;
  /** Milliseconds that the strip shows. */
  readonly range: number;
  /** Undefined while they are loading. */
  readonly events: readonly OriginEvent[] | undefined;
};

const REDRAW_MS = 5000;
const DAY_MS = 86_400_000;

const shownTexts: Readonly<Record<OnAirKind, string>> = {
  source: 'Origin',
  backup: 'Backup origin',
  slate: 'Slate',
};

function Since({ time, now }: { readonly time: string | undefined; readonly now: number }) {
  if (time === undefined) return null;
  const [start, length] = [Date.parse(time), Math.max(0, now - Date.parse(time))];
  return (
    <span class="muted">
      {' '}
      since <time dateTime={time}>{length < DAY_MS ? formatTimeOfDay(start) : formatDateTime(start)}</time>
    </span>
  );
}

/** What viewers are shown content from, and the state of the origin with its reason. */
const Now = ({ health, now }: { readonly health: OriginHealth; readonly now: number }) => (
  <dl class="facts">
    {health.onAir && health.state !== 'idle' ? (
      <>
        <dt>Viewers see</dt>
        <dd>
          {shownTexts[health.onAir.kind]}
          <Since time={health.onAir.since} now={now} />
          {health.onAir.kind === 'backup' && health.onAir.url ? (
            <div class="small muted">{health.onAir.url}</div>
          ) : null}
        </dd>
      </>
    ) : null}
    <dt>State</dt>
    <dd>
      {originStates[health.state]}
      <Since time={health.since} now={now} />
      {health.reason ? <div class="reason">{asSentence(health.reason)}</div> : null}
    </dd>
  </dl>
);

/** One origin: its state with the reason, its health over time, its backups and its events. */
export function OriginStatus({ format, origin, range, events }: OriginStatusProps) {
  const now = useNow(REDRAW_MS);
  const { url, serves, startedAt, targetDuration, renditions, warnings = [] } = origin;
  const health: OriginHealth = origin.health ?? { state: 'ok' };
  const phase = phaseOf({ state: health.state, onAir: health.onAir?.kind ?? 'source' });
  const changes = changesOf(events ?? [], health, startedAt);
  const from = Math.max(now - range, firstChange(changes));
  const allWarnings = [...new Set([...warnings, ...(health.warnings ?? [])])];
  return (
    <section class="origin stack tight" aria-label={`${format.toUpperCase()} origin`}>
      <div class="row">
        <h3>{format.toUpperCase()} origin</h3>
        <StatusBadge status={originPhases[phase]} />
        <span class="small muted url">{url}</span>
      </div>
      <Now {...{ health, now }} />
      <HealthStrip spans={phasesBetween(changes, from, now)} />
      <BackupList backups={health.backups ?? []} onAirUrl={health.onAir?.url} />
      {allWarnings.length > 0 ? (
        <Notice tone="warn">
          <ul>
            {allWarnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </Notice>
      ) : null}
      <OriginEvents events={events ?? []} />
      <details>
        <summary>Media</summary>
        <p class="small">
          Serves {servedFormats(serves)}. On air since {formatDateTime(startedAt)}. Target duration{' '}
          {formatDuration(targetDuration)}.
        </p>
        <RenditionList renditions={renditions} />
      </details>
    </section>
  );
}

/** Without events, the origin has been as it is. An idle origin has been idle since it was read. */
function changesOf(
  events: readonly OriginEvent[],
  { state, since, readAt, onAir }: OriginHealth,
  startedAt: string,
): readonly OriginChange[] {
  const current = {
    at: since ?? (state === 'idle' ? readAt : undefined) ?? startedAt,
    state,
    onAir: onAir?.kind ?? 'source',
  };
  return events.length === 0 || state === 'idle' ? [...events, current] : events;
}
