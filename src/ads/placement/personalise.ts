// SPDX-License-Identifier: Apache-2.0
// Replaces the breaks in a channel's spans with a viewer's clips. Durations are preserved, so later spans start at the same
// instant for every viewer. Only sequence numbers move, by the sum of the shifts.
import { noMemos } from '../../cache/memo.ts';
import { flat } from '../../cache/sharedText.ts';
import { weakValueCache } from '../../cache/weakValueCache.ts';
import { type FrameRate, framesToFlicks } from '../../time/units.ts';
import { soundText } from '../../timeline/asset/audioJoin.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import type { ContentPart } from '../../timeline/programme/programme.ts';
import {
  after,
  type BreakSpan,
  clockAt,
  type Instant,
  type Open,
  ofRung,
  place,
  placeOf,
  type Region,
  SAME_BORDER_MS,
  type Shift,
  type Span,
} from '../../timeline/programme/span.ts';
import type { ChannelStrip, Strip } from '../../timeline/programme/strip.ts';
import type { BreakClip } from './breakClips.ts';
import { addShift, clipIdOf, type Odometer } from './decision.ts';
import type { ShownFrames } from './shownFrames.ts';
import { trackedClip } from './trackedClip.ts';

/** What replaces a break after a decision, and how it moves the sequence numbers after it. */
export type Placement = {
  /** Numbered as if nothing before it had been replaced. */
  readonly spans: readonly Span[];
  readonly shift: Shift;
} & (
  | { readonly region?: undefined }
  /** Live, when breaks show content: the content that the spans replace. Slate is replaced as a whole. */
  | { readonly region: Region }
) &
  (
    | { readonly isSettled?: undefined; readonly shown?: undefined }
    /** Live: whether the end is known, so that nothing of this changes any more; `shown` if it was not shown as decided. */
    | { readonly isSettled: boolean; readonly shown?: ShownFrames | undefined }
  );

/** A decision with its clips placed. */
export type DecidedBreak = Placement & {
  readonly breakId: string;
  readonly startsAt: number;
  /** Live: as in the decision, if the break started later than was known then, because another one was on air. */
  readonly decidedAt?: number;
} & (
    | { readonly region: Region; readonly strip?: undefined }
    /** `strip`: the spans, where manifests are written from strips. */
    | { readonly region?: undefined; readonly strip?: Strip | undefined }
  );

export type Choices = {
  /** The decisions in and near the window. Other breaks show the channel's slate. */
  readonly decided: readonly DecidedBreak[];
  /** The sum of the shifts of expired decisions. */
  readonly odometer: Odometer;
};

/** The viewer's decision for a break. */
export function decidedFor(decided: readonly DecidedBreak[], breakId: string): DecidedBreak | undefined {
  for (const one of decided) if (one.breakId === breakId) return one;
  return undefined;
}

export const countIn = (clip: Clip, rung: number): number => ofRung(clip.ends, rung) - ofRung(clip.firsts, rung);

/** Each viewer has several, and few are different. */
const shifts = weakValueCache<string, Shift>();

/** How a decided break moves the sequence numbers after it. */
export function shiftOf(channelClip: Clip, clips: readonly Clip[]): Shift {
  const segments = channelClip.cells.map(
    (_, rung) => clips.reduce((sum, clip) => sum + countIn(clip, rung), 0) - countIn(channelClip, rung),
  );
  return shifts(`${segments} ${clips.length}`, () => ({ segments, discontinuities: clips.length - 1 }));
}

/** Distinguishes clips at the same place of a break. */
export const keyOfClip = ({ clip: { asset, duration, sound }, ad }: BreakClip): string =>
  ` ${ad === undefined ? '' : 'ad '}${asset.id}/${duration}${sound ? ` ${soundText(sound)}` : ''}`;

/**
 * The spans of a decided break. Slate at the start keeps the id of the channel's span, because a late joiner may have seen it
 * before the decision (law 7).
 * @param share caches spans, so that viewers with the same break and the same clips so far share them
 * @param open set when the end of the break is not known yet
 */
export function placeBreak(
  span: BreakSpan,
  clips: readonly BreakClip[],
  rate: FrameRate,
  share: (key: string, make: () => Span) => Span = (_, make) => make(),
  open?: Open,
): Span[] {
  let { numbers } = span;
  const within = placeOf(span);
  let key = `${span.id}${open ? ' open' : ''}`;
  return clips.map((one, index) => {
    const { at, clip, ad } = one;
    const before = numbers;
    key += keyOfClip(one);
    const placed = share(flat(key), () => ({
      id: index === 0 && ad === undefined ? span.id : clipIdOf(span.id, index),
      placed: place(
        ad === undefined ? clip : trackedClip(clip, ad),
        after(span.placed.start, framesToFlicks(at, rate)),
      ),
      numbers: before,
      discontinuity: span.discontinuity + index,
      adId: ad?.adId,
      within,
      ...(open && { open }),
      ...(span.border && { border: span.border }),
      memos: noMemos(),
    }));
    numbers = before.map((number, rung) => number + countIn(clip, rung));
    return placed;
  });
}

/** How content around a viewer's ads is cut (timeline/programme/programme.ts). */
export type Cutting = {
  readonly partOf: (span: Span, part: ContentPart) => Span | undefined;
  /** Whether content after ads within it needs a Period of its own. */
  readonly hasPeriods: boolean;
};

const isBefore = (instant: Instant, time: number): boolean => clockAt(instant, 0) < time;

/** Replaces a part of the content with ads, and keeps what is before and after it. */
function replaceRegion(
  own: readonly Span[],
  { from, until, mediaTimes }: Region,
  ads: readonly Span[],
  { partOf, hasPeriods }: Cutting,
): Span[] {
  const period = until && hasPeriods ? { period: { at: until, ...(mediaTimes && { mediaTimes }) } } : {};
  const spans: Span[] = [];
  let isPlaced = false;
  for (const span of own) {
    const { startsAt, endsAt } = span.placed;
    if (!isBefore(from, endsAt) || span.adId !== undefined) {
      spans.push(span);
      continue;
    }
    if (isBefore(span.placed.start, clockAt(from, 0) - SAME_BORDER_MS)) {
      const head = partOf(span, { to: from });
      if (head !== undefined) spans.push(head);
    }
    // After a hole, nothing before it is listed: no ads either.
    if (!isPlaced && (until === undefined || clockAt(until, 0) > startsAt)) spans.push(...ads);
    isPlaced = true;
    if (until === undefined || clockAt(until, 0) >= endsAt) continue;
    const isInside = span.stretch !== undefined && isBefore(span.stretch.start, clockAt(until, 0));
    const cut = startsAt < clockAt(until, 0) ? { from: until } : {};
    const rest = isInside ? partOf(span, { ...cut, ...period }) : span;
    if (rest !== undefined) spans.push(rest);
  }
  return spans;
}

/**
 * A viewer's spans, numbered as if nothing before them had been replaced. `shiftBefore` returns how far they are moved.
 * @param spans consecutive spans of the channel
 * @param cutting of live channels
 */
export function personalise(spans: readonly Span[], decided: readonly DecidedBreak[], cutting?: Cutting): Span[] {
  let own: Span[] = [];
  const placed: DecidedBreak[] = [];
  for (const span of spans) {
    const id = span.break?.id ?? span.within?.id;
    const replaced = id === undefined ? undefined : decidedFor(decided, id);
    if (replaced === undefined || replaced.region !== undefined || replaced.spans.length === 0) own.push(span);
    else if (!placed.includes(replaced)) {
      placed.push(replaced);
      for (const one of replaced.spans) own.push(one);
    }
  }
  if (cutting === undefined) return own;
  for (const { region, spans: ads } of decided)
    if (region !== undefined) own = replaceRegion(own, region, ads, cutting);
  return own;
}

/** A viewer's strips: those of the channel, with decided breaks replaced. @returns undefined if one of them is no strip */
export function personaliseStrips(
  strips: readonly ChannelStrip[],
  decided: readonly DecidedBreak[],
): readonly Strip[] | undefined {
  const own: Strip[] = [];
  for (const strip of strips) {
    const one = strip.breakId === undefined ? undefined : decidedFor(decided, strip.breakId);
    if (one?.region !== undefined) return undefined;
    if (one === undefined || one.spans.length === 0) own.push(strip);
    else if (one.strip === undefined) return undefined;
    else own.push(one.strip);
  }
  return own;
}

/**
 * How far a viewer's decisions have moved the sequence numbers of one of the viewer's spans.
 * @param from where the first segment starts that is listed: live content is not cut around ads that have left the window
 */
export function shiftBefore(span: Span, { decided, odometer }: Choices, from: number = span.placed.startsAt): Shift {
  let shift = odometer;
  for (const one of decided) {
    if (one.startsAt <= from && !one.spans.includes(span)) shift = addShift(shift, one.shift);
  }
  return shift;
}
