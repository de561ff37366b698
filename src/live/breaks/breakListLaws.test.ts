// SPDX-License-Identifier: Apache-2.0
// Whatever is signalled: readings of any size give the same breaks as one reading of all, on each node, and what is kept is
// bounded.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { PlacedSignal } from '../slot.ts';
import type { BreakFact } from './breakFact.ts';
import { addSignals, type BreakList } from './breakList.ts';

const START: Instant = { millis: millis(Date.UTC(2026, 0, 1)), rest: flicks(3) };
const at = (seconds: number): Instant => {
  const whole = Math.floor(seconds / 3600);
  return after(
    { millis: millis(START.millis + whole * 3_600_000), rest: START.rest },
    secondsToFlicks(seconds - 3600 * whole),
  );
};
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const stated = fc.record({
  gap: fc.constantFrom(2, 6, 6, 6, 30, 600, 4000),
  kind: fc.constantFrom<PlacedSignal['kind']>('out', 'out', 'continue', 'continue', 'in'),
  duration: optional(fc.constantFrom(0, 12, 30, 60, 180).map(secondsToFlicks)),
  elapsed: optional(fc.constantFrom(6, 30).map(secondsToFlicks)),
  id: optional(fc.constantFrom('a 1', 'a 2', 'b 1')),
  hint: optional(fc.constantFrom('x', 'y')),
  rank: optional(fc.constantFrom(1, 2, 3)),
});
const signals = fc.array(stated, { maxLength: 60 }).map((list) => {
  let seconds = 0;
  return list.map(({ gap, kind, ...rest }, line): PlacedSignal => {
    seconds += gap;
    const known = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
    return { kind, at: at(seconds), source: 'tag', line, raw: kind, ...known };
  });
});

function read(batches: readonly (readonly PlacedSignal[])[], isApart: boolean): BreakList | undefined {
  let list: BreakList | undefined;
  for (const batch of batches) {
    const last = batch.at(-1);
    if (last === undefined) continue;
    const edge = after(last.at, secondsToFlicks(1));
    list = addSignals(list, batch, edge.millis, { start: START, edge, ...(isApart ? { isApart } : {}) });
  }
  return list;
}
const withoutReading = ({ announcedAt: _, ...fact }: BreakFact) => fact;

test('readings of any size give the same breaks and warnings', () => {
  fc.assert(
    fc.property(
      signals,
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
      fc.boolean(),
      (all, sizes, isApart) => {
        const batches: PlacedSignal[][] = [];
        for (let from = 0, index = 0; from < all.length; index += 1) {
          const size = sizes[index % sizes.length]!;
          batches.push(all.slice(from, from + size));
          from += size;
        }
        const [together, apart] = [read([all], isApart), read(batches, isApart)];
        expect(apart?.breaks.map(withoutReading)).toEqual(together?.breaks.map(withoutReading));
        expect(apart?.warnings.map(({ line }) => line)).toEqual(together?.warnings.map(({ line }) => line));
      },
    ),
    lawRuns(150),
  );
});

test('breaks are in order, after the start of the timeline, and keep their ids', () => {
  fc.assert(
    fc.property(signals, (all) => {
      const seen = new Map<string, BreakFact>();
      let list: BreakList | undefined;
      for (const signal of all) {
        list = addSignals(list, [signal], signal.at.millis, { start: START, edge: after(signal.at, 1) });
        const times = list.breaks.map(({ startsAt }) => startsAt.millis);
        expect(times).toEqual(times.toSorted((a, b) => a - b));
        expect(Math.min(...times, START.millis)).toBe(START.millis);
        expect(new Set(list.breaks.map(({ id }) => id)).size).toBe(list.breaks.length);
        for (const fact of list.breaks) {
          expect(fact.id).toMatch(/^\d+$/);
          const before = seen.get(fact.id);
          if (before) expect(fact).toMatchObject({ startsAt: before.startsAt, announcedAt: before.announcedAt });
          if (fact.endsAt) expect(fact.endsAt.millis).toBeGreaterThanOrEqual(fact.startsAt.millis);
          seen.set(fact.id, fact);
        }
      }
    }),
  );
});
