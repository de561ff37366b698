// SPDX-License-Identifier: Apache-2.0
// Random origins, read by two nodes at random times, of which one may be restarted: what every log must be.
import { expect, test } from 'vitest';
import { lawSeeds } from '../../../test/lawRuns.ts';
import { type SyntheticLiveOrigin, syntheticLiveOrigin } from '../../../test/live/origin/model/syntheticLiveOrigin.ts';
import { pick } from '../../../test/live/origin/model/syntheticRuns.ts';
import { RULES } from '../../../test/live/origin/readings.ts';
import { seededRandom } from '../../../test/seededRandom.ts';
import { FLICKS_PER_MILLI, FLICKS_PER_SECOND, type Flicks, millis } from '../../time/units.ts';
import type { LiveEntry, PlacedSignal, Slot, SlotSegment } from '../slot.ts';
import { type AlignOptions, REACH } from './alignOptions.ts';
import { awayEntry } from './away/awayEntry.ts';
import { beginAnew, nextEntry } from './nextEntry.ts';
import { millisBetween } from './originDates.ts';
import { endOf, startTail, TAIL_MEMORY, type Tail, tailAfter } from './tail.ts';

const FROM = Date.UTC(2026, 0, 1);
/** Of dates that are truncated to seconds, and of places that follow them by and by. */
const INEXACT = 1.5 * FLICKS_PER_SECOND;
/** Without dates, slate ends by the clock, and the origin lists segments up to 11 s late (syntheticLiveOrigin.ts). */
const INEXACT_UNDATED = 12 * FLICKS_PER_SECOND;
const frameAt = (at: number) => ({ readAt: millis(at), visibleAt: millis(at + 1000), rules: RULES });

function logOf(origin: SyntheticLiveOrigin, random: () => number, seconds: number, options: AlignOptions): LiveEntry[] {
  const entries: LiveEntry[] = [];
  let tail: Tail | undefined;
  for (let at = FROM; at < FROM + seconds * 1000; ) {
    at += 200 + Math.floor(random() * 2500);
    const reading = origin.read(at, random() < 0.5 ? 'one' : 'other');
    if (random() < 0.02) tail = startTail(entries.filter(({ readAt }) => at - readAt < TAIL_MEMORY + 60_000));
    const entry = reading && nextEntry(tail, reading, frameAt(at), options);
    if (entry === undefined) continue;
    tail = tailAfter(tail, entry);
    entries.push(entry);
  }
  return entries;
}

test('a log that begins anew with each reading is one timeline, as late as it was', () => {
  const options = { history: 30_000, target: 2000 };
  const random = seededRandom(11);
  const origin = syntheticLiveOrigin(random, FROM, { seconds: 300, hasTroubles: false });
  const [entries, late]: [LiveEntry[], number[]] = [[], []];
  let tail: Tail | undefined;
  for (let at = FROM + 60_000; at < FROM + 300_000; at += 200 + Math.floor(random() * 2500)) {
    const reading = origin.read(at)!;
    const entry = (tail === undefined ? nextEntry : beginAnew)(tail!, reading, frameAt(at), options);
    if (entry === undefined) continue;
    entries.push(entry);
    tail = tailAfter(tail, entry);
    late.push(at - tail.end.millis - tail.anchor.lag);
  }
  checkTimes(
    origin,
    entries.flatMap(({ slots }) => slots),
  );
  expect(entries.length).toBeGreaterThan(15);
  expect(Math.max(...late.slice(1))).toBeLessThan(20_000);
  expect(Math.min(...late.slice(1))).toBeGreaterThanOrEqual(-1);
});

/** `kind-rung/run/number` */
const placeOf = (origin: SyntheticLiveOrigin, url: string) => {
  const [run, number] = url.split('/').slice(-2).map(Number) as [number, number];
  const rung = origin.keys.findIndex((key) => url.includes(`/${key}/`));
  const { firstNumbers, segments, startedAt } = origin.runs[run]!;
  const segment = segments[rung]![number - firstNumbers[rung]!]!;
  return { run, segment, at: startedAt * FLICKS_PER_MILLI + segment.start };
};

/** The numbers between two segments, except those of segments without duration. */
function missing(origin: SyntheticLiveOrigin, last: SlotSegment, next: SlotSegment): number[] {
  const urlOf = (number: number) => next.media.url.replace(/\d+$/, `${number}`);
  const numbers = Array.from({ length: next.number - last.number - 1 }, (_, index) => last.number + 1 + index);
  return numbers.filter((number) => placeOf(origin, urlOf(number)).segment.duration > 0);
}

function checkTimes(origin: SyntheticLiveOrigin, slots: readonly Slot[]): void {
  slots.forEach((slot, index) => {
    const before = slots[index - 1];
    expect(slot.number).toBe(index);
    expect(slot.segments).toHaveLength(origin.keys.length);
    if (before === undefined) expect(slot.isNewStretch).toBe(true);
    else if (slot.isNewStretch) expect(millisBetween(endOf(before), slot.start)).toBeGreaterThanOrEqual(0);
    else expect(slot.start).toEqual(endOf(before));
  });
}

/** Slate stands for nothing but the time between the content before it and after it. */
function checkSlate(origin: SyntheticLiveOrigin, slots: readonly Slot[], inexact: number): void {
  let slate = 0;
  let last: SlotSegment | undefined;
  for (const { isAway, duration, segments } of slots) {
    if (isAway) slate += duration;
    else {
      const [first] = segments[0]!;
      const [from, to] = [last ?? first!, first!].map(({ media }) => placeOf(origin, media.url));
      if (slate > 0) expect(slate).toBeLessThan(to!.at - from!.at - from!.segment.duration + inexact);
      [last, slate] = [segments[0]!.at(-1), 0];
    }
  }
  expect(slate).toBe(0);
}

function checkContent(origin: SyntheticLiveOrigin, slots: readonly Slot[], isAligned: boolean): void {
  const seen = new Set<string>();
  slots.forEach((slot, index) => {
    const before = slots[index - 1];
    const own = slot.segments[0]!.reduce((sum, { duration }) => sum + duration, 0);
    expect(Math.abs(slot.duration - own)).toBeLessThanOrEqual(FLICKS_PER_MILLI);
    slot.segments.forEach((segments, rung) => {
      expect(segments.length).toBeGreaterThan(0);
      segments.forEach((segment, at) => {
        const last = at === 0 ? before?.segments[rung]?.at(-1) : segments[at - 1];
        if (origin.shape.kinds[rung] === 'text') return;
        if (last !== undefined && (at > 0 || !slot.isNewStretch)) expect(missing(origin, last, segment)).toEqual([]);
      });
      // Text may be late.
      if (origin.shape.kinds[rung] === 'text') return;
      for (const { media } of segments) {
        expect(seen).not.toContain(media.url);
        seen.add(media.url);
      }
      if (!isAligned) return;
      const [first, other] = [slot.segments[0]![0]!, segments[0]!].map(({ media }) => placeOf(origin, media.url));
      expect(first!.run).toBe(other!.run);
      expect(Math.abs(first!.at - other!.at)).toBeLessThanOrEqual(1.5 * REACH);
    });
    if (before === undefined) return;
    const [last, next] = [before.segments[0]!.at(-1)!, slot.segments[0]![0]!].map(({ media }) =>
      placeOf(origin, media.url),
    );
    const isContinuous = last!.run === next!.run && last!.segment.stretch === next!.segment.stretch;
    if (!isContinuous) expect(slot.isNewStretch).toBe(true);
  });
}

const textOf = ({ source, kind, id, raw, at }: PlacedSignal): string =>
  JSON.stringify([source, kind, id, raw, Math.round((at.millis - FROM) / 10)]);

test.each(lawSeeds(5))('a log is one timeline (seed %i)', (seed) => {
  const random = seededRandom(seed);
  const window = pick(random, [3, 5, 10, 30, 200]);
  const origin = syntheticLiveOrigin(random, FROM, { seconds: 900, window });
  const textRungs = origin.shape.kinds.flatMap((kind, rung) => (kind === 'text' ? [rung] : []));
  const isDated = origin.read(FROM + 60_000, 'x')?.renditions[0]?.segments[0]?.startsAt !== undefined;
  const isApart = origin.runs.some(({ firstNumbers }) => new Set(firstNumbers).size > 1);
  const entries = logOf(origin, random, 900, { history: 30_000, textRungs });
  const slots = entries.flatMap((entry) => entry.slots);
  const content = slots.filter(({ isAway }) => !isAway);
  checkTimes(origin, slots);
  checkContent(origin, content, isDated || !isApart);
  checkSlate(origin, slots, isDated ? INEXACT : INEXACT_UNDATED);
  // Nearly all of the programme is in the log.
  const logged = content.reduce((sum, { duration }) => sum + duration / FLICKS_PER_SECOND, 0);
  const made = origin.runs.reduce((sum, { length }) => sum + length / FLICKS_PER_SECOND, 0);
  // Polls may be too slow for a short window, and renditions that are late may list nothing in common.
  if (window >= 30) expect(logged).toBeGreaterThan(Math.min(made, 900) * 0.9);
  const signals = entries.flatMap((entry) => entry.signals);
  expect(new Set(signals.map(textOf)).size).toBe(signals.length);
  for (const entry of entries) {
    const times = entry.signals.map(({ at }) => millisBetween(entry.anchor.start, at));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  }
});

const junk = (random: () => number, value: number): Flicks =>
  (random() < 0.7 ? value : [0, -1, Number.NaN, 1e300, 0.5, -(2 ** 60)][Math.floor(random() * 6)]!) as Flicks;

test('never fails on nonsense', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 300; round += 1) {
    let tail: Tail | undefined;
    for (let poll = 0; poll < 8; poll += 1) {
      const rung = () => ({
        key: 'a',
        segments: Array.from({ length: Math.floor(random() * 6) }, (_, index) => ({
          number: junk(random, poll * 2 + index),
          duration: junk(random, FLICKS_PER_SECOND),
          media: { url: `${Math.floor(random() * 9)}` },
          stretch: `${Math.floor(random() * 3)}`,
          ...(random() < 0.5
            ? {}
            : { startsAt: { millis: millis2(junk(random, FROM + index)), rest: junk(random, 0) } }),
          ...(random() < 0.5 ? {} : { mediaTime: junk(random, 9) }),
        })),
      });
      const signals = [{ number: junk(random, 3), offset: junk(random, 5) }].map((place) => ({
        ...({ kind: 'out', source: 's', line: 1, raw: 'r' } as const),
        ...place,
      }));
      const renditions = Array.from({ length: random() < 0.9 ? 2 : 1 }, rung);
      const reading = { renditions, signals, warnings: [], isEnded: random() < 0.1, isUnproven: random() < 0.2 };
      const options = { history: 6000, textRungs: [1], target: 1000, rungs: 2, reason: 'The origin returned 503.' };
      const frame = frameAt(FROM + poll * 1000);
      const known = random() < 0.5 ? { reading, source: undefined } : undefined;
      // A log may begin with slate.
      const entry = random() < 0.3 ? awayEntry(tail, known, frame, options) : nextEntry(tail, reading, frame, options);
      if (entry === undefined) continue;
      for (const slot of entry.slots) {
        expect(slot.duration).toBeGreaterThan(0);
        expect(Number.isSafeInteger(slot.start.millis)).toBe(true);
      }
      tail = tailAfter(tail, entry);
    }
  }
});
const millis2 = (value: number) => value as ReturnType<typeof millis>;
