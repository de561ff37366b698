// SPDX-License-Identifier: Apache-2.0
// A random live origin without HTTP and media, for property tests in virtual time: what its readers find at any instant, and
// the truth. It is late, shows readers different edges, skips segments, restarts, and marks breaks of all behaviours.
import type { OriginReading, OriginRendition, OriginSegment } from '../../../../src/live/origin.ts';
import { FLICKS_PER_MILLI, type Flicks, flicks, millis, secondsToFlicks } from '../../../../src/time/units.ts';
import { after, type Instant } from '../../../../src/timeline/programme/span.ts';
import { seededRandom } from '../../../seededRandom.ts';
import {
  between,
  type OriginShape,
  pick,
  type Random,
  randomRun,
  randomShape,
  type TrueRun,
  type TrueSegment,
} from './syntheticRuns.ts';
import { type MarkerForm, signalsOf } from './syntheticSignals.ts';

export type SyntheticOptions = {
  /** Listed segments. */
  readonly window?: number;
  readonly dates?: 'all' | 'none' | 'jitter' | 'truncated';
  /** Whether segments are late, readers see different edges, requests fail, and the encoder restarts. Default true. */
  readonly hasTroubles?: boolean;
  /** Seconds that the origin lasts; default 1800. */
  readonly seconds?: number;
};

/** A break as it is. */
export type Truth = {
  /** Unique in the origin. */
  readonly id: string;
  readonly startsAt: Instant;
  /** Undefined if the origin never states it. */
  readonly endsAt: Instant | undefined;
  readonly announced: Flicks | undefined;
  readonly isEndMarked: boolean;
};

export type SyntheticLiveOrigin = {
  readonly shape: OriginShape;
  readonly form: MarkerForm;
  readonly keys: readonly string[];
  readonly runs: readonly TrueRun[];
  readonly truth: readonly Truth[];
  /**
   * What a reader finds at an instant; the same for the same arguments.
   * @returns undefined when the request fails
   */
  read(at: number, reader?: string): OriginReading | undefined;
};

/** By run, rung and segment: when it is listed first, in milliseconds since 1970. */
type Published = readonly (readonly (readonly number[])[])[];

function publish(random: Random, runs: readonly TrueRun[], hasTroubles: boolean): Published {
  return runs.map(({ startedAt, segments }) =>
    segments.map((list) => {
      const base = hasTroubles && random() < 0.3 ? random() * 3000 : 0;
      let latest = 0;
      return list.map(({ start, duration }) => {
        const jitter = hasTroubles ? random() * 200 + (random() < 0.01 ? random() * 8000 : 0) : 0;
        latest = Math.max(latest, startedAt + (start + duration) / FLICKS_PER_MILLI + base + jitter);
        return latest;
      });
    }),
  );
}

const hash = (text: string): number => [...text].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);

export function syntheticLiveOrigin(random: Random, from: number, options: SyntheticOptions): SyntheticLiveOrigin {
  const { hasTroubles = true, seconds = 1800 } = options;
  const shape = randomShape(random);
  const form = pick(random, ['plain', 'continued', 'ranges'] as const);
  const window = options.window ?? pick(random, [3, 5, 10, 30, 200]);
  const dates = options.dates ?? pick(random, ['all', 'all', 'none', 'jitter', 'truncated'] as const);
  // Of markers ahead, for `ranges`.
  const lead = secondsToFlicks(pick(random, [0, 4, 20]));
  const seed = Math.floor(random() * 2 ** 31);
  const runs: TrueRun[] = [];
  for (let at = from, left = seconds; left > 0; ) {
    const length = hasTroubles && random() < 0.3 ? between(random, 60, Math.max(61, left)) : left;
    const first = runs.length === 0 ? between(random, 0, 100_000) : 1;
    runs.push(randomRun(random, shape, at, length, first));
    const pause = between(random, 1, 30);
    at = Math.ceil(at + runs.at(-1)!.length / FLICKS_PER_MILLI) + 1000 * pause;
    left -= length + pause;
  }
  const published = publish(random, runs, hasTroubles);
  const keys = shape.kinds.map((kind, rung) => `${kind}-${rung}`);

  function dateOf({ startedAt }: TrueRun, { start }: TrueSegment, index: number): Instant | undefined {
    const exact = after({ millis: millis(startedAt), rest: flicks(0) }, start);
    if (dates === 'none') return undefined;
    if (dates === 'all') return exact;
    const whole =
      dates === 'truncated' ? Math.floor(exact.millis / 1000) * 1000 : exact.millis + ((index * 7919) % 17) - 8;
    return { millis: millis(whole), rest: flicks(0) };
  }

  const made = new Map<string, OriginSegment>();
  function segmentOf(runIndex: number, rung: number, index: number): OriginSegment {
    const key = `${runIndex} ${rung} ${index}`;
    const segment = made.get(key) ?? makeSegment(runIndex, rung, index);
    made.set(key, segment);
    return segment;
  }

  function makeSegment(runIndex: number, rung: number, index: number): OriginSegment {
    const run = runs[runIndex]!;
    const segment = run.segments[rung]![index]!;
    const number = run.firstNumbers[rung]! + index;
    const date = dateOf(run, segment, index);
    return {
      ...{ number, duration: segment.duration, stretch: `${segment.stretch}` },
      media: { url: `http://origin.test/${keys[rung]}/${runIndex}/${number}` },
      init: { url: `http://origin.test/${keys[rung]}/${runIndex}/init` },
      ...(date === undefined ? {} : { startsAt: date }),
      ...(segment.isGap ? { isGap: true as const } : {}),
    };
  }

  function read(at: number, reader = ''): OriginReading | undefined {
    const luck = seededRandom(seed ^ hash(`${at} ${reader}`));
    if (hasTroubles && luck() < 0.02) return undefined;
    const runIndex = runs.findLastIndex((_, index) => published[index]!.every((list) => list[0]! <= at));
    if (runIndex < 0) return undefined;
    const run = runs[runIndex]!;
    // A cache between the origin and the reader may hold an older playlist of each rendition.
    const edges = published[runIndex]!.map((list) => {
      const edge = list.findLastIndex((listedAt) => listedAt <= at);
      return hasTroubles && luck() < 0.1 ? Math.max(0, edge - 1) : edge;
    });
    const renditions = edges.map((edge, rung): OriginRendition => {
      const first = Math.max(0, edge - window + 1);
      const indices = Array.from({ length: edge - first + 1 }, (_, offset) => first + offset);
      return { key: keys[rung]!, segments: indices.map((index) => segmentOf(runIndex, rung, index)) };
    });
    const last = edges[0]!;
    const signals = signalsOf(run, form, { first: Math.max(0, last - window + 1), last, lead });
    return { renditions, signals, warnings: [], isEnded: false };
  }

  const truth = runs.flatMap(({ startedAt, breaks }, run) =>
    breaks.map((one): Truth => {
      const at = (time: Flicks) => after({ millis: millis(startedAt), rest: flicks(0) }, time);
      return {
        ...{ id: `${run}-${one.id}`, startsAt: at(one.start), announced: one.announced, isEndMarked: one.isEndMarked },
        endsAt: one.end === undefined ? undefined : at(one.end),
      };
    }),
  );
  return { shape, form, keys, runs, truth, read };
}
