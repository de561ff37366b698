// Substitution: the channel's spans with a viewer's own clips in place of the breaks. Duration is preserved, so every
// later span starts when it starts for everybody; only the numbers move, by the sum of the shifts.
import type { Clip } from '../timeline/clip.ts';
import type { Placed, Span } from '../timeline/span.ts';
import { addShift, type Odometer } from './decision.ts';

/** A decision with its clips found. */
export type DecidedBreak = {
  readonly breakId: string;
  readonly startsAt: number;
  readonly placed: readonly Placed[];
  /** For each of `placed`, the ad that it is; undefined for slate. */
  readonly adIds: readonly (string | undefined)[];
  readonly shift: Odometer;
};

export type Choices = {
  /** By break id. Breaks that are not here stay as the channel has them. */
  readonly decided: ReadonlyMap<string, DecidedBreak>;
  /** Of the decisions that are forgotten. */
  readonly odometer: Odometer;
};

const count = (clip: Clip, rung: number): number => clip.cells[rung]!.end - clip.cells[rung]!.first;

/** How a decided break moves the numbers of all that follows it. */
export function shiftOf(channelClip: Clip, clips: readonly Clip[]): Odometer {
  return {
    segments: channelClip.cells.map(
      (_, rung) => clips.reduce((sum, clip) => sum + count(clip, rung), 0) - count(channelClip, rung),
    ),
    discontinuities: clips.length - 1,
  };
}

function substitute(span: Span, decided: DecidedBreak, shift: Odometer): Span[] {
  const numbers = span.numbers.map((number, rung) => number + shift.segments[rung]!);
  return decided.placed.map((placed, index) => {
    const adId = decided.adIds[index];
    const own: Span = {
      id: `${span.id}-${index}`,
      placed,
      numbers: [...numbers],
      discontinuity: span.discontinuity + shift.discontinuities + index,
      ...(adId === undefined ? {} : { adId }),
    };
    for (let rung = 0; rung < numbers.length; rung += 1) numbers[rung]! += count(placed.clip, rung);
    return own;
  });
}

const isStill = (shift: Odometer): boolean =>
  shift.discontinuities === 0 && shift.segments.every((segments) => segments === 0);

const moved = (span: Span, shift: Odometer): Span => ({
  ...span,
  numbers: span.numbers.map((number, rung) => number + shift.segments[rung]!),
  discontinuity: span.discontinuity + shift.discontinuities,
});

/**
 * A viewer's spans.
 * @param spans consecutive spans of the channel, beginning wherever the window does
 */
export function personalise(spans: readonly Span[], choices: Choices): Span[] {
  const first = spans[0];
  if (first === undefined) return [];
  let shift = choices.odometer;
  for (const decided of choices.decided.values()) {
    if (decided.startsAt < first.placed.start.millis && decided.breakId !== first.break?.id)
      shift = addShift(shift, decided.shift);
  }
  const own: Span[] = [];
  for (const span of spans) {
    const decided = span.break === undefined ? undefined : choices.decided.get(span.break.id);
    if (decided !== undefined) {
      own.push(...substitute(span, decided, shift));
      shift = addShift(shift, decided.shift);
    } else own.push(isStill(shift) ? span : moved(span, shift));
  }
  return own;
}
