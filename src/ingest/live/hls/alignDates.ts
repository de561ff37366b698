// SPDX-License-Identifier: Apache-2.0
// Dates of playlists are rounded, and may be truncated to seconds. Media times are exact and the same clock in all renditions
// of a stretch (RFC 8216 §6.2.4), so they decide how renditions are placed beside the first one.
import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { flicks, millis, secondsToFlicks, ticksToFlicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';

/** Media times that are further apart are not those of one clock. */
const FURTHEST = secondsToFlicks(10);

/** Segments. More are placed in a turn of their own. */
export const LONG_LIST = 5000;

type Segments = readonly OriginSegment[];

type Timed = { readonly startsAt: Instant; readonly clock: Instant };

/** @param lists by rung, with media times */
export function* alignDates(lists: readonly Segments[], rungs: LiveFeed['rungs']): Sliced<readonly Segments[]> {
  const own = new Map<string, Timed[]>();
  for (const segment of lists[0]!) {
    const clock = clockOf(segment, rungs[0]!.timescale);
    const { startsAt, stretch } = segment;
    if (clock === undefined || startsAt === undefined) continue;
    const timed = own.get(stretch);
    if (timed === undefined) own.set(stretch, [{ startsAt, clock }]);
    else timed.push({ startsAt, clock });
  }
  const aligned: Segments[] = [];
  for (const [rung, segments] of lists.entries()) {
    if (segments.length > LONG_LIST) yield;
    aligned.push(
      rung === 0 || rungs[rung]!.kind === 'text'
        ? segments
        : segments.map((segment) => alignedTo(own, segment, rungs[rung]!.timescale)),
    );
  }
  return aligned;
}

function alignedTo(
  own: ReadonlyMap<string, readonly Timed[]>,
  segment: OriginSegment,
  timescale: number,
): OriginSegment {
  const clock = clockOf(segment, timescale);
  const nearest = clock && nearestTo(own.get(segment.stretch) ?? [], clock);
  if (clock === undefined || nearest === undefined) return segment;
  const distance = flicksBetween(nearest.clock, clock);
  return Math.abs(distance) > FURTHEST ? segment : { ...segment, startsAt: after(nearest.startsAt, distance) };
}

/** @param list ascending */
function nearestTo(list: readonly Timed[], clock: Instant): Timed | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (flicksBetween(list[middle]!.clock, clock) > 0) low = middle + 1;
    else high = middle;
  }
  const [before, behind] = [list[low - 1], list[low]];
  if (before === undefined || behind === undefined) return before ?? behind;
  return flicksBetween(before.clock, clock) <= flicksBetween(clock, behind.clock) ? before : behind;
}

/** A media time as an instant, because it may count from 1970. */
function clockOf({ mediaTime }: OriginSegment, timescale: number): Instant | undefined {
  if (mediaTime === undefined) return undefined;
  const seconds = Math.floor(mediaTime / timescale);
  return after(
    { millis: millis(seconds * 1000), rest: flicks(0) },
    ticksToFlicks(mediaTime - seconds * timescale, timescale),
  );
}
