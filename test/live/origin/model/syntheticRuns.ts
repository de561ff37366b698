// SPDX-License-Identifier: Apache-2.0
// The truth about a synthetic live origin: what its encoder makes, from a start to the next. Times are flicks after the start of
// the run.
import { FLICKS_PER_SECOND, type Flicks, flicks } from '../../../../src/time/units.ts';
import type { BreakBehaviour } from '../breakPlan.ts';
import { behaviours } from '../breakPlan.ts';

export type Random = () => number;
export const pick = <Value>(random: Random, values: readonly Value[]): Value =>
  values[Math.floor(random() * values.length)]!;
export const between = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1));

export type OriginShape = {
  /** By rung. The first one is video. */
  readonly kinds: readonly ('video' | 'audio' | 'text')[];
  /** Of a video frame. */
  readonly frame: Flicks;
  readonly framesPerSegment: number;
  /** Whether the encoder ends its segments where a break starts and ends, however short they become. */
  readonly cutsAtBreaks: boolean;
  /** HLS: markers are between segments. DASH: anywhere. */
  readonly format: 'hls' | 'dash';
  readonly behaviours: readonly BreakBehaviour[];
};

export type TrueSegment = {
  readonly start: Flicks;
  readonly duration: Flicks;
  /** Counted in the run. */
  readonly stretch: number;
  readonly isGap: boolean;
};

export type TrueBreak = {
  readonly id: number;
  readonly behaviour: BreakBehaviour;
  readonly start: Flicks;
  /** Where content is back; undefined if the origin never states it. */
  readonly end: Flicks | undefined;
  /** The length announced first. */
  readonly announced: Flicks | undefined;
  /** Where another length is announced, and that length. */
  readonly extended?: { readonly since: Flicks; readonly length: Flicks };
  readonly inner?: { readonly start: Flicks; readonly end: Flicks };
  readonly isEndMarked: boolean;
};

export type TrueRun = {
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** Of the first segment of each rung, by rung. */
  readonly firstNumbers: readonly number[];
  readonly length: Flicks;
  /** By rung. */
  readonly segments: readonly (readonly TrueSegment[])[];
  readonly breaks: readonly TrueBreak[];
};

/** An AAC frame at 48 kHz. */
const AAC = (1024 * FLICKS_PER_SECOND) / 48_000;
const ALL = behaviours.filter((behaviour) => behaviour !== 'twice');

export function randomShape(random: Random): OriginShape {
  const kinds = [
    ...Array.from({ length: between(random, 1, 3) }, () => 'video' as const),
    ...Array.from({ length: between(random, 0, 2) }, () => 'audio' as const),
    ...(random() < 0.2 ? (['text'] as const) : []),
  ];
  const rate = pick(random, [
    { n: 25, d: 1 },
    { n: 50, d: 1 },
    { n: 30_000, d: 1001 },
  ]);
  const frame = flicks((FLICKS_PER_SECOND * rate.d) / rate.n);
  const seconds = pick(random, [1, 1.92, 2, 4, 6, 8]);
  return {
    ...{ kinds, frame, framesPerSegment: Math.round((seconds * rate.n) / rate.d) },
    cutsAtBreaks: random() < 0.3,
    format: random() < 0.7 ? 'hls' : 'dash',
    behaviours: ALL,
  };
}

function randomBreaks(random: Random, { frame, behaviours: possible }: OriginShape, frames: number): TrueBreak[] {
  const breaks: TrueBreak[] = [];
  const seconds = (least: number, most: number) =>
    Math.round((between(random, least * 10, most * 10) / 10) * (FLICKS_PER_SECOND / frame));
  for (let start = seconds(5, 30); ; ) {
    const length = seconds(4, 40);
    const half = Math.max(1, Math.floor(length / 2));
    const behaviour = pick(random, possible);
    const isLong = behaviour === 'late' || behaviour === 'extended' || behaviour === 'never';
    const end = behaviour === 'early' ? start + half : start + (isLong ? 2 : 1) * length;
    if (end >= frames) return breaks;
    const at = (count: number) => flicks(count * frame);
    const isUnstated = behaviour === 'never' || behaviour === 'unknown';
    breaks.push({
      ...{ id: breaks.length + 1, behaviour, start: at(start) },
      end: behaviour === 'never' ? undefined : at(end),
      announced: isUnstated ? undefined : at(length),
      ...(behaviour === 'extended' ? { extended: { since: at(start + half), length: at(2 * length) } } : {}),
      ...(behaviour === 'nested' ? { inner: { start: at(start + 1), end: at(start + half + 1) } } : {}),
      isEndMarked: behaviour !== 'never' && behaviour !== 'noIn',
    });
    start = end + seconds(6, 60);
  }
}

/** The borders of video, in frames. */
function bordersOf(random: Random, shape: OriginShape, breaks: readonly TrueBreak[], frames: number): number[] {
  const { framesPerSegment, frame, cutsAtBreaks } = shape;
  const forced = new Set(
    cutsAtBreaks ? breaks.flatMap(({ start, end }) => [start, end ?? start].map((time) => time / frame)) : [],
  );
  const borders = [0];
  for (let at = 0; at < frames; ) {
    // Some encoders follow scene changes.
    const wish =
      random() < 0.02 ? between(random, Math.ceil(framesPerSegment / 2), framesPerSegment) : framesPerSegment;
    let next = at + wish;
    for (const cut of forced) if (cut > at && cut < next) next = cut;
    borders.push(next);
    at = next;
  }
  return borders;
}

/** A marker of HLS is at the start of a segment: the first that begins at or after its time. */
function snap(one: TrueBreak, borders: readonly Flicks[]): TrueBreak {
  const up = (time: Flicks): Flicks => borders.find((border) => border >= time) ?? borders.at(-1)!;
  const { start, end, extended, inner } = one;
  const from = up(start);
  return {
    ...{ ...one, start: from, end: end === undefined ? undefined : up(end) },
    ...(extended ? { extended: { ...extended, since: up(extended.since) } } : {}),
    ...(inner ? { inner: { start: up(inner.start), end: up(inner.end) } } : {}),
  };
}

/** @param seconds the length of the run */
export function randomRun(
  random: Random,
  shape: OriginShape,
  startedAt: number,
  seconds: number,
  first: number,
): TrueRun {
  const { frame, kinds, format } = shape;
  const frames = Math.ceil((seconds * FLICKS_PER_SECOND) / frame);
  const planned = randomBreaks(random, shape, frames);
  const borders = bordersOf(random, shape, planned, frames).map((border) => flicks(border * frame));
  const breaks = format === 'hls' ? planned.map((one) => snap(one, borders)) : planned;
  let stretch = 0;
  const stretches = borders.map((_, index) => {
    if (index > 0 && random() < 0.004) stretch += 1;
    return stretch;
  });
  const gaps = kinds.map(() => new Set(borders.flatMap((_, index) => (random() < 0.002 ? [index] : []))));
  const segments = kinds.map((kind, rung) => {
    const own = borders.map((border) => (kind === 'audio' ? flicks(Math.round(border / AAC) * AAC) : border));
    return own.slice(0, -1).map((start, index): TrueSegment => {
      const duration = flicks(own[index + 1]! - start);
      return { start, duration, stretch: stretches[index]!, isGap: gaps[rung]!.has(index) };
    });
  });
  // Renditions may be numbered apart.
  const apart = random() < 0.1;
  const firstNumbers = kinds.map((_, rung) => (apart ? first + 100 * rung : first));
  return { startedAt, firstNumbers, length: borders.at(-1)!, segments, breaks };
}
