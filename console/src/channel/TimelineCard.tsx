// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { TimelineEntry, TimelineResponse } from '../../../src/http/contract/airContract.ts';
import { useNow } from '../api/serverClock.ts';
import { POLL, useGet, useLatest } from '../api/useGet.ts';
import { entryKinds, entryName } from '../channels/entryName.ts';
import { placeOnScale, scaleMarks } from '../channels/timelineScale.ts';
import { Badge, StatusBadge } from '../components/feedback/Badge.tsx';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { plural } from '../format/numbers.ts';
import { formatDuration, formatMark, formatTimeOfDay } from '../format/time.ts';

/** By minutes. */
const ranges = { '5': '5 min', '15': '15 min', '60': '1 h' } as const;
type Minutes = keyof typeof ranges;

type TimelineCardProps = { readonly channelId: string; readonly pictureAt: number | undefined };

/** The schedule as a strip that moves with the clock, and as a list. */
export function TimelineCard({ channelId, pictureAt }: TimelineCardProps) {
  const [minutes, setMinutes] = useState<Minutes>('5');
  /** Whether nothing is scheduled yet: then the schedule is requested more often. */
  const [isStarting, setStarting] = useState(false);
  const range = Number(minutes) * 60_000;
  const now = useNow(POLL.slow);
  const from = Math.floor((now - range / 4) / POLL.slow) * POLL.slow;
  const request = { path: { id: channelId }, query: { from: String(from), to: String(from + range * 2) } };
  const { data, error, isLoading } = useGet('/channels/{id}/timeline', request, isStarting ? POLL.urgent : undefined);
  const timeline = useLatest(data);
  const isEmpty = timeline?.entries.length === 0;
  useEffect(() => setStarting(isEmpty), [isEmpty]);
  return (
    <section class="card">
      <header>
        <h2>Schedule</h2>
        <div class="row">
          <Link class="small" href={`/channels/${encodeURIComponent(channelId)}?tab=schedule`}>
            Day and week
          </Link>
          <SegmentedControl label="Range" value={minutes} options={ranges} onChange={setMinutes} />
        </div>
      </header>
      <ErrorNotice error={error} />
      {isLoading && timeline === undefined ? <Loading lines={1} /> : null}
      {isEmpty ? (
        <p class="muted">The channel is being prepared. Its schedule appears a few seconds after it goes on air.</p>
      ) : null}
      {timeline && timeline.entries.length > 0 ? (
        <>
          <TimelineStrip timeline={timeline} range={range} pictureAt={pictureAt} />
          <UpcomingEntries timeline={timeline} />
        </>
      ) : null}
    </section>
  );
}

type TimelineStripProps = {
  readonly timeline: TimelineResponse;
  /** Milliseconds from one end to the other. */
  readonly range: number;
  readonly pictureAt: number | undefined;
};

/** The share of the strip that shows the past. */
const PAST = 0.25;
const REDRAW_MS = 500;
/** Per cent of the strip; narrower entries have no text. */
const MIN_TEXT_WIDTH = 4;

const describe = (entry: TimelineEntry): string =>
  `${entryKinds[entry.kind][1]}: ${entryName(entry)}, ${formatTimeOfDay(entry.startsAt)}, ${formatDuration(entry.duration)}`;

/** The schedule to scale, moving with the clock. Screen readers have the list below it. */
function TimelineStrip({ timeline, range, pictureAt }: TimelineStripProps) {
  const now = useNow(REDRAW_MS);
  const from = now - range * PAST;
  const leftOf = (time: number) => ({ left: `${((time - from) / range) * 100}%` });
  const isVisible = (time: number) => time > from && time < from + range;
  return (
    <div class="strip" aria-hidden="true">
      <div class="marks">
        {scaleMarks(from, range).map((mark) => (
          <span key={mark} class="number muted nowrap" style={leftOf(mark)}>
            {formatMark(mark)}
          </span>
        ))}
      </div>
      <div class="lane">
        {timeline.entries.map((entry) => {
          const placed = placeOnScale(Date.parse(entry.startsAt), entry.duration, from, range);
          if (placed === undefined) return null;
          return (
            <div
              key={entry.startsAt}
              class={`entry ${entry.kind} ellipsis`}
              style={{ left: `${placed.left}%`, width: `${placed.width}%` }}
              title={describe(entry)}
            >
              {placed.width > MIN_TEXT_WIDTH ? entryName(entry) : ''}
            </div>
          );
        })}
        {(timeline.editions ?? [])
          .filter(({ kind, startsAt }) => kind === 'edit' && isVisible(Date.parse(startsAt)))
          .map(({ number, startsAt }) => (
            <div
              key={number}
              class="edition"
              style={leftOf(Date.parse(startsAt))}
              title={`Schedule change ${number}`}
            />
          ))}
      </div>
      <div class="cursor" style={leftOf(now)}>
        <span>Now</span>
      </div>
      {pictureAt !== undefined && isVisible(pictureAt) ? (
        <div class="cursor picture" style={leftOf(pictureAt)}>
          <span>Preview</span>
        </div>
      ) : null}
    </div>
  );
}

const MAX_ENTRIES = 6;

/** The current entry of the schedule and those that follow, and changes of the schedule that are not on air yet. */
function UpcomingEntries({ timeline }: { readonly timeline: TimelineResponse }) {
  const now = useNow();
  const entries = timeline.entries
    .filter(({ startsAt, duration }) => Date.parse(startsAt) + duration * 1000 > now)
    .slice(0, MAX_ENTRIES);
  const changes = (timeline.editions ?? []).filter(
    ({ kind, startsAt }) => kind === 'edit' && Date.parse(startsAt) > now,
  );
  return (
    <>
      {changes.map(({ number, startsAt }) => (
        <p key={number} class="schedule-change">
          <Badge tone="info">Schedule change</Badge> The edited playlist goes on air at {formatTimeOfDay(startsAt)}.
        </p>
      ))}
      <ol class="upcoming">
        {entries.map((entry) => (
          <li key={entry.startsAt}>
            <time dateTime={entry.startsAt}>
              {Date.parse(entry.startsAt) <= now ? 'Now' : formatTimeOfDay(entry.startsAt)}
            </time>
            <StatusBadge status={entryKinds[entry.kind]} />
            <span class="name ellipsis">{entryName(entry)}</span>
            <span class="small muted">
              {formatDuration(entry.duration)}
              {entry.maxAds === undefined ? '' : `, up to ${plural(entry.maxAds, 'ad')}`}
            </span>
          </li>
        ))}
      </ol>
    </>
  );
}
