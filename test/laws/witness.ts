// A witness remembers what one viewer was shown and names the law that an answer breaks (DESIGN: the laws).
import type { FrameRate } from '../../src/time/units.ts';
import { type Announced, readHls, readMpd, type SeenPeriod, type SeenPlaylist, type SeenSegment } from './readBack.ts';

class Broken extends Error {}
const law = (holds: boolean, what: () => string): void => {
  if (!holds) throw new Broken(what());
};

/** The words of a fault, made only when there is one. */
type Say = (what: () => string) => () => string;

const isSame = (one: SeenSegment, other: SeenSegment): boolean =>
  one.number === other.number &&
  one.discontinuity === other.discontinuity &&
  one.uri === other.uri &&
  one.map === other.map &&
  one.date === other.date &&
  one.duration === other.duration;

/** One rung through time. */
export class ColumnWitness {
  readonly #seen = new Map<number, SeenSegment>();
  readonly #announced = new Map<string, Announced>();
  readonly #forgotten: number;
  #target: number | undefined;
  #edge = -1;
  /** The most that a date was ever off the sum of EXTINF before it, in microseconds. */
  apart = 0;
  #movedAt: number | undefined;
  #first: SeenSegment | undefined;
  /** Microseconds from the first segment ever seen to the start of segment `#summed`. */
  #sum = 0;
  #summed = 0;
  readonly #frameMicros: number;
  readonly #name: string;

  constructor(name: string, rate: FrameRate, keep = 2000) {
    this.#name = name;
    this.#forgotten = keep;
    this.#frameMicros = (1e6 * rate.d) / rate.n;
  }

  /**
   * @param asked when it was asked for, and `answered` when it was there: it was written at some time between
   * @throws Broken with the law that does not hold
   */
  look(text: string, asked: number, answered = asked): SeenPlaylist {
    const seen = readHls(text);
    const { target, segments, announced } = seen;
    const say: Say = (what) => () => `${this.#name} at ${asked}: ${what()}\n${text}`;
    law(
      segments.length > 0,
      say(() => 'lists nothing'),
    );
    law(
      this.#target === undefined || this.#target === target,
      say(() => `target duration was ${this.#target}`),
    );
    this.#target = target;
    const edge = segments[segments.length - 1]!.number;
    law(
      edge >= this.#edge,
      say(() => `the edge was ${this.#edge}`),
    );
    law(
      this.#edge < 0 || segments[0]!.number <= this.#edge + 1,
      say(() => `a hole after ${this.#edge}`),
    );
    if (edge > this.#edge || this.#movedAt === undefined) this.#movedAt = answered;
    law(
      asked - this.#movedAt <= 1500 * target,
      say(() => `the edge stands still since ${this.#movedAt}`),
    );
    this.#edge = edge;
    for (const segment of segments) this.#lookAt(segment, target, say);
    for (const one of announced) this.#hear(one, segments, say);
    const ids = announced.map(({ id }) => id);
    law(
      new Set(ids).size === ids.length,
      say(() => `announces one thing twice: ${ids}`),
    );
    return seen;
  }

  /** RFC 8216bis §4.4.5.1: an attribute keeps its value; §6.2.1: nothing is announced that is not listed. */
  #hear(one: Announced, segments: readonly SeenSegment[], say: Say): void {
    const known = this.#announced.get(one.id);
    const same = known === undefined || JSON.stringify(known) === JSON.stringify(one);
    law(
      same,
      say(() => `announced ${JSON.stringify(known)}, now ${JSON.stringify(one)}`),
    );
    this.#announced.set(one.id, one);
    if (this.#announced.size > 500) this.#announced.delete(this.#announced.keys().next().value!);
    const isIn = ({ date }: SeenSegment) => date >= one.start - 30 && date < one.start + 1000 * one.duration;
    law(
      segments.some(isIn),
      say(() => `announces ${one.id}, of which it lists nothing`),
    );
  }

  #lookAt(segment: SeenSegment, target: number, say: Say): void {
    law(
      segment.duration > 0 && Math.round(segment.duration / 1e6) <= target,
      say(() => `${segment.number} is too long`),
    );
    const known = this.#seen.get(segment.number);
    if (known !== undefined) {
      law(
        isSame(known, segment),
        say(() => `${JSON.stringify(known)} became ${JSON.stringify(segment)}`),
      );
      return;
    }
    this.#seen.set(segment.number, segment);
    this.#seen.delete(segment.number - this.#forgotten);
    if (this.#first === undefined) {
      this.#first = segment;
      this.#summed = segment.number;
    }
    law(
      segment.number === this.#summed,
      say(() => `segment ${segment.number} came out of order`),
    );
    const off = Math.abs(segment.date * 1000 - this.#first.date * 1000 - this.#sum);
    this.apart = Math.max(this.apart, off);
    law(
      off <= this.#frameMicros,
      say(() => `EXTINF and dates of ${segment.number} are ${off} µs apart`),
    );
    this.#sum += segment.duration;
    this.#summed += 1;
  }
}

/** The MPDs of one session through time. */
export class RowsWitness {
  readonly #seen = new Map<string, SeenPeriod>();

  look(text: string): readonly SeenPeriod[] {
    const periods = readMpd(text);
    law(periods.length > 0, () => `no Period\n${text}`);
    const first = periods[0]!.start;
    for (const { id, start } of this.#seen.values()) {
      if (start < first) this.#seen.delete(id);
      else
        law(
          periods.some((period) => period.id === id),
          () => `Period ${id} is gone\n${text}`,
        );
    }
    periods.forEach((period, index) => {
      const { id, start, offsets, urls } = period;
      const before = periods[index - 1];
      law(
        before === undefined || before.start < start,
        () => `Period ${id} starts at ${start}, not after ${before?.id}`,
      );
      for (const [name, list] of Object.entries(urls)) law(list.length > 0, () => `Period ${id} shows no ${name}`);
      const known = this.#seen.get(id);
      if (known !== undefined) {
        const same =
          known.start === start &&
          JSON.stringify([known.offsets, known.announced]) === JSON.stringify([offsets, period.announced]);
        law(same, () => `Period ${id} changed: ${JSON.stringify(known)} became ${JSON.stringify(period)}`);
      }
      this.#seen.set(id, period);
    });
    return periods;
  }
}
