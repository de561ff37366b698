// SPDX-License-Identifier: Apache-2.0
// Places a decision in a live break. While its end is not known, the pod is laid out as announced and listed as the clock
// reaches it. Once it is known, the clips are fitted to it, so that they last exactly as long as what they replace.
import { FLICKS_PER_SECOND, type Flicks, type FrameRate, flicks, framesToFlicks } from '../../time/units.ts';
import { announcedDuration, type Clip, cutClip, partOfClip } from '../../timeline/asset/clip.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import {
  after,
  type BreakSpan,
  type Junction,
  type LiveBreak,
  type MovingBreak,
  ofRung,
  type Shift,
  type Span,
} from '../../timeline/programme/span.ts';
import { type BreakClip, breakClips, type ClipMaker, soundOf } from './breakClips.ts';
import { type Decision, freshOdometer } from './decision.ts';
import { countIn, type Placement, placeBreak } from './personalise.ts';
import { framesIn, shownFrames } from './shownFrames.ts';

/** Filler may be half a frame longer. A whole number of frames would be longer than what is left of an open span. */
const MIN_FILLER = FLICKS_PER_SECOND / 2;

/** The segment borders of a clip, after its start, ascending; the last one is its end. */
const bordersOf = (clip: Clip): number[] =>
  [...partOfClip(clip).cutPoints]
    .map((point) => point - clip.from)
    .filter((point) => point > 0 && point <= clip.duration);

function shortened(clip: Clip, to: number): Clip | undefined {
  const renditions = clip.cells.map(({ rendition }) => rendition);
  const cut = cutClip(clip, renditions, flicks(clip.from + to));
  return cut && { whole: announcedDuration(clip), ...(clip.sound && { sound: clip.sound }), ...cut };
}

const lasting = (clip: Clip, duration: Flicks): Clip => ({ whole: announcedDuration(clip), ...clip, duration });

/** Slate at the end of a break. */
export const fillerOf =
  (slateId: string, clips: ClipMaker) =>
  (frames: number, before: Clip | undefined): Clip =>
    clips.slate(slateId, frames, frames, soundOf(clips.ladder, before ?? 'content', 'content'));

/**
 * Fits the clips of a live break to the end that it turned out to have. Whatever was listed while the end was unknown stays:
 * segments that end at least half a second before it (`Span.isOpen`). The last filler has the odd length.
 * @param clips in order, without gaps, from the start of the break
 * @param length of the break; at least half a second
 * @param slate makes slate of a number of frames that follows a clip, or content
 * @returns clips that last exactly `length`
 */
export function fitToEnd(
  clips: readonly BreakClip[],
  length: Flicks,
  rate: FrameRate,
  slate: (frames: number, before: Clip | undefined) => Clip,
): BreakClip[] {
  const frame = framesToFlicks(1, rate);
  const latest = length - MIN_FILLER;
  const isEnd = (at: number): boolean => Math.abs(at - length) <= frame;
  const kept: BreakClip[] = [];
  let reached = 0;
  for (const one of clips) {
    const start = framesToFlicks(one.at, rate);
    const to = bordersOf(one.clip).findLast((border) => start + border <= latest || isEnd(start + border));
    const clip = to === undefined || to === one.clip.duration ? one.clip : shortened(one.clip, to);
    if (to === undefined || clip === undefined) break;
    if (isEnd(start + to)) return [...kept, { ...one, clip: lasting(clip, flicks(length - start)) }];
    kept.push({ ...one, clip });
    reached = start + to;
    if (clip !== one.clip) break;
  }
  const filler = slate(Math.max(minSlateFrames(rate), framesIn(length - reached, rate)), kept.at(-1)?.clip);
  const at = framesIn(reached, rate);
  return [...kept, { at, clip: { ...filler, duration: flicks(length - framesToFlicks(at, rate)) } }];
}

type Laying = {
  readonly clips: ClipMaker;
  readonly rate: FrameRate;
  readonly share: (key: string, make: () => Span) => Span;
};

const podFrames = ({ ads, intro, outro }: Decision): number =>
  [...ads, ...(intro ? [intro] : []), ...(outro ? [outro] : [])].reduce((sum, { frames }) => sum + frames, 0);

/** The announced length, unless the pod is longer or so long that the rest is too short for slate. */
function laidFrames(planned: number, pod: number, rate: FrameRate): number {
  return planned - pod < minSlateFrames(rate) ? pod : planned;
}

function shiftBetween(clips: readonly BreakClip[], from: Omit<Junction, 'at'>, to: Omit<Junction, 'at'>): Shift {
  const count = (rung: number) => clips.reduce((sum, { clip }) => sum + countIn(clip, rung), 0);
  return {
    segments: from.numbers.map((number, rung) => count(rung) - (ofRung(to.numbers, rung) - number)),
    discontinuities: clips.length - (to.discontinuity - from.discontinuity),
  };
}

/** The border at which content goes on after a pod: the pod's end, or later by at least the shortest slate. */
function contentFrom({ junctions, isClosed }: LiveBreak, end: number, rate: FrameRate): Junction | undefined {
  const frame = framesToFlicks(1, rate);
  const least = framesToFlicks(minSlateFrames(rate), rate);
  // Until the segment after it is read, it is not known whether the last border is followed by the same content.
  const known = isClosed ? junctions : junctions.slice(0, -1);
  const found = known.find(({ at }) => Math.abs(at - end) <= frame || at - end >= least);
  return found ?? (isClosed ? junctions.at(-1) : undefined);
}

type Range = {
  readonly from: Junction;
  readonly to: Junction | undefined;
  readonly clips: readonly BreakClip[];
  /** 1 if content that was shown before a late joiner's ads continues at their start, and so becomes a span of its own. */
  readonly lead: 0 | 1;
};

function slateRange(own: MovingBreak, decision: Decision, { clips, rate }: Laying): Range {
  const { live } = own;
  const frames = laidFrames(own.frames, decision.joined + podFrames(decision), rate);
  return {
    from: { at: flicks(0), ...live.head },
    to: live.isClosed ? live.junctions.at(-1) : undefined,
    clips: breakClips(decision, { ...own, frames }, clips),
    lead: 0,
  };
}

function contentRange(own: MovingBreak, decision: Decision, laying: Laying): Range {
  const { live } = own;
  const joined = framesToFlicks(decision.joined, laying.rate);
  const start: Junction = { at: flicks(0), ...live.head };
  const all = [start, ...live.junctions];
  const nearest = all.reduce(
    (best, one) => (Math.abs(one.at - joined) < Math.abs(best.at - joined) ? one : best),
    start,
  );
  const frames = podFrames(decision);
  const end = nearest.at + framesToFlicks(frames, laying.rate);
  const from = decision.joined > 0 ? nearest : start;
  const before = all[all.indexOf(from) - 1];
  return {
    from,
    lead: before?.discontinuity === from.discontinuity ? 1 : 0,
    to: contentFrom(live, end, laying.rate),
    clips: breakClips({ ...decision, joined: 0 }, { ...own, frames }, laying.clips),
  };
}

/** A break may be placed before it starts: its start, its length and its numbers are not certain until then. */
function shareAt(
  { placed, numbers, discontinuity }: Span,
  { place, live }: MovingBreak,
  { share }: Laying,
): Laying['share'] {
  const { millis, rest } = placed.start;
  const { duration, tags = [] } = place;
  const at = `${millis}.${rest} ${duration} ${live.announced} ${tags.length} ${numbers} ${discontinuity}`;
  return (key, make) => share(`${at} ${key}`, make);
}

/** A break without ads that shows content replaces nothing. It may be shorter than was announced. */
function contentOnly(own: MovingBreak, decision: Decision, { rate }: Laying): Placement {
  const { isClosed, head, junctions } = own.live;
  const length = junctions.at(-1)?.at ?? flicks(0);
  const isShorter = length < framesToFlicks(own.frames, rate);
  const shown = isClosed && isShorter ? shownFrames(decision, [], { length, planned: own.frames }, rate) : undefined;
  return {
    spans: [],
    shift: freshOdometer(head.numbers.length),
    isSettled: isClosed || !isShorter,
    ...(shown && { shown }),
  };
}

/** @param own the break of the span */
export function placeLiveBreak(span: BreakSpan, own: MovingBreak, decision: Decision, laying: Laying): Placement {
  const { live } = own;
  const isContent = live.fill === 'content';
  if (isContent && decision.ads.length === 0) return contentOnly(own, decision, laying);
  const { from, to, clips, lead } = (isContent ? contentRange : slateRange)(own, decision, laying);
  const { rate } = laying;
  const slate = fillerOf(own.slateId, laying.clips);
  const length = to && flicks(to.at - from.at);
  // The break ended where a late joiner's ads would start.
  const isOver = length !== undefined && length < framesToFlicks(minSlateFrames(rate), rate);
  const fitted = length === undefined ? clips : isOver ? [] : fitToEnd(clips, length, rate, slate);
  const ended = to && { length: to.at, ...(isContent ? {} : { planned: own.frames }) };
  const shown = ended && shownFrames(decision, fitted, ended, rate);
  const settled = { isSettled: to !== undefined, ...(shown && { shown }) };
  if (isOver) return { spans: [], shift: freshOdometer(live.head.numbers.length), ...settled };
  const start = after(span.placed.start, from.at);
  const place = {
    ...span,
    id: own.id,
    placed: { ...span.placed, start },
    numbers: from.numbers,
    discontinuity: from.discontinuity + lead,
  };
  const open =
    to === undefined ? { announcedEnd: live.announced && after(span.placed.start, live.announced) } : undefined;
  const spans = placeBreak(place, fitted, rate, shareAt(place, own, laying), open);
  const shift = to === undefined ? freshOdometer(live.head.numbers.length) : shiftBetween(fitted, from, to);
  return {
    spans,
    shift: { ...shift, discontinuities: shift.discontinuities + lead },
    ...settled,
    ...(isContent ? { region: { from: start, ...(to && { until: after(span.placed.start, to.at) }) } } : {}),
  };
}
