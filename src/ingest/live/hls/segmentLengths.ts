// SPDX-License-Identifier: Apache-2.0
// When the segments of a live playlist start, by EXT-X-PROGRAM-DATE-TIME (RFC 8216 §4.3.2.6), and how long they last, where EXTINF
// is missing, or contradicts the dates all the time: encoders that write whole seconds would make the timeline run ahead of the
// clock. Dates are made by a clock, so they decide.
import { flicksBetween, readInstant } from '../../../dash/read/live/liveTimes.ts';
import type { LivePlaylist, Segment } from '../../../hls/mediaPlaylist.ts';
import { defined } from '../../../invariant.ts';
import { millisBetween } from '../../../live/align/originDates.ts';
import { countWhile } from '../../../time/search.ts';
import { type Flicks, flicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';

/** A segment with a date: `at` is when it starts by EXTINF, and `date` when it does by its date, in milliseconds. */
type Point = { readonly number: number; readonly uri: string; readonly at: number; readonly date: number };

/** Shared by the renditions of an origin, which must not drift apart. */
export type SharedPace = { scale?: number | undefined };

const SEGMENTS_IN_SLICE = 2000;
/** From one discontinuity to the next. The points of each are compared with those before. */
const STRETCHES_IN_SLICE = 200;

const MAX_POINTS = 200;
const MIN_POINTS = 6;
/** Milliseconds by which the sum of EXTINF has to differ from the dates. Dates in whole seconds are truncated. */
const LIMIT = 500;
const LIMIT_OF_SECONDS = 1250;
/** By how much the pace of two renditions may differ that are measured by dates in whole seconds. */
const SAME_PACE = 0.1;
/** Milliseconds: a longer segment is a hole in the dates. */
const LONGEST = 60_000;

/** @param pace the first rendition sets it, the others follow */
export function createSegmentLengths(pace: SharedPace = {}, isFirst = true) {
  let known: readonly Point[] = [];
  let scale: number | undefined;
  /** The number and the URI of the last segment that was listed. */
  let last: readonly [number, string] | undefined;
  return function* (playlist: LivePlaylist, first: number) {
    const isRough = hasRoughLengths(playlist, first);
    const segments = yield* withDatedLengths(playlist, first, isRough);
    yield;
    const warnings: string[] = [];
    // Another encoder has lengths of its own, and may state no dates.
    if (last !== undefined && segments[last[0] - playlist.mediaSequence]?.uri !== last[1]) scale = undefined;
    const newest = segments.at(-1);
    last = newest && [playlist.mediaSequence + segments.length - 1, newest.uri];
    for (const [stretch, [from, to]] of stretchesOf(segments, first).entries()) {
      if (stretch % STRETCHES_IN_SLICE === STRETCHES_IN_SLICE - 1) yield;
      const points = pointsOf(segments, from, to, playlist.mediaSequence, known);
      const found = points.length < MIN_POINTS ? scale : paceOf(points);
      if (points.length > 0) known = points;
      scale = found;
      if (found === undefined) continue;
      const shared = isFirst ? undefined : pace.scale;
      const used = shared !== undefined && Math.abs(found / shared - 1) < SAME_PACE ? shared : found;
      for (const [at, segment] of segments.slice(from, to).entries())
        segments[from + at] = { ...segment, micros: Math.round(segment.micros * used) };
      warnings.push(contradiction(playlist.segments.slice(from, to), used));
    }
    if (isFirst) pace.scale = scale;
    return { playlist: { ...playlist, segments }, isRough, warnings };
  };
}

function contradiction(segments: readonly Segment[], scale: number): string {
  const { line } = defined(segments[0], 'a stretch has at least one segment');
  const mean = segments.reduce((sum, { micros }) => sum + micros, 0) / segments.length / 1_000_000;
  const [stated, dated] = [mean, mean * scale].map((seconds) => Number(seconds.toFixed(2)));
  return `line ${line}: EXTINF states ${stated} s for segments that last ${dated} s by EXT-X-PROGRAM-DATE-TIME; the dates are used`;
}

/** From one discontinuity to the next. */
function stretchesOf(segments: readonly Segment[], first: number): [from: number, to: number][] {
  const stretches: [number, number][] = [];
  for (let index = first; index < segments.length; index += 1) {
    const last = stretches.at(-1);
    if (last === undefined || segments[index]?.discontinuity) stretches.push([index, index + 1]);
    else last[1] = index + 1;
  }
  return stretches;
}

const EPOCH = { millis: 0, rest: 0 } as Instant;

const dateOf = ({ programDateTime }: Segment): number | undefined => {
  const date = programDateTime === undefined ? undefined : readDate(programDateTime);
  return date && millisBetween(EPOCH, date);
};

/** The dated segments of a stretch, after those of earlier readings that it continues. */
function pointsOf(segments: readonly Segment[], from: number, to: number, sequence: number, known: readonly Point[]) {
  const own: Point[] = [];
  let at = 0;
  const begin = Math.max(from, to - MAX_POINTS);
  for (const [index, segment] of segments.slice(begin, to).entries()) {
    const date = dateOf(segment);
    if (date !== undefined) own.push({ number: sequence + begin + index, uri: segment.uri, at, date });
    at += segment.micros / 1000;
  }
  const byNumber = new Map(own.map((point) => [point.number, point]));
  const shared = known.findLast(({ number, uri }) => byNumber.get(number)?.uri === uri);
  const [first, twin] = [own[0], byNumber.get(shared?.number ?? Number.NaN)];
  if (first === undefined || shared === undefined || twin === undefined) return own;
  const moved = twin.at - shared.at;
  const older = known.filter(({ number }) => number < first.number).map((each) => ({ ...each, at: each.at + moved }));
  return [...older, ...own].slice(-MAX_POINTS);
}

/** How much faster dates grow than EXTINF: the slope of the line that fits best. */
function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number): number =>
    points.reduce((sum, each) => sum + of(each), 0) / points.length;
  const [at, date] = [mean((each) => each.at), mean((each) => each.date)];
  const spread = points.reduce((sum, each) => sum + (each.at - at) ** 2, 0);
  return points.reduce((sum, each) => sum + (each.at - at) * (each.date - date), 0) / spread;
}

/** @returns undefined unless both halves of the points contradict EXTINF in the same way: a jump of the clock is in one of them */
function paceOf(points: readonly Point[]): number | undefined {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isWhole = points.every(({ date }) => date % 1000 === 0);
  const slope = slopeOf(points);
  const span = last.at - first.at;
  if (!(slope > 0) || !(Math.abs(slope - 1) * span > (isWhole ? LIMIT_OF_SECONDS : LIMIT))) return undefined;
  const middle = Math.floor(points.length / 2);
  const halves = [points.slice(0, middle + 1), points.slice(middle)].map(slopeOf);
  return halves.every((half) => (half - 1) / (slope - 1) >= 0.5) ? slope : undefined;
}

/** Whole seconds of different lengths: a segment may last a second more or less, so what is counted from them is wrong. */
function hasRoughLengths({ segments }: LivePlaylist, first: number): boolean {
  const lengths = new Set<number>();
  let [whole, count] = [0, 0];
  for (const segment of segments.slice(first)) {
    if (hasNoLength(segment)) continue;
    count += 1;
    if (segment.micros % 1_000_000 !== 0) continue;
    whole += 1;
    lengths.add(segment.micros);
  }
  return lengths.size > 1 && 2 * whole > count;
}

const hasNoLength = ({ micros, lacks }: Segment): boolean => micros === 0 || lacks?.includes('length') === true;

/** Microseconds by which a length in whole seconds may be wrong: a second, and the jitter of dates. */
const ROUGH = 1_100_000;

/**
 * Segments without a usable EXTINF, up to the date of the next one; those that are twice as long as that, and too long; and all, if
 * EXTINF has whole seconds of different lengths, and dates have milliseconds.
 */
function* withDatedLengths({ segments: listed, targetDuration = 0 }: LivePlaylist, first: number, hasRough: boolean) {
  const segments = [...listed];
  const hasMillis = (segment: Segment): boolean => (dateOf(segment) ?? 0) % 1000 !== 0;
  const isRough = hasRough && listed.slice(-MAX_POINTS).some(hasMillis);
  const isDoubtful = (segment: Segment): boolean =>
    isRough || hasNoLength(segment) || (targetDuration > 0 && segment.micros > 2_000_000 * targetDuration);
  if (!segments.some(isDoubtful)) return segments;
  let start: number | undefined;
  for (const [at, segment] of listed.slice(first).entries()) {
    const index = first + at;
    if (index % SEGMENTS_IN_SLICE === 0) yield;
    const date = dateOf(segment);
    if (date !== undefined || segment.discontinuity) start = date;
    const next = isDoubtful(segment) ? listed[index + 1] : undefined;
    const end = next === undefined || next.discontinuity ? undefined : dateOf(next);
    const length = start === undefined || end === undefined ? 0 : end - start;
    const isUsed = length > 0 && length < LONGEST && (hasNoLength(segment) || length < segment.micros / 2000);
    const isRounded = isRough && length > 0 && Math.abs(1000 * length - segment.micros) <= ROUGH;
    const micros = isUsed || isRounded ? Math.round(length * 1000) : segment.micros;
    if (micros !== segment.micros) segments[index] = { ...segment, micros };
    if (start !== undefined) start += micros / 1000;
  }
  return segments;
}

/** Segments. Their dates are read in a few milliseconds. */
const IN_SLICE = 2000;

/** A microsecond is 705.6 flicks. */
export const microsToFlicks = (micros: number): Flicks => flicks(Math.round((micros * 7056) / 10));

/** ISO 8601 as packagers write it: also with a space, a comma, and a time zone without minutes. */
function readDate(text: string): Instant | undefined {
  const spelled = text
    .trim()
    .replace(' ', 'T')
    .replace(',', '.')
    .replace(/([+-]\d\d)$/, (zone, _hours, at: number) => (at > 10 ? `${zone}:00` : zone));
  return readInstant(spelled);
}

/**
 * The instants of the segments from index `first` on. A stated date applies to the segments after it up to the next date or
 * discontinuity, and to those before it if they have none.
 * @param earlier what an earlier reading found for a segment, by its index: its date may have left the playlist
 */
export function* rungDates(segments: readonly Segment[], first: number, earlier: (at: number) => Instant | undefined) {
  let base: Instant | undefined;
  let micros = 0;
  const dates: (Instant | undefined)[] = [];
  const begin = baseOf(segments, first);
  for (const [at, { programDateTime, discontinuity, micros: length }] of segments.slice(begin).entries()) {
    const index = begin + at;
    if (index % IN_SLICE === 0) yield;
    const stated = programDateTime === undefined ? undefined : readDate(programDateTime);
    if (stated !== undefined || discontinuity) [base, micros] = [stated, 0];
    if (index >= first) {
      if (base === undefined) [base, micros] = [earlier(index), 0];
      dates.push(base && after(base, microsToFlicks(micros)));
    }
    micros += length;
  }
  for (let index = dates.length - 2; index >= 0; index -= 1) {
    const [segment, next, nextDate] = [segments[first + index], segments[first + index + 1], dates[index + 1]];
    if (segment === undefined || next?.discontinuity) continue;
    if (dates[index] === undefined && nextDate !== undefined)
      dates[index] = after(nextDate, -microsToFlicks(segment.micros));
  }
  return dates;
}

/** The segment whose date applies to that at `first`; `first` if there is none. */
function baseOf(segments: readonly Segment[], first: number): number {
  for (let index = first; index >= 0; index -= 1) {
    const { programDateTime, discontinuity } = segments[index] ?? {};
    if (programDateTime !== undefined && readDate(programDateTime) !== undefined) return index;
    if (discontinuity) break;
  }
  return first;
}

/** @param list ascending. @returns the one that is nearest to an instant */
export function nearestTo<One extends { readonly at: Instant }>(list: readonly One[], to: Instant): One | undefined {
  const count = countWhile(list.length, (index) => {
    const one = list[index];
    return one !== undefined && flicksBetween(one.at, to) > 0;
  });
  const [before, behind] = [list[count - 1], list[count]];
  if (before === undefined || behind === undefined) return before ?? behind;
  return flicksBetween(before.at, to) <= flicksBetween(to, behind.at) ? before : behind;
}
