// SPDX-License-Identifier: Apache-2.0
// A witness remembers everything that one viewer was shown and reports which law a later manifest breaks (docs/laws.md).
import type { FrameRate } from '../../src/time/units.ts';
import { type Announced, readHls, readMpd, type SeenPeriod, type SeenPlaylist, type SeenSegment } from './readBack.ts';

class LawViolation extends Error {}
const law = (holds: boolean, message: () => string): void => {
  if (!holds) throw new LawViolation(message());
};

/** Completes a message, lazily: most checks pass. */
type Describe = (problem: () => string) => () => string;

const isSame = (one: SeenSegment, other: SeenSegment): boolean =>
  one.number === other.number &&
  one.discontinuity === other.discontinuity &&
  one.uri === other.uri &&
  one.range === other.range &&
  one.map === other.map &&
  one.keys === other.keys &&
  // Which key precedes EXT-X-MAP depends on where the window begins, as at the origin; whether one does, does not.
  (one.mapKeys === '') === (other.mapKeys === '') &&
  one.date === other.date &&
  one.duration === other.duration;

/** Whether the edge has moved further than the window is long: dates have jumped. */
const hasMovedFurther = (segments: readonly SeenSegment[], last: SeenSegment): boolean => {
  const [first, end] = [segments[0]!, segments.at(-1)!];
  return first.number - last.number > 1 && end.date - last.date > end.date - first.date;
};

/** Two dates that are each beside their border, and their rounding. */
const MAX_AUDIO_MICROS = 50_000;

/** The media playlists of one rung over time. */
export class ColumnWitness {
  readonly #seen = new Map<number, SeenSegment>();
  readonly #announced = new Map<string, Announced>();
  readonly #cues = new Map<number, string>();
  readonly #ranges = new Map<string, string>();
  readonly #forgotten: number;
  #target: number | undefined;
  #edge = -1;
  /** The largest difference, in microseconds, between a date and the sum of EXTINF before it. */
  largestDifference = 0;
  /** How often all listed segments were newer than those before. */
  skips = 0;
  #movedAt: number | undefined;
  #first: SeenSegment | undefined;
  /** Microseconds from the first segment seen to the start of segment `#summed`. */
  #sum = 0;
  #summed = 0;
  readonly #frameMicros: number;
  /**
   * How far a date may be from the sum of EXTINF: for audio, which starts at its first frame, by a frame at either end of the
   * sum.
   */
  readonly #tolerance: number;
  readonly #name: string;

  readonly #mayJump: () => boolean;
  readonly #maySkip: boolean;

  /**
   * @param mayJump whether time may be missing at a discontinuity
   * @param maySkip whether all listed segments may be newer than those before, because the origin was not read
   */
  constructor(name: string, rate: FrameRate, keep = 2000, mayJump: () => boolean = () => false, maySkip = false) {
    this.#mayJump = mayJump;
    this.#maySkip = maySkip;
    this.#name = name;
    this.#forgotten = keep;
    this.#frameMicros = (1e6 * rate.d) / rate.n;
    this.#tolerance = Math.max(this.#frameMicros, /\ba\d+$/.test(name) ? MAX_AUDIO_MICROS : 0);
  }

  /**
   * @param requestedAt and `receivedAt`: the playlist was written at some time in between
   * @throws LawViolation
   */
  check(text: string, requestedAt: number, receivedAt = requestedAt): SeenPlaylist {
    const seen = readHls(text);
    const { target, segments, announced } = seen;
    const describe: Describe = (problem) => () => `${this.#name} at ${requestedAt}: ${problem()}\n${text}`;
    law(
      segments.length > 0,
      describe(() => 'no segment is listed'),
    );
    law(
      this.#target === undefined || this.#target === target,
      describe(() => `the target duration was ${this.#target}`),
    );
    this.#target = target;
    const edge = segments[segments.length - 1]!.number;
    law(
      edge >= this.#edge,
      describe(() => `the edge was ${this.#edge}`),
    );
    if (this.#edge >= 0 && segments[0]!.number > this.#edge + 1) {
      const last = this.#seen.get(this.#edge)!;
      law(
        this.#maySkip &&
          segments[0]!.date > last.date &&
          (segments[0]!.discontinuity > last.discontinuity || hasMovedFurther(segments, last)),
        describe(() => `segments are missing after ${this.#edge}`),
      );
      this.#first = undefined;
      this.#sum = 0;
      this.skips += 1;
    }
    if (edge > this.#edge || this.#movedAt === undefined) this.#movedAt = receivedAt;
    law(
      requestedAt - this.#movedAt <= 1500 * target,
      describe(() => `the edge has not moved since ${this.#movedAt}`),
    );
    this.#edge = edge;
    for (const segment of segments) this.#checkSegment(segment, target, describe);
    for (const { number } of segments) this.#checkCues(number, seen.cues.get(number) ?? [], describe);
    this.#checkRanges(seen.ranges, describe);
    for (const one of announced) this.#checkAnnounced(one, seen, describe);
    const ids = announced.map(({ id }) => id);
    law(
      new Set(ids).size === ids.length,
      describe(() => `ids are announced twice: ${ids}`),
    );
    return seen;
  }

  /** RFC 8216bis §4.4.5.1: attributes do not change. §6.2.1: only listed breaks and ads are announced. */
  #checkAnnounced(one: Announced, { segments, announced }: SeenPlaylist, describe: Describe): void {
    const known = this.#announced.get(one.id);
    const same = known === undefined || JSON.stringify(known) === JSON.stringify(one);
    law(
      same,
      describe(() => `the announcement changed from ${JSON.stringify(known)} to ${JSON.stringify(one)}`),
    );
    this.#announced.set(one.id, one);
    if (this.#announced.size > 500) this.#announced.delete(this.#announced.keys().next().value!);
    const isIn = (range: Announced, { date }: SeenSegment) =>
      date >= range.start - 30 && date < range.start + 1000 * range.duration;
    // The last ad of a break may be longer than what is left of it, until the break is over.
    const ranges = announced.filter(({ id }) => id === one.id || id.startsWith(`${one.id}-`));
    law(
      segments.some((segment) => ranges.some((range) => isIn(range, segment))),
      describe(() => `${one.id} is announced, but none of its segments is listed`),
    );
  }

  /** What stands before a segment does not change. */
  #checkCues(number: number, cues: readonly string[], describe: Describe): void {
    const text = cues.join('\n');
    const known = this.#cues.get(number) ?? text;
    law(
      known === text,
      describe(() => `the markers before segment ${number} changed from ${known} to ${text}`),
    );
    this.#cues.set(number, text);
    this.#cues.delete(number - this.#forgotten);
  }

  /** RFC 8216bis §4.4.5.1: tags with the same ID have the same values of the attributes that they share. */
  #checkRanges(ranges: readonly string[], describe: Describe): void {
    law(
      new Set(ranges).size === ranges.length,
      describe(() => `a date range is listed twice: ${ranges}`),
    );
    for (const range of ranges) {
      const id = /ID="([^"]*)"/.exec(range)![1]!;
      for (const [, name, value] of range.matchAll(/[:,]([A-Z0-9-]+)=([^,]*)/g)) {
        const known = this.#ranges.get(`${id} ${name}`) ?? value!;
        law(
          known === value,
          describe(() => `${name} of ${id} changed from ${known} to ${value}`),
        );
        this.#ranges.set(`${id} ${name}`, known);
      }
    }
  }

  #checkSegment(segment: SeenSegment, target: number, describe: Describe): void {
    law(
      segment.duration > 0 && Math.round(segment.duration / 1e6) <= target,
      describe(() => `segment ${segment.number} is longer than the target duration`),
    );
    const known = this.#seen.get(segment.number);
    if (known !== undefined) {
      law(
        isSame(known, segment),
        describe(() => `a segment changed from ${JSON.stringify(known)} to ${JSON.stringify(segment)}`),
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
      describe(() => `segment ${segment.number} is out of order`),
    );
    const late = segment.date * 1000 - this.#first.date * 1000 - this.#sum;
    const before = this.#seen.get(segment.number - 1);
    // Of two segments with one date, Shaka Player forgets the first.
    law(
      before === undefined || before.date < segment.date,
      describe(() => `the date of segment ${segment.number} is not after that of the segment before`),
    );
    const isNew = segment.discontinuity !== before?.discontinuity;
    const isJump = late > this.#frameMicros && isNew && this.#mayJump();
    if (isJump) this.#sum += late;
    const off = isJump ? 0 : Math.abs(late);
    this.largestDifference = Math.max(this.largestDifference, off);
    law(
      off <= this.#tolerance,
      describe(() => `the date of segment ${segment.number} differs from the sum of EXTINF by ${off} µs`),
    );
    this.#sum += segment.duration;
    this.#summed += 1;
  }
}

/** The MPDs of one session over time. */
export class RowsWitness {
  readonly #seen = new Map<string, SeenPeriod>();

  check(text: string): readonly SeenPeriod[] {
    const periods = readMpd(text);
    law(periods.length > 0, () => `no Period is listed\n${text}`);
    const first = periods[0]!.start;
    for (const { id, start } of this.#seen.values()) {
      if (start < first) this.#seen.delete(id);
      else
        law(
          periods.some((period) => period.id === id),
          () => `Period ${id} has disappeared\n${text}`,
        );
    }
    periods.forEach((period, index) => {
      const { id, start, offsets, urls } = period;
      const before = periods[index - 1];
      law(
        before === undefined || before.start < start,
        () => `Period ${id} starts at ${start}, not after ${before?.id}`,
      );
      for (const [name, list] of Object.entries(urls))
        law(list.length > 0, () => `Period ${id} has no segment of ${name}`);
      const known = this.#seen.get(id);
      if (known !== undefined) {
        const same =
          known.start === start &&
          JSON.stringify([known.offsets, known.announced]) === JSON.stringify([offsets, period.announced]);
        law(same, () => `Period ${id} changed from ${JSON.stringify(known)} to ${JSON.stringify(period)}`);
      }
      this.#seen.set(id, period);
    });
    return periods;
  }
}
