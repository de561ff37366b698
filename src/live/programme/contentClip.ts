// SPDX-License-Identifier: Apache-2.0
// Slots of live content as a clip. Its times count from the start of its stretch, so that all clips of a stretch are on one
// time line: each has an asset of its own, because a published span never changes (law 1), and a stretch grows.
import { defined, invariant, isNonEmpty, type NonEmpty, withoutUndefined } from '../../invariant.ts';
import { type Flicks, flicks, flicksToTicks, ticksToFlicks } from '../../time/units.ts';
import type { Asset, MediaRef, Protection, Track } from '../../timeline/asset/asset.ts';
import type { Cell, Clip } from '../../timeline/asset/clip.ts';
import { packRefs, packTimes } from '../../timeline/asset/segmentUrl.ts';
import { flicksBetween, type Instant, ofRung } from '../../timeline/programme/span.ts';
import { continuesMedia, isSameRef } from '../align/segmentLists.ts';
import type { LiveFeed, RungSource } from '../feed.ts';
import { lengthOf, type Slot, type SlotSegment, type StretchOrigin, segmentsOf } from '../slot.ts';

export const stretchOrigin = ({ rungs }: Pick<LiveFeed, 'rungs'>, first: Slot): StretchOrigin => ({
  start: first.start,
  mediaTimes: first.segments.map(([segment], rung) =>
    segment?.mediaTime === undefined ? undefined : segment.mediaTime - lateTicks(segment, ofRung(rungs, rung)),
  ),
});

const lateTicks = ({ late = flicks(0) }: SlotSegment, { timescale }: RungSource): number =>
  flicksToTicks(late, timescale);

/** Where each slot starts and where the last one ends, in flicks after the start of the stretch. */
function slotBorders(slots: NonEmpty<Slot>, start: Instant): Float64Array {
  let at: number = flicksBetween(start, slots[0].start);
  return Float64Array.from([at, ...slots.map(({ duration }) => (at += duration))]);
}

const borderAt = (borders: Float64Array, index: number): number =>
  defined(borders[index], 'a border is before a slot or segment, or after the last one');

/** Borders on the timeline: a slot's duration is split in proportion to the durations of its segments. */
function splitBorders(slots: readonly Slot[], rung: number, starts: Float64Array, zero: number, timescale: number) {
  const borders: number[] = [];
  for (const [index, slot] of slots.entries()) {
    for (const share of sharesOf(segmentsOf(slot, rung)))
      borders.push(
        flicksToTicks(flicks(zero + borderAt(starts, index) + Math.round(share * slot.duration)), timescale),
      );
  }
  borders.push(flicksToTicks(flicks(zero + borderAt(starts, slots.length)), timescale));
  return Float64Array.from(borders);
}

/** Where segments start, as a part of what they last together. */
function sharesOf(segments: readonly SlotSegment[]): number[] {
  const total = lengthOf(segments);
  let before = 0;
  return segments.map(({ duration }) => {
    const share = total === 0 ? 0 : before / total;
    before += duration;
    return share;
  });
}

/**
 * Borders on the media's own clock. A jump within a slot is not followed: a segment is as long as the origin states
 * (law 4).
 */
function mediaBorders(segments: readonly SlotSegment[], origin: number, timescale: number): Float64Array {
  let next = 0;
  const borders = segments.map((segment, index) => {
    const { mediaTime, duration } = segment;
    const isFollowed = mediaTime !== undefined && continuesMedia(segments[index - 1], segment, timescale);
    const at = isFollowed ? mediaTime - origin : next;
    next = at + flicksToTicks(duration, timescale);
    return at;
  });
  return Float64Array.from([...borders, next]);
}

/**
 * Media times beside the slot of their segments are wrong, mostly because they were counted from wrong durations. A segment with its
 * midpoint in another slot would have no duration there (clip.ts), so such a slot is split as if it had no media times.
 * @param borders of the media; those of the slots that are split are replaced
 */
function keepInSlots(
  borders: Float64Array,
  { slots, zero }: Piece,
  starts: Float64Array,
  rung: number,
  timescale: number,
) {
  const ticksAt = (time: number): number => flicksToTicks(flicks(Math.round(zero + time)), timescale);
  let first = 0;
  for (const [index, slot] of slots.entries()) {
    const own = segmentsOf(slot, rung);
    const from = borderAt(starts, index);
    const [start, end] = [ticksAt(from), ticksAt(borderAt(starts, index + 1))];
    const isWithin = own.every((segment, at) => {
      const border = borderAt(borders, first + at);
      const before = borders[first + at - 1] ?? Number.NEGATIVE_INFINITY;
      const middle = border + flicksToTicks(segment.duration, timescale) / 2;
      return middle >= start && middle < end && before < border;
    });
    if (!isWithin) {
      for (const [at, share] of sharesOf(own).entries()) borders[first + at] = ticksAt(from + share * slot.duration);
      if (index === slots.length - 1) borders[first + own.length] = end;
    }
    first += own.length;
  }
}

const sameTexts = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  one === other || (one.length === other.length && one.every((text, index) => text === other[index]));

function protectionOf(segments: NonEmpty<SlotSegment>, rung: RungSource): Protection | undefined {
  const [{ keys, initKeys, protection }] = segments;
  const dash = protection ?? rung.protection;
  const isFixed = segments.every((segment) => sameTexts(segment.keys, keys));
  if (isFixed && keys === undefined && dash === undefined) return undefined;
  return {
    ...(isFixed && keys !== undefined && keys.length > 0 ? { hls: keys } : {}),
    ...(isFixed ? {} : { hlsOfEach: segments.map((segment) => segment.keys ?? []) }),
    ...(initKeys === undefined ? {} : { hlsOfInit: initKeys }),
    ...(dash === undefined ? {} : { dash }),
  };
}

/** The difference between the media's clock and the timeline at the start of a clip: how far its dates were adjusted. */
function adjustment(first: Slot, origin: StretchOrigin, rungs: readonly RungSource[], from: number): Flicks {
  const { mediaTimes } = stretchOrigin({ rungs }, first);
  for (const [rung, { timescale }] of rungs.entries()) {
    const [start, time] = [origin.mediaTimes[rung], mediaTimes[rung]];
    if (start === undefined || time === undefined) continue;
    const elapsed = time - start;
    // Equal within the rounding of a tick.
    if (elapsed === flicksToTicks(flicks(from), timescale)) return flicks(0);
    return flicks(ticksToFlicks(elapsed, timescale) - from);
  }
  return flicks(0);
}

/** What the tracks of a clip share. */
type Piece = { readonly slots: NonEmpty<Slot>; readonly origin: StretchOrigin; readonly zero: Flicks };

/** Audio borders are moved by less than this: half of the longest audio frame that is common (2048 samples at 48 kHz). */
const MAX_MOVE_SECONDS = 0.022;

function segmentsOfTrack({ slots }: Piece, rung: number): NonEmpty<SlotSegment> {
  const segments = slots.flatMap((slot) => segmentsOf(slot, rung));
  invariant(isNonEmpty(segments), 'a slot with content has a segment of each rung');
  return segments;
}

function bordersOf(piece: Piece, cutPoints: Float64Array, source: RungSource, rung: number) {
  const { slots, origin, zero } = piece;
  const { timescale, kind } = source;
  const mediaTime = origin.mediaTimes[rung];
  const segments = segmentsOfTrack(piece, rung);
  if (mediaTime === undefined || segments[0].mediaTime === undefined) {
    return { borders: splitBorders(slots, rung, cutPoints, zero, timescale) };
  }
  const borders = mediaBorders(segments, mediaTime, timescale);
  keepInSlots(borders, piece, cutPoints, rung, timescale);
  const hasRanges = segments.some(({ media }) => media.range !== undefined);
  const urls = hasRanges
    ? undefined
    : packTimes(
        segments.map(({ media }) => media.url),
        Array.from(segments, (_, index) => mediaTime + borderAt(borders, index)),
        segments[0].number,
      );
  // A gap of a few samples at the start of a Period can stop dash.js for good, so its audio starts with it.
  const [first, second] = [borderAt(borders, 0), borderAt(borders, 1)];
  const isMoved = cutPoints[0] === 0 && kind === 'audio' && urls === undefined && second > 0;
  if (!isMoved || first === 0 || Math.abs(first) > MAX_MOVE_SECONDS * timescale) return { borders, urls };
  return { borders: borders.with(0, 0), audioStarts: borders };
}

/** The tags of slots, by the index of the first segment of the slot. */
function tagsOf(slots: readonly Slot[], rung: number): ReadonlyMap<number, readonly string[]> {
  const found = new Map<number, readonly string[]>();
  let index = 0;
  for (const slot of slots) {
    if (slot.tags !== undefined) found.set(index, slot.tags);
    index += segmentsOf(slot, rung).length;
  }
  return found;
}

function trackOf(piece: Piece, cutPoints: Float64Array, source: RungSource, rung: number): Track {
  const segments = segmentsOfTrack(piece, rung);
  const refs = segments.map(({ media }) => media);
  const { urls = packRefs(refs, segments[0].number), ...times } = bordersOf(piece, cutPoints, source, rung);
  const tags = tagsOf(piece.slots, rung);
  const gaps = segments.flatMap(({ isGap }, index) => (isGap ? [index] : []));
  const protection = protectionOf(segments, source);
  const [{ init }] = segments;
  const mediaTime = piece.origin.mediaTimes[rung];
  return {
    urls,
    ...times,
    ...withoutUndefined({ init, protection, mediaTime }),
    ...(gaps.length === 0 ? {} : { gaps: new Set(gaps) }),
    ...(tags.size === 0 ? {} : { tags }),
  };
}

/**
 * @param slots consecutive ones of the stretch, each of which shares its tracks with the next one (`sharesTrack`)
 * @param origin of their stretch. The stretch must be shorter than 147 days, the range of flicks
 */
export function contentClip({ rungs }: Pick<LiveFeed, 'rungs'>, slots: NonEmpty<Slot>, origin: StretchOrigin): Clip {
  const cutPoints = slotBorders(slots, origin.start);
  const from = flicks(borderAt(cutPoints, 0));
  const end = flicks(borderAt(cutPoints, slots.length));
  const zero = adjustment(slots[0], origin, rungs, from);
  const piece: Piece = { slots, origin, zero };
  const cells = rungs.map((source, rung): Cell => {
    const track = trackOf(piece, cutPoints, source, rung);
    const { protection: _, key, ...rendition } = source;
    return { rendition: { id: key, tracks: [track], ...rendition }, track, first: 0, end: track.borders.length - 1 };
  });
  const duration = flicks(end - from);
  const asset: Asset = {
    id: `live-${slots[0].number}`,
    url: '',
    duration,
    parts: [{ start: flicks(0), duration: end, zero, cutPoints }],
    renditions: cells.map(({ rendition }) => rendition),
    warnings: [],
  };
  const firsts = cells.map(() => 0);
  return { kind: 'content', asset, part: 0, from, duration, cells, firsts, ends: cells.map((cell) => cell.end) };
}

// Whether slots may be listed as one piece. A track has one initialization section, and a Period one for each of its
// Representations.

const withoutQuery = (ref: MediaRef | undefined): MediaRef | undefined =>
  ref && { ...ref, url: ref.url.replace(/[?#].*$/s, '') };

/** An attribute list of EXT-X-KEY without its IV. */
const withoutIv = (keys: string): string => keys.replace(/(^|,)IV=0[xX][0-9A-Fa-f]+/, '');

const every = (a: Slot, b: Slot, isSame: (last: SlotSegment, first: SlotSegment) => boolean): boolean =>
  a.segments.every((segments, rung) => {
    const [last, first] = [segments.at(-1), b.segments[rung]?.[0]];
    return last !== undefined && first !== undefined && isSame(last, first);
  });

/** Whether two consecutive slots may be in one clip: initialization sections and keys are the same; IVs may differ. */
export const sharesTrack = (a: Slot, b: Slot): boolean =>
  every(
    a,
    b,
    (last, first) =>
      isSameRef(last.init, first.init) &&
      sameTexts(last.keys?.map(withoutIv), first.keys?.map(withoutIv)) &&
      sameTexts(last.protection, first.protection),
  );

/**
 * Whether a slot may be in the stretch of the one before it: the initialization sections are the same, except for tokens in
 * their queries, and so is the protection of DASH. Keys of HLS may change within a stretch.
 */
export const sharesStretch = (a: Slot, b: Slot): boolean =>
  every(
    a,
    b,
    (last, first) =>
      isSameRef(withoutQuery(last.init), withoutQuery(first.init)) && sameTexts(last.protection, first.protection),
  );
