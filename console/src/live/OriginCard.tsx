// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import type { ChannelResponse } from '../../../src/http/contract/channelContract.ts';
import { useNow } from '../api/serverClock.ts';
import { POLL, useGet } from '../api/useGet.ts';
import { placeOnScale, scaleMarks } from '../channels/timelineScale.ts';
import { Badge, StatusBadge, type Statuses } from '../components/feedback/Badge.tsx';
import { ErrorNotice, Notice } from '../components/feedback/Notice.tsx';
import { TextList } from '../components/feedback/TextList.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { Fact } from '../components/layout/Facts.tsx';
import { asSentence } from '../format/asSentence.ts';
import { formatCount } from '../format/numbers.ts';
import {
  formatDateTime,
  formatDateTimeSeconds,
  formatDuration,
  formatMark,
  formatTick,
  formatTimeOfDay,
} from '../format/time.ts';
import type { OnAirKind, OriginEvent, OriginHealth, OriginOnAir, OriginState } from './liveTypes.ts';
import {
  firstChange,
  type OriginChange,
  originPhases,
  type PhaseSpan,
  phaseOf,
  phasesBetween,
  phaseTotals,
} from './originPhases.ts';
import { RenditionList, servedFormats } from './RenditionList.tsx';

/** By hours. */
const ranges = { '1': '1 h', '24': '24 h', '168': '7 d' } as const;
const formats = ['hls', 'dash'] as const;

/** The origins of a live channel that are on air: how they are now, and how they were. */
export function OriginCard({ channel }: { readonly channel: ChannelResponse }) {
  const [hours, setHours] = useState<keyof typeof ranges>('1');
  const request = { path: { id: channel.id }, query: { limit: 100 } };
  const events = useGet('/channels/{id}/origin-events', request, POLL.normal);
  const onAir = formats.flatMap((format) => {
    const origin = channel.live?.[format];
    return origin === undefined ? [] : [{ format, origin }];
  });
  return (
    <section class="card stack" aria-label="Origin">
      <header>
        <h2>{onAir.length > 1 ? 'Origins' : 'Origin'}</h2>
        {onAir.length === 0 ? null : (
          <SegmentedControl label="Range" value={hours} options={ranges} onChange={setHours} />
        )}
      </header>
      <ErrorNotice error={events.error} />
      {onAir.length === 0 ? <p class="muted">Not on air</p> : null}
      {onAir.map(({ format, origin }) => (
        <OriginStatus
          key={format}
          format={format}
          origin={origin}
          range={Number(hours) * 3_600_000}
          events={events.data?.items.filter((each) => each.origin === format)}
        />
      ))}
    </section>
  );
}

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
      <Fact name="Viewers see">
        {shownTexts[health.onAir.kind]}
        <Since time={health.onAir.since} now={now} />
        {health.onAir.kind === 'backup' && health.onAir.url ? <div class="small muted">{health.onAir.url}</div> : null}
      </Fact>
    ) : null}
    <Fact name="State">
      {originStates[health.state]}
      <Since time={health.since} now={now} />
      {health.reason ? <div class="reason">{asSentence(health.reason)}</div> : null}
    </Fact>
  </dl>
);

/** One origin: its state with the reason, its health over time, its backups and its events. */
function OriginStatus({ format, origin, range, events }: OriginStatusProps) {
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
      <Now health={health} now={now} />
      <HealthStrip spans={phasesBetween(changes, from, now)} />
      <BackupList backups={health.backups ?? []} onAirUrl={health.onAir?.url} />
      {allWarnings.length > 0 ? (
        <Notice tone="warn">
          <TextList texts={allWarnings} />
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

const backupStatuses: Statuses<'ok' | 'failing' | 'unknown'> = {
  ok: ['good', 'Working'],
  failing: ['bad', 'Failing'],
  unknown: ['calm', 'Standby'],
};

type BackupListProps = {
  readonly backups: NonNullable<OriginHealth['backups']>;
  readonly onAirUrl: string | undefined;
};

/** The backups of an origin in their order, and whether they can be read. */
const BackupList = ({ backups, onAirUrl }: BackupListProps) =>
  backups.length === 0 ? null : (
    <section class="stack tight" aria-label="Backups">
      <h4>Backups</h4>
      <ol class="backups">
        {backups.map(({ url, state, reason, checkedAt }) => (
          <li key={url}>
            <StatusBadge status={backupStatuses[state]} />
            <span class="url small">{url}</span>
            {url === onAirUrl ? <Badge tone="info">On air</Badge> : null}
            {checkedAt ? <span class="small muted nowrap">Checked {formatTimeOfDay(checkedAt)}</span> : null}
            {reason ? <p class="small reason">{reason}</p> : null}
          </li>
        ))}
      </ol>
    </section>
  );

const MAX_EVENTS = 10;

/** The latest changes of an origin, newest first. */
const OriginEvents = ({ events }: { readonly events: readonly OriginEvent[] }) =>
  events.length === 0 ? null : (
    <details>
      <summary>Events ({formatCount(events.length)})</summary>
      <ol class="events">
        {events.slice(0, MAX_EVENTS).map((event) => (
          <li key={`${event.at} ${event.state} ${event.onAir} ${event.url}`}>
            <time class="small muted" dateTime={event.at}>
              {formatDateTimeSeconds(event.at)}
            </time>
            <StatusBadge status={originPhases[phaseOf(event)]} />
            <span class="small url">{event.reason ?? event.url ?? ''}</span>
          </li>
        ))}
      </ol>
    </details>
  );

const describe = ({ phase, from, to, reason }: PhaseSpan): string =>
  `${originPhases[phase][1]}, ${formatTimeOfDay(from)} to ${formatTimeOfDay(to)}${reason ? `: ${reason}` : ''}`;

/** Labels at the ends of the strip would be cut off. Per cent. */
const MARGIN = 3;
/** Shorter strips have labels with seconds. */
const SHORT_MS = 600_000;

/** The phases of an origin to scale. The legend states how long each one lasted, for readers who see no strip. */
function HealthStrip({ spans }: { readonly spans: readonly PhaseSpan[] }) {
  const [from, to] = [spans[0]?.from ?? 0, spans.at(-1)?.to ?? 0];
  if (to <= from) return null;
  const leftOf = (time: number) => ((time - from) / (to - from)) * 100;
  const marks = scaleMarks(from, to - from).filter((mark) => leftOf(mark) > MARGIN && leftOf(mark) < 100 - MARGIN);
  return (
    <div class="health">
      <div class="phases" aria-hidden="true">
        {spans.map((span) => {
          const placed = placeOnScale(span.from, (span.to - span.from) / 1000, from, to - from);
          return placed === undefined ? null : (
            <span
              key={span.from}
              class={`phase ${span.phase}`}
              style={{ left: `${placed.left}%`, width: `${placed.width}%` }}
              title={describe(span)}
            />
          );
        })}
      </div>
      <div class="health-scale number muted" aria-hidden="true">
        {marks.map((mark) => (
          <span key={mark} style={{ left: `${leftOf(mark)}%` }}>
            {to - from < SHORT_MS ? formatMark(mark) : formatTick(mark)}
          </span>
        ))}
      </div>
      <ul class="legend">
        {phaseTotals(spans).map(([phase, total]) => (
          <li key={phase}>
            <i class={`phase ${phase}`} aria-hidden="true" />
            {originPhases[phase][1]} <span class="muted">{formatDuration(Math.round(total / 1000))}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
