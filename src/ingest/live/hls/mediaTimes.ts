// SPDX-License-Identifier: Apache-2.0
// The media times of HLS segments, which playlists do not state and MPDs need. They are read from some segments, at least one
// of each stretch and of each minute, and counted from there: the durations of playlists are rounded.

import { flicksBetween } from '../../../dash/read/live/liveTimes.ts';
import { groupBy } from '../../../invariant.ts';
import { nameOf } from '../../../live/align/segmentLists.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import type { OriginFailure } from '../../../live/ports.ts';
import { lastNumber, numberAt } from '../../../time/row.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, flicks, flicksToTicks, millis, secondsToFlicks, ticksToFlicks } from '../../../time/units.ts';
import { packRefs } from '../../../timeline/asset/segmentUrl.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import { createTrackOpener } from '../../measure/openTrack.ts';
import type { Origin } from '../../ports.ts';
import { inTurns, nextTurn } from '../../source/inTurns.ts';
import { limitOrigin } from '../../source/limitOrigin.ts';
import { createMediaReader, type MediaReader, shortUrl } from '../../source/mediaReader.ts';
import { nearestTo } from './segmentLengths.ts';
import {
  type Anchor,
  change,
  indexOf,
  isAsStated,
  type ReadRung,
  runsOf,
  type Segments,
  type TimedRung,
  withReadLengths,
} from './withReadLengths.ts';

/** The error of a duration in milliseconds adds up to 15 ms in a minute of segments of two seconds. */
const REACH = secondsToFlicks(60);
/** What is older is counted from there. */
const DEPTH = secondsToFlicks(900);
/** The newest first. */
const MAX_READS = 16;
const LIMITS = { concurrency: 6, timeoutMs: 5000 };
/** Failed readings in a row; after them, content is shown without media times, in HLS at least. */
const MAX_FAILURES = 3;

export function createMediaTimes(origin: Origin, rungs: LiveFeed['rungs']) {
  const known = rungs.map((rung) => ({ rung, anchors: [] as readonly Anchor[] }));
  let failures = 0;
  /**
   * Adds media times to what the rungs list, and makes the dates of all rungs as exact as these.
   * @param stated by rung, the durations as the playlist states them if these may be too inexact to count from: each new segment is read,
   * and lasts until the next one
   * @returns a failure if a media time could not be read, for a few times
   */
  return async (
    lists: readonly Segments[],
    stated: readonly (readonly Flicks[])[] | undefined,
    signal?: AbortSignal,
  ): Promise<{ readonly lists: readonly Segments[]; readonly warnings: readonly string[] } | OriginFailure> => {
    let opened: MediaReader | undefined;
    // Most readings need none, and each has a timer.
    const reader = (): MediaReader => {
      opened ??= createMediaReader(limitOrigin(origin, { ...LIMITS, signal }));
      return opened;
    };
    const refusals: string[] = [];
    const reading = known.map(async (own, index): Promise<ReadRung> => {
      const { rung } = own;
      const segments = lists[index] ?? [];
      if (rung.kind === 'text') return { rung, segments, anchors: [] };
      if (segments.length > LONG_LIST) await nextTurn();
      const anchors = own.anchors.filter((anchor) => indexOf(segments, anchor) >= 0);
      const read = uncovered(segments, anchors, stated !== undefined).map(async (segment) => {
        const mediaTime = await readMediaTime(segment, rung.timescale, reader());
        if (typeof mediaTime !== 'number') refusals.push(mediaTime.refused);
        else anchors.push({ number: segment.number, name: nameOf(segment.media), mediaTime });
      });
      await Promise.all(read);
      own.anchors = anchors.sort((a, b) => a.number - b.number);
      return { rung, segments, anchors };
    });
    const read = await Promise.all(reading);
    const [refused] = refusals;
    failures = refused === undefined ? 0 : failures + 1;
    if (refused !== undefined && failures <= MAX_FAILURES) return { refused };
    const areExact = stated !== undefined && read.every((each, index) => isAsStated(each, stated[index] ?? []));
    const timed: TimedRung[] = [];
    for (const [index, each] of read.entries()) {
      const { rung, segments, anchors } = each;
      if (segments.length > LONG_LIST) await nextTurn();
      const isMeasured = stated !== undefined && rung.kind !== 'text';
      const lasting = isMeasured ? withReadLengths(each, areExact ? stated[index] : undefined) : segments;
      timed.push({ rung, segments: deriveMediaTimes(lasting, anchors, rung.timescale) });
    }
    return { lists: await inTurns(0, alignDates(timed)), warnings: refusals.slice(0, 1) };
  };
}

/** Where each segment starts, in flicks after the first, and the last one ends. */
function startsOf(segments: Segments): number[] {
  const starts = [0];
  for (const { duration } of segments) starts.push(lastNumber(starts) + duration);
  return starts;
}

/** The segments that have to be read, so that none is far from one that was. */
function uncovered(segments: Segments, anchors: readonly Anchor[], isRough: boolean): OriginSegment[] {
  const starts = startsOf(segments);
  const [depth, reach] = isRough ? [REACH, 0] : [DEPTH, REACH];
  const first = starts.findIndex((start) => start >= lastNumber(starts) - depth);
  const chosen: number[] = [];
  const known = anchors.map((anchor) => indexOf(segments, anchor));
  for (const { from, to } of runsOf(segments)) {
    const within = known.filter((index) => index >= from && index < to);
    for (let index = Math.max(from, first); index < to; index += 1) {
      if (within.some((each) => Math.abs(numberAt(starts, each) - numberAt(starts, index)) <= reach)) continue;
      let last = index;
      while (last + 1 < to && numberAt(starts, last + 1) - numberAt(starts, index) <= reach) last += 1;
      while (last > index && segments[last]?.isGap) last -= 1;
      if (segments[last]?.isGap) continue;
      within.push(last);
      chosen.push(last);
    }
  }
  return chosen.slice(-MAX_READS).flatMap((index) => segments[index] ?? []);
}

function deriveMediaTimes(segments: Segments, anchors: readonly Anchor[], timescale: number): Segments {
  const starts = startsOf(segments);
  const timed = [...segments];
  for (const { from, to } of runsOf(segments)) {
    const own = anchors.flatMap((anchor) => {
      const index = indexOf(segments, anchor);
      return index >= from && index < to ? [{ start: numberAt(starts, index), mediaTime: anchor.mediaTime }] : [];
    });
    let [at, nearest] = [0, own[0]];
    for (let index = from; index < to && nearest !== undefined; index += 1) {
      const start = numberAt(starts, index);
      for (let next = own[at + 1]; next !== undefined; next = own[at + 1]) {
        if (Math.abs(next.start - start) > Math.abs(nearest.start - start)) break;
        [at, nearest] = [at + 1, next];
      }
      const elapsed = flicksToTicks(flicks(start - nearest.start), timescale);
      change(timed, index, { mediaTime: nearest.mediaTime + elapsed });
    }
  }
  return timed;
}

/** The earliest presentation time of a segment, in ticks of `timescale`. */
async function readMediaTime({ media, init }: OriginSegment, timescale: number, reader: MediaReader) {
  const track = { init, urls: packRefs([media]), count: 1, nominalBorders: Float64Array.of(0, 1), nominalTimescale: 1 };
  const opened = await createTrackOpener(reader)({ ...track, exact: false });
  const start = 'refused' in opened ? opened : await opened.startOf(0);
  if (typeof start === 'number' && !('refused' in opened)) return scaled(start, opened.timescale, timescale);
  const { refused } = start as { refused: string };
  return { refused: refused.includes(shortUrl(media.url)) ? refused : `${shortUrl(media.url)}: ${refused}` };
}

function scaled(time: number, from: number, to: number): number {
  const seconds = Math.floor(time / from);
  return seconds * to + Math.round(((time - seconds * from) * to) / from);
}

// Dates of playlists are rounded, and may be truncated to seconds. Media times are exact and the same clock in all renditions
// of a stretch (RFC 8216 §6.2.4), so they decide how renditions are placed beside the first one.

/** Media times that are further apart are not those of one clock. */
const FURTHEST = secondsToFlicks(10);

/** Segments. Longer lists are placed in turns of their own. */
const LONG_LIST = 5000;

/** `at`: its media time. */
type Timed = { readonly at: Instant; readonly startsAt: Instant };

/** @param timed by rung, with media times */
function* alignDates(timed: readonly TimedRung[]): Sliced<readonly Segments[]> {
  const [first] = timed;
  const dated = (first?.segments ?? []).flatMap((segment) => {
    const at = clockOf(segment, first?.rung.timescale ?? 1);
    const { startsAt, stretch } = segment;
    return at === undefined || startsAt === undefined ? [] : [{ stretch, at, startsAt }];
  });
  const own = groupBy(dated, ({ stretch }) => stretch);
  const aligned: Segments[] = [];
  for (const each of timed) {
    const { rung, segments } = each;
    if (segments.length > LONG_LIST) yield;
    const isAligned = each === first || rung.kind === 'text';
    aligned.push(isAligned ? segments : segments.map((segment) => alignedTo(own, segment, rung.timescale)));
  }
  return aligned;
}

function alignedTo(own: ReadonlyMap<string, readonly Timed[]>, segment: OriginSegment, timescale: number) {
  const clock = clockOf(segment, timescale);
  const nearest = clock && nearestTo(own.get(segment.stretch) ?? [], clock);
  if (clock === undefined || nearest === undefined) return segment;
  const distance = flicksBetween(nearest.at, clock);
  return Math.abs(distance) > FURTHEST ? segment : { ...segment, startsAt: after(nearest.startsAt, distance) };
}

/** A media time as an instant, because it may count from 1970. */
function clockOf({ mediaTime }: OriginSegment, timescale: number): Instant | undefined {
  if (mediaTime === undefined) return undefined;
  const seconds = Math.floor(mediaTime / timescale);
  const whole = { millis: millis(seconds * 1000), rest: flicks(0) };
  return after(whole, ticksToFlicks(mediaTime - seconds * timescale, timescale));
}
