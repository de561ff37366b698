// SPDX-License-Identifier: Apache-2.0
import { useMemo } from 'preact/hooks';
import { POLL } from '../api/pollIntervals.ts';
import { useNow } from '../api/useNow.ts';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { formatDateTime } from '../format/time.ts';
import { useQueryState } from '../navigation/useQueryState.ts';
import { shownOf } from './condense.ts';
import { ScheduleChanges } from './ScheduleChanges.tsx';
import { ScheduleGrid } from './ScheduleGrid.tsx';
import { ScheduleList } from './ScheduleList.tsx';
import { ScheduleToolbar } from './ScheduleToolbar.tsx';
import { instantOf, rangeName, readView, rowsAt, stepRange } from './scheduleView.ts';
import { useMedia } from './useMedia.ts';
import { useTimeline } from './useTimeline.ts';
import './schedule.css';

const defaults = { view: 'day', date: '' };

/** The schedule of a linear channel: an hour, a day or a week. The view and its date are in the address. */
export function SchedulePage({ channelId }: { readonly channelId: string }) {
  const [query, changeQuery] = useQueryState(defaults);
  const now = useNow(POLL.slow);
  const isPhone = useMedia('(max-width: 44rem)');
  const view = readView(query.view);
  const at = instantOf(query.date, now);
  const rows = rowsAt(view, at);
  const [from, to] = [rows[0]!.from, rows.at(-1)!.to];
  const { data, isLoading, error, reload } = useTimeline(channelId, rows);
  const shown = useMemo(() => (data === undefined ? [] : shownOf(data.schedule)), [data]);
  const isNow = now >= from && now < to;
  const step = (by: number) => {
    const next = stepRange(view, at, by);
    const nextRows = rowsAt(view, next);
    const hasNow = now >= nextRows[0]!.from && now < nextRows.at(-1)!.to;
    changeQuery({ date: hasNow ? '' : rangeName(view, next) }, true);
  };
  return (
    <section class="card schedule" aria-label="Schedule">
      <ScheduleToolbar
        {...{ view, at, from, to, isNow }}
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
          <ScheduleList key={from} {...{ shown, from, to, now }} />
        ) : (
          <ScheduleGrid
            {...{ view, rows, shown, isNow }}
            editions={data.editions}
            onStep={step}
            onNow={() => changeQuery({ date: '' }, true)}
          />
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

type NoEntriesProps = { readonly to: number; readonly now: number; readonly knownFrom: string | undefined };

const NoEntries = ({ to, now, knownFrom }: NoEntriesProps) => (
  <p class="muted">
    {to < now
      ? knownFrom !== undefined && to <= Date.parse(knownFrom)
        ? 'The schedule of this time is not kept.'
        : 'The channel was not on air.'
      : 'No schedule yet. It appears a few seconds after the channel goes on air.'}
  </p>
);
