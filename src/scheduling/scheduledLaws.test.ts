// SPDX-License-Identifier: Apache-2.0
// A schedule that is planned, edited and planned again while time passes: what was published stays, starts are met within a
// frame, and a plan without an edit stays as it is.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import {
  assets,
  begun,
  LEAD_MS,
  replanned,
  START,
  type TestEntry,
  timedList,
} from '../../test/laws/shared/syntheticSchedule.ts';
import type { SyntheticChannel } from '../../test/laws/syntheticChannel.ts';
import { defined } from '../invariant.ts';
import { type Millis, millis } from '../time/units.ts';
import type { EntryBreaks } from './schedule.ts';

const HOUR = 3_600_000;
const FRAME_MS = 40;

const textOf = ({ programme }: SyntheticChannel, from: number, to: number): string[] =>
  programme
    .spansBetween(millis(from), millis(to))
    .map(({ placed, numbers, discontinuity, break: own }) =>
      [
        placed.startsAt,
        placed.endsAt,
        placed.clip.asset.url,
        placed.clip.from,
        numbers,
        discontinuity,
        own?.frames,
      ].join(' '),
    );

const breaksOf = fc.oneof(
  fc.constant<EntryBreaks>([]),
  fc.array(fc.record({ spliceTime: fc.integer({ min: -1, max: 200 }), maxDuration: fc.integer({ min: 1, max: 60 }) }), {
    maxLength: 3,
  }),
  fc.constant<EntryBreaks>({ every: 60, maxDuration: 20 }),
);
const entryOf = fc.record(
  {
    asset: fc.nat({ max: assets.length - 1 }),
    gap: fc.option(fc.oneof(fc.integer({ min: -60, max: 200 }), fc.double({ min: 0.1, max: 30, noNaN: true })), {
      nil: undefined,
    }),
    in: fc.nat({ max: 30 }),
    length: fc.integer({ min: 1, max: 400 }),
    breaks: breaksOf,
  },
  { requiredKeys: ['asset', 'gap', 'breaks'] },
);
type Made = { asset: number; gap: number | undefined; in?: number; length?: number; breaks: EntryBreaks };

/** Entries with starts that leave gaps, and others that cut what is before them. */
function entriesOf(made: readonly Made[]): TestEntry[] {
  let at = 0;
  return made.map(({ gap, ...one }, index) => {
    const start =
      gap === undefined && index > 0 ? {} : { start: Math.max(0, Math.round((at + (gap ?? 0)) * 1000) / 1000) };
    if (start.start !== undefined) at = start.start;
    at += one.length ?? 120;
    return { ...one, id: `entry${index}`, ...start };
  });
}

const ordered = (list: readonly TestEntry[]): TestEntry[] => {
  let last = Number.NEGATIVE_INFINITY;
  return list.filter(({ start }) => {
    if (start === undefined) return true;
    const isAfter = start > last;
    if (isAfter) last = start;
    return isAfter;
  });
};

const lists = fc.array(entryOf, { minLength: 1, maxLength: 12 }).map((made) => ordered(entriesOf(made as Made[])));

/** When the first span of each entry starts. */
function startsOf({ records, lineup }: SyntheticChannel): Map<string, Millis> {
  const starts = new Map<string, Millis>();
  for (const [index, { entries = [], slots }] of records.entries()) {
    const edition = defined(lineup.editions[index], 'an edition');
    let at: number = edition.from;
    for (const [position, slot] of slots.entries()) {
      const id = !('follows' in slot) && slot.kind !== 'slate' ? entries[slot.item]?.id : undefined;
      if (id !== undefined && !starts.has(id)) starts.set(id, millis(Math.round(at)));
      at += defined(edition.slots[position], 'a slot').clip.duration / 705_600;
    }
  }
  return starts;
}

test('every start is met within a frame, and the time between is filled', () => {
  fc.assert(
    fc.property(lists, (list) => {
      const channel = begun(timedList(list, START + 2 * HOUR), START - 30_000);
      const starts = startsOf(channel);
      const fixed = list.filter(({ start }) => start !== undefined);
      for (const { id, start = 0 } of fixed) {
        const at = starts.get(id);
        // An entry whose time is too short for a segment is filled.
        if (at === undefined) continue;
        expect(Math.abs(at - START - start * 1000), `${id} at ${start}`).toBeLessThanOrEqual(FRAME_MS);
      }
      const spans = channel.programme.spansBetween(millis(START - 30_000), millis(START + HOUR));
      for (const [index, { placed }] of spans.slice(1).entries())
        expect(placed.startsAt).toBe(defined(spans[index], 'a span').placed.endsAt);
    }),
    lawRuns(100),
  );
});

type Edited = [TestEntry[], TestEntry[], number[]];
/** Edits on air that move the last entry once it is over, while the first item of the filler after it is played. */
const movedWhenOver: Edited = [
  [
    { asset: 0, breaks: [], id: 'entry0', start: 0 },
    { asset: 0, breaks: [], id: 'entry1', start: 120 },
    { asset: 3, breaks: [], id: 'entry2', start: 240.1 },
  ],
  [
    { asset: 0, breaks: [], id: 'entry0', start: 0 },
    { asset: 0, length: 136, breaks: { every: 60, maxDuration: 20 }, id: 'entry1', start: 120.1 },
    { asset: 3, breaks: [], id: 'entry2', start: 256.2 },
  ],
  [259, 105, 7, 0],
];
/** The gap before what follows it begins with the same item as the filler on air, which depends on the ids. */
const movedAndFollowed: Edited = [
  [
    { asset: 1, breaks: [], id: 'e0', start: 0 },
    { asset: 3, breaks: [], id: 'e1', start: 173, length: 1 },
  ],
  [
    { asset: 1, breaks: [], id: 'e0', start: 0 },
    { asset: 3, breaks: [], id: 'e1', start: 58, length: 135 },
    { asset: 2, breaks: [], id: 'e2', length: 62 },
  ],
  [10, 172, 5],
];

test('what was published stays, edits take effect, and a plan without edits stays', () => {
  fc.assert(
    fc.property(lists, lists, fc.array(fc.nat({ max: 600 }), { minLength: 1, maxLength: 5 }), (one, other, steps) => {
      let now = START - 10_000;
      let list = one;
      let channel = begun(timedList(list, now + HOUR), now - 30_000);
      for (const [index, step] of steps.entries()) {
        now += step * 1000;
        if (index % 2 === 1) list = list === one ? other : one;
        const schedule = timedList(list, now + HOUR);
        const before = textOf(channel, now - 30_000, now + LEAD_MS);
        const next = replanned(channel, schedule, now);
        const after = textOf(next, now - 30_000, now + LEAD_MS);
        expect(after.slice(0, -1)).toEqual(before.slice(0, -1));
        expect(replanned(next, schedule, now).records.length, 'planned again').toBe(next.records.length);
        const later = now + 5000;
        const unchanged = replanned(next, schedule, later);
        expect(textOf(unchanged, later, now + HOUR / 2), 'planned later').toEqual(textOf(next, later, now + HOUR / 2));
        channel = next;
      }
    }),
    { ...lawRuns(100), examples: [movedWhenOver, movedAndFollowed] },
  );
});
