// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import type { TimelineResponse } from '../../../src/http/contract/airContract.ts';
import { POLL } from '../api/pollIntervals.ts';
import { useGet } from '../api/useGet.ts';
import { useLatest } from '../api/useLatest.ts';
import { useNow } from '../api/useNow.ts';
import { Loading } from '../components/feedback/Loading.tsx';
import { ErrorNotice } from '../components/feedback/Notice.tsx';
import { SegmentedControl } from '../components/forms/SegmentedControl.tsx';
import { TimelineStrip } from './TimelineStrip.tsx';
import { UpcomingEntries } from './UpcomingEntries.tsx';

/** By minutes. */
const ranges: readonly (readonly [Minutes, string])[] = [
  ['5', '5 min'],
  ['15', '15 min'],
  ['60', '1 h'],
];
type Minutes = '5' | '15' | '60';

type TimelineCardProps = { readonly channelId: string; readonly pictureAt: number | undefined };

/** The schedule as a strip that moves with the clock, and as a list. */
export function TimelineCard({ channelId, pictureAt }: TimelineCardProps) {
  const [minutes, setMinutes] = useState<Minutes>('5');
  /** Whether nothing is scheduled yet: then the schedule is requested more often. */
  const [isStarting, setStarting] = useState(false);
  const range = Number(minutes) * 60_000;
  const now = useNow(POLL.slow);
  const from = Math.floor((now - range / 4) / POLL.slow) * POLL.slow;
  const path = `/channels/${encodeURIComponent(channelId)}/timeline?from=${from}&to=${from + range * 2}`;
  const { data, error, isLoading } = useGet<TimelineResponse>(path, isStarting ? POLL.urgent : undefined);
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
          <SegmentedControl
            label="Range"
            value={minutes}
            options={ranges}
            onChange={(next: Minutes) => setMinutes(next)}
          />
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
