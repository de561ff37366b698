// SPDX-License-Identifier: Apache-2.0
// Reads a live DASH origin for a channel on air: the segments of its rungs, and its ad markers.
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginReading } from '../../../live/origin.ts';
import type { OriginReader, ReadingWay } from '../../../live/ports.ts';
import type { MarkerOptions } from '../../../markers/markerSignal.ts';
import { flicksToSeconds, type Millis, secondsToFlicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import type { Origin } from '../../ports.ts';
import { createDashReadings } from './dashReadings.ts';
import { hasInbandEvents } from './dashSignals.ts';
import { beforeEdge, createMpdFetcher, isClocked } from './fetchMpd.ts';

type Options = MarkerOptions & {
  readonly origin: Origin;
  readonly feed: Pick<LiveFeed, 'url' | 'rungs'>;
  readonly now: () => Millis;
  readonly way?: ReadingWay | undefined;
};

/** What later readings list of what an earlier one listed. It lasts longer than an outage of the store. */
const OVERLAP = secondsToFlicks(900);

export function createDashOriginReader({ origin: shared, feed, now, way, ...markers }: Options): OriginReader {
  const { rungs } = feed;
  const origin = shared.session?.() ?? shared;
  const fetchMpd = createMpdFetcher(origin, feed.url, now);
  const readingOf = createDashReadings(origin, rungs, markers, way === 'substitutes');
  let since: Instant | undefined;
  let targetDuration = 0;
  let reported = '';

  return {
    async read(signal) {
      const fetched = await fetchMpd(since, signal);
      if ('refused' in fetched) return fetched;
      const { mpd, warnings, isSame } = fetched;
      if (isSame && !isClocked(mpd) && !hasInbandEvents(mpd)) return undefined;
      const reading = await readingOf(mpd, warnings, signal);
      since = beforeEdge(mpd, OVERLAP) ?? since;
      targetDuration = Math.round(longestOf(reading, rungs)) || targetDuration || 1;
      const summary = summarize(reading);
      if (summary === reported) return undefined;
      reported = summary;
      return reading;
    },
    targetDuration: () => targetDuration,
  };
}

/** Text may have one segment for hours. */
const longestOf = ({ renditions }: OriginReading, rungs: LiveFeed['rungs']): number =>
  renditions.reduce(
    (longest, { segments }, index) =>
      rungs[index]?.kind === 'text'
        ? longest
        : segments.reduce((most, { duration }) => Math.max(most, flicksToSeconds(duration)), longest),
    0,
  );

/** Changes with what a caller may not have seen yet. */
function summarize({ renditions, signals, warnings, isEnded }: OriginReading): string {
  const edges = renditions.map(({ segments }) => [segments.at(-1)?.number, segments.at(-1)?.stretch]);
  const starts = new Map(renditions[0]?.segments.map(({ number, startsAt }) => [number, startsAt]));
  const seen = signals.map(({ line: _line, number, offset, ...signal }) => {
    const start = starts.get(number);
    return [start && after(start, offset), signal];
  });
  return JSON.stringify([edges, seen, warnings, isEnded]);
}
