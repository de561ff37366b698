// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useNow } from '../api/serverClock.ts';
import { POLL } from '../api/useGet.ts';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { formatDateTime, formatDateTimeSeconds, formatDay, formatDuration, formatHourMinute } from '../format/time.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { breaksOf, isGroup, type Shown, shownOf } from './condense.ts';
import { ScheduleGrid } from './ScheduleGrid.tsx';
import { instantOf, rangeName, readView, rowsAt, type ScheduleView, spanOf, stepRange } from './scheduleView.ts';
import { type TimelineRange, useTimeline } from './useTimeline.ts';
import './schedule.css';
import { Button } from '../components/buttons/Button.tsx';
import { Badge } from '../components/feedback/Badge.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { plural } from '../format/numbers.ts';
import { zoneOffsetName } from '../format/timeZone.ts';
import { fromLocalText, localDate, localText } from '../format/zonedTime.ts';
import { useMedia } from '../stores/useMedia.ts';
import { BreakTimes, GroupTitles } from './ScheduleDetails.tsx';

const defaults = { view: 'day', date: '' };

/** The schedule of a linear channel: an hour, a day or a week. The view and its date are in the address. */
export function SchedulePage({ channelId }: { readonly channelId: string }) {
  const [query, changeQuery] = useQueryState(defaults);
  const now = useNow(POLL.slow);
  const isPhone = useMedia('(max-width: 44rem)');
  const view = readView(query.view);
  const at = instantOf(query.date, now);
  const rows = rowsAt(view, at);
  const { from, to } = spanOf(rows);
  const { data, isLoading, error, reload } = useTimeline(channelId, rows);
  const shown = useMemo(() => (data === undefined ? [] : shownOf(data.schedule)), [data]);
  const isNow = now >= from && now < to;
  const step = (by: number) => {
    const next = stepRange(view, at, by);
    const nextRows = rowsAt(view, next);
    const span = spanOf(nextRows);
    const hasNow = now >= span.from && now < span.to;
    changeQuery({ date: hasNow ? '' : rangeName(view, next) }, true);
  };
  const { area, press } = useRangeKeys(isLoading, step, isNow ? undefined : () => changeQuery({ date: '' }, true));
  return (
    <section ref={area} class="card schedule" aria-label="Schedule" tabIndex={-1} onKeyDown={press}>
      <ScheduleToolbar
        view={view}
        at={at}
        from={from}
        to={to}
        isNow={isNow}
        isBusy={isLoading}
        onView={(next) =>
          changeQuery({ view: next, ...(query.date === '' ? {} : { date: rangeName(next, at) }) }, true)
        }
        onDate={(date) => changeQuery({ date }, true)}
        onStep={step}
      />
      <ErrorNotice error={error} onRetry={reload} />
      {data === undefined && error === undefined ? <Loading lines={isPhone ? 6 : rows.length} /> : null}
      {data && !isLoading && shown.length === 0 ? <NoEntries to={to} now={now} knownFrom={data.knownFrom} /> : null}
      {data ? <ScheduleChanges editions={data.editions} now={now} /> : null}
      {data && shown.length > 0 ? (
        isPhone ? (
          <ScheduleList key={from} shown={shown} from={from} to={to} now={now} />
        ) : (
          <ScheduleGrid view={view} rows={rows} shown={shown} isNow={isNow} editions={data.editions} onStep={step} />
        )
      ) : null}
      {!isLoading && data?.next ? (
        <p class="small muted">
          Shown until {formatDateTime(data.next)}: there are too many entries. Zoom in to see the rest.
        </p>
      ) : null}
    </section>
  );
}

const pageKeys: Readonly<Record<string, number>> = { PageUp: -1, PageDown: 1 };

/**
 * Page Up, Page Down and T change the range. The focus waits on the schedule until the entries of that range are there, and then
 * continues on the first one, so that keys work in a row and where there is nothing.
 */
function useRangeKeys(isLoading: boolean, onStep: (by: number) => void, onNow: (() => void) | undefined) {
  const area = useRef<HTMLElement>(null);
  const follows = useRef(false);
  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const by = pageKeys[event.key];
    const change = by !== undefined ? () => onStep(by) : event.key === 't' ? onNow : undefined;
    if (change === undefined) return;
    const from = event.target as HTMLElement;
    if (from !== area.current && from.closest('.schedule-grid') === null) return;
    event.preventDefault();
    follows.current = true;
    area.current?.focus({ preventScroll: true });
    change();
  };
  // At once: an effect that runs after the next key would end the wait for the range of that key.
  useLayoutEffect(() => {
    if (!follows.current || isLoading) return;
    follows.current = false;
    // The focus may have been moved elsewhere meanwhile.
    if (document.activeElement === area.current)
      area.current?.querySelector<HTMLElement>('.schedule-grid [aria-current="true"]')?.focus();
  });
  return { area, press };
}

type NoEntriesProps = { readonly to: number; readonly now: number; readonly knownFrom: string | undefined };

const NoEntries = ({ to, now, knownFrom }: NoEntriesProps) => (
  <p class="muted">
    {to < now
      ? knownFrom !== undefined && to <= Date.parse(knownFrom)
        ? 'The schedule for this time is no longer stored.'
        : 'The channel was not on air.'
      : 'No schedule yet. It appears a few seconds after the channel goes on air.'}
  </p>
);

type ScheduleChangesProps = { readonly editions: TimelineRange['editions']; readonly now: number };

/** Edits that are not on air yet. */
const ScheduleChanges = ({ editions, now }: ScheduleChangesProps) => (
  <>
    {editions
      .filter(({ kind, startsAt }) => kind === 'edit' && Date.parse(startsAt) > now)
      .map(({ number, startsAt }) => (
        <p key={number} class="schedule-change">
          <Badge tone="info">Edit</Badge> The edited playlist goes on air at {formatDateTimeSeconds(startsAt)}.
        </p>
      ))}
  </>
);

type ScheduleToolbarProps = {
  readonly view: ScheduleView;
  /** Milliseconds, an instant in the range. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
  readonly isNow: boolean;
  readonly isBusy: boolean;
  onView(view: ScheduleView): void;
  /** Empty for now. */
  onDate(date: string): void;
  onStep(by: number): void;
};

const views: Readonly<Record<ScheduleView, string>> = { hour: 'Hour', day: 'Day', week: 'Week' };

function titleOf(view: ScheduleView, from: number, to: number): string {
  if (view === 'day') return formatDay(from);
  if (view === 'week') return `${formatDay(from)} – ${formatDay(to - 1)}`;
  return `${formatDay(from)}, ${formatHourMinute(from)}–${formatHourMinute(to)}`;
}

/** The zoom of the schedule, and the time that it shows. */
function ScheduleToolbar({ view, at, from, to, isNow, isBusy, onView, onDate, onStep }: ScheduleToolbarProps) {
  const isHour = view === 'hour';
  const value = localText(isHour ? from : at).slice(0, isHour ? 16 : 10);
  return (
    <header>
      <div class="row">
        <h2 aria-live="polite">{titleOf(view, from, to)}</h2>
        <span class="small muted">
          {zoneOffsetName(from)}
          {isBusy ? ' · Loading…' : ''}
        </span>
      </div>
      <div class="row">
        <SegmentedControl label="Zoom" value={view} options={views} onChange={onView} />
        <Button icon="previous" label={`Previous ${view}`} onClick={() => onStep(-1)} />
        <Button isDisabled={isNow} onClick={() => onDate('')}>
          Now
        </Button>
        <Button icon="chevron" label={`Next ${view}`} onClick={() => onStep(1)} />
        <input
          type={isHour ? 'datetime-local' : 'date'}
          aria-label="Date"
          value={value}
          onChange={({ currentTarget }) =>
            fromLocalText(currentTarget.value) === undefined ? undefined : onDate(currentTarget.value)
          }
        />
      </div>
    </header>
  );
}

type ScheduleListProps = {
  readonly shown: readonly Shown[];
  readonly from: number;
  readonly to: number;
  readonly now: number;
};

const PAGE = 60;

/** The schedule on a phone: a list that starts with what is on air, if the range contains it. */
function ScheduleList({ shown: all, from, to, now }: ScheduleListProps) {
  const [count, setCount] = useState(PAGE);
  const [hasPast, setPast] = useState(false);
  const isNow = now >= from && now < to;
  const listed = isNow && !hasPast ? all.filter(({ endsAt }) => endsAt > now) : all;
  const shown = listed.slice(0, count);
  return (
    <>
      {isNow && !hasPast ? (
        <Button kind="quiet" isSmall onClick={() => setPast(true)}>
          Show earlier
        </Button>
      ) : null}
      <ol class="schedule-list">
        {shown.map((block, index) => {
          const date = localDate(block.startsAt);
          const before = shown[index - 1];
          const isNewDay = before === undefined || localDate(before.startsAt) !== date;
          const isOnAir = block.startsAt <= now && now < block.endsAt;
          return (
            <li key={block.startsAt} class={isOnAir ? 'on-air' : ''}>
              {isNewDay ? <h3 class="small muted">{formatDay(block.startsAt)}</h3> : null}
              <details>
                <summary>
                  <time>{isOnAir ? 'Now' : formatHourMinute(block.startsAt)}</time>
                  <span class="name ellipsis">{isGroup(block) ? plural(block.items, 'item') : block.name}</span>
                  <span class="small muted">
                    {formatDuration((block.endsAt - block.startsAt) / 1000)}
                    {breaksOf(block) === 0 ? '' : `, ${plural(breaksOf(block), 'break')}`}
                  </span>
                </summary>
                {isGroup(block) ? (
                  <GroupTitles group={block} />
                ) : (
                  <>
                    {block.url === undefined ? null : <p class="url small muted">{block.url}</p>}
                    <BreakTimes marks={block.marks} />
                  </>
                )}
              </details>
            </li>
          );
        })}
      </ol>
      {listed.length > count ? <Button onClick={() => setCount(count + PAGE)}>Show more</Button> : null}
    </>
  );
}
