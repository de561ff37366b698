// SPDX-License-Identifier: Apache-2.0
// How long HLS segments last by the media times that were read, where EXTINF values may be rounded to whole seconds.

import { nameOf } from '../../../live/align/segmentLists.ts';
import type { LiveFeed } from '../../../live/feed.ts';
import type { OriginSegment } from '../../../live/origin.ts';
import { type Flicks, flicks, millisToFlicks, secondsToFlicks, ticksToFlicks } from '../../../time/units.ts';
import { hasVideo } from '../../../timeline/asset/asset.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';

export type Segments = readonly OriginSegment[];
export type TimedRung = { readonly rung: LiveFeed['rungs'][number]; readonly segments: Segments };

/** The media time of a segment that was read. */
export type Anchor = { readonly number: number; readonly name: string; readonly mediaTime: number };

export type ReadRung = TimedRung & { readonly anchors: readonly Anchor[] };

/** By how much a duration in whole seconds may be wrong, also after it was scaled. */
const ROUGH = secondsToFlicks(1.5);
/** By how much the sum of exact durations may differ from media times. Rounded ones deviate by more after a few segments of 2.002 s. */
const EXACT = millisToFlicks(5);
/** Segments of sound end at the border of a frame. */
const EXACT_SOUND = millisToFlicks(100);

export const indexOf = (segments: Segments, { number, name }: Anchor): number => {
  const index = number - (segments[0]?.number ?? 0);
  const segment = segments[index];
  return segment !== undefined && nameOf(segment.media) === name ? index : -1;
};

/** Continuous segments: `from` to `to`, exclusive. */
export function runsOf(segments: Segments): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const [index, { stretch }] of segments.entries()) {
    const run = runs.at(-1);
    if (run !== undefined && segments[run.from]?.stretch === stretch) run.to = index + 1;
    else runs.push({ from: index, to: index + 1 });
  }
  return runs;
}

/**
 * From a segment that was read, at `index`, to the next one of its run, at `stop`, or to the end of the run. `total`: how long they last by
 * media times; undefined at the end of a run.
 */
type Interval = { readonly index: number; readonly stop: number; readonly total: number | undefined };

function intervalsOf({ rung, segments, anchors }: ReadRung): Interval[][] {
  const read = anchors.map((anchor) => ({ index: indexOf(segments, anchor), mediaTime: anchor.mediaTime }));
  return runsOf(segments).map(({ from, to }) => {
    const own = read.filter(({ index }) => index >= from && index < to);
    return own.map(({ index, mediaTime }, at): Interval => {
      const next = own[at + 1];
      const total = next && ticksToFlicks(next.mediaTime - mediaTime, rung.timescale);
      return { index, stop: next?.index ?? to, total };
    });
  });
}

/**
 * Durations by media times. Nothing read shows how long the last segment lasts, or one before a discontinuity: it lasts as stated, or as long
 * as the others on average.
 * @param stated absent if stated durations are inexact
 */
export function withReadLengths(read: ReadRung, stated: readonly Flicks[] | undefined): Segments {
  const { segments } = read;
  const corrected = segments.map((segment, index) => ({ ...segment, duration: stated?.[index] ?? segment.duration }));
  let usual: number | undefined;
  for (const run of intervalsOf(read)) {
    let [sum, count] = [0, 0];
    for (const { index, stop, total } of run) {
      const guess = stated === undefined ? usual : undefined;
      const length = total === undefined ? guess : total / (stop - index);
      if (length === undefined || !segments.slice(index, stop).every(isNear(length))) continue;
      if (total !== undefined) {
        [sum, count] = [sum + total, count + stop - index];
        usual = sum / count;
      }
      const duration = flicks(Math.round(length));
      for (let here = index; here < stop; here += 1) change(corrected, here, { duration });
    }
    redate(corrected, run[0]?.index ?? 0, run.at(-1)?.stop ?? 0);
  }
  return corrected;
}

/**
 * Whether stated durations add up to what media times show: whole seconds of different lengths need not be rounded, for example those of a
 * programme in segments of two seconds and of slate in segments of one.
 */
export function isAsStated(read: ReadRung, stated: readonly Flicks[]): boolean {
  const { rung, segments } = read;
  const allowed = hasVideo(rung.kind) ? EXACT : EXACT_SOUND;
  return intervalsOf(read).every((run) => {
    let late = 0;
    return run.every(({ index, stop, total }) => {
      if (total === undefined || !segments.slice(index, stop).every(isNear(total / (stop - index)))) return true;
      late += total - stated.slice(index, stop).reduce((sum, each) => sum + each, 0);
      return Math.abs(late) <= allowed;
    });
  });
}

/** A larger difference is a jump of the media's clock. */
const isNear =
  (length: number) =>
  ({ duration }: OriginSegment): boolean =>
    length > 0 && Math.abs(length - duration) <= ROUGH;

/** Dates follow from that of the first segment. */
function redate(segments: OriginSegment[], from: number, to: number): void {
  let at: Instant | undefined;
  for (let index = from; index < to; index += 1) {
    const segment = segments[index];
    at ??= segment?.startsAt;
    if (at === undefined || segment === undefined) continue;
    segments[index] = { ...segment, startsAt: at };
    at = after(at, segment.duration);
  }
}

export function change(segments: OriginSegment[], index: number, to: Partial<OriginSegment>): void {
  const segment = segments[index];
  if (segment !== undefined) segments[index] = { ...segment, ...to };
}
