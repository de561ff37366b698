// SPDX-License-Identifier: Apache-2.0
// An evening of an installation: who watches what, and when breaks are. Pure.

export type Evening = {
  readonly viewers: number;
  readonly channels: number;
  /** How many of the channels have breaks that are not announced ahead: their ads are requested after the break before (prefetch). */
  readonly unannounced: number;
  readonly hours: number;
  /** Seconds. */
  readonly meanVisit: number;
  /** The share of viewers who come within JUNCTION_SECONDS after each half hour. */
  readonly atJunctions: number;
  readonly dashShare: number;
  readonly breaksAnHour: number;
  readonly ads: number;
  /** Seconds. */
  readonly adSeconds: number;
  /** Events of an ad that the server observes; one tracking URL each. */
  readonly trackingUrls: number;
  /** All channels have their breaks in the same minutes; otherwise each has its own. */
  readonly isAligned: boolean;
  readonly targetDuration: number;
  readonly nodes: number;
  readonly routing: 'sticky' | 'random';
  /** Of video and sound that viewers see, in Mbit/s. */
  readonly megabits: number;
  readonly seed: number;
};

export const EVENING: Evening = {
  ...{ viewers: 1_000_000, channels: 500, unannounced: 100, hours: 6, meanVisit: 2700, atJunctions: 0.25 },
  ...{ dashShare: 0.25, breaksAnHour: 4, ads: 4, adSeconds: 15, trackingUrls: 7, isAligned: true },
  ...{ targetDuration: 6, nodes: 20, routing: 'sticky', megabits: 4, seed: 7 },
};

export const secondsOf = ({ hours }: Evening): number => hours * 3600;
export const breakSeconds = ({ ads, adSeconds }: Evening): number => ads * adSeconds;

const JUNCTION_SECONDS = 180;
const HALF_HOUR = 1800;

/** How many viewers there are at an instant, as a share of the peak: it rises until half of the evening and falls at its end. */
export function popularityAt(second: number, evening: Evening): number {
  const at = second / secondsOf(evening);
  const rise = Math.min(1, 0.3 + (0.7 * at) / 0.45);
  const fall = at < 0.75 ? 1 : 1 - (0.6 * (at - 0.75)) / 0.25;
  return rise * fall;
}

/** Viewers who come in each second, as weights. */
export function arrivalWeights(evening: Evening): Float64Array {
  const { atJunctions } = evening;
  return Float64Array.from({ length: secondsOf(evening) }, (_, second) => {
    const isJunction = second % HALF_HOUR < JUNCTION_SECONDS;
    const share = isJunction ? (atJunctions * HALF_HOUR) / JUNCTION_SECONDS : 0;
    return popularityAt(second, evening) * (1 - atJunctions + share);
  });
}

/** The share of viewers of each channel: few channels have most of them (Zipf's law). */
export function channelWeights({ channels }: Evening): Float64Array {
  return Float64Array.from({ length: channels }, (_, rank) => 1 / (rank + 1));
}

/** @returns a function that chooses an index at random, with these weights */
export function chooser(weights: Float64Array, random: () => number): () => number {
  const sums = Float64Array.from(weights);
  for (let index = 1; index < sums.length; index += 1) sums[index]! += sums[index - 1]!;
  const total = sums[sums.length - 1]!;
  return () => {
    const wanted = random() * total;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! > wanted) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}

/** The starts of a channel's breaks, in seconds. */
export function breaksOf(evening: Evening, random: () => number): number[] {
  const every = 3600 / evening.breaksAnHour;
  // Not at junctions, where viewers come.
  const offset = evening.isAligned ? every * 0.6 : Math.floor(random() * every);
  const count = Math.ceil(secondsOf(evening) / every);
  return Array.from({ length: count }, (_, index) => Math.round(offset + index * every)).filter(
    (start) => start + breakSeconds(evening) < secondsOf(evening),
  );
}
