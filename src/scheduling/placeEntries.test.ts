// SPDX-License-Identifier: Apache-2.0
// The order of a schedule after any edits: by time, followers follow, a range replaces nothing else, and undo restores.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { type Millis, millis } from '../time/units.ts';
import { type Edit, type Edited, editEntries } from './placeEntries.ts';
import type { KnownEntry, PlacedEntry } from './ports.ts';
import type { Entry } from './schedule.ts';

const HOUR = 3_600_000;
const NOW = millis(1000 * HOUR);
const iso = (at: number) => new Date(at).toISOString();
const lengthOf = ({ duration }: Entry): Millis | undefined =>
  duration === undefined ? undefined : millis(duration * 1000);

/** What the store holds: entries in order. */
type Stored = readonly PlacedEntry[];

const knownOf = (stored: Stored): KnownEntry[] =>
  stored.map(({ entry, ...place }) => ({ ...place, id: entry.id, isFixed: entry.start !== undefined }));

/** As the store does. */
function stored(before: Stored, { put, moved, removed }: Edited): Stored {
  const gone = new Set([...removed, ...put.map(({ entry }) => entry.id)]);
  const places = new Map(moved.map((one) => [one.id, one]));
  const kept = before
    .filter(({ entry }) => !gone.has(entry.id))
    .map((one): PlacedEntry => {
      const { at, order, length } = places.get(one.entry.id) ?? one;
      return { entry: one.entry, at, order, ...(length === undefined ? {} : { length }) };
    });
  return [...kept, ...put].sort((one, other) => one.at - other.at || one.order - other.order);
}
const edited = (before: Stored, edit: Edit, now = NOW) => editEntries(knownOf(before), edit, lengthOf, now);
const made = (entries: readonly Entry[]) => stored([], edited([], { kind: 'replace', entries }));

const draft = fc.record(
  {
    start: fc.integer({ min: 0, max: 200 }).map((quarter) => iso(NOW + quarter * (HOUR / 4))),
    duration: fc.integer({ min: 0, max: 12 }).map((quarter) => quarter * 900),
    source: fc.constant({ url: 'https://o.example/a.m3u8' }),
  },
  { requiredKeys: ['source'] },
);
const entriesOf = (prefix: string) =>
  fc
    .array(draft, { maxLength: 12 })
    .map((drafts) => drafts.map((one, index): Entry => ({ ...one, id: `${prefix}${index}` })));
const anyId = fc.integer({ min: 0, max: 11 }).map((index) => `e${index}`);
const anyRange = fc
  .tuple(fc.integer({ min: -4, max: 200 }), fc.integer({ min: 1, max: 60 }))
  .map(([from, length]) => ({ from: millis(NOW + from * (HOUR / 4)), to: millis(NOW + (from + length) * (HOUR / 4)) }));
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant('replace' as const), range: anyRange, entries: entriesOf('n') }),
  fc.record({ kind: fc.constant('replace' as const), entries: fc.oneof(entriesOf('n'), entriesOf('e')) }),
  fc.record({
    kind: fc.constant('patch' as const),
    put: fc.array(
      fc
        .tuple(draft, fc.oneof(anyId, fc.constant('n0')), fc.option(anyId, { nil: undefined }))
        .map(([one, id, after]) => ({
          entry: { ...one, id },
          ...(after === undefined || after === id ? {} : { after }),
        })),
      { maxLength: 3 },
    ),
    removed: fc.uniqueArray(anyId, { maxLength: 4 }),
  }),
);
const shape = (all: Stored) => all.map(({ entry, at, order, length }) => [entry, at, order, length]);

describe('after any edit', () => {
  it('entries are in the order of time, and placing them again changes nothing', () => {
    fc.assert(
      fc.property(entriesOf('e'), anyEdit, (entries, edit) => {
        const before = made(entries);
        const after = stored(before, edited(before, edit));
        const places = after.map(({ at, order }) => at + order / 1e6);
        expect(new Set(places).size).toBe(places.length);
        const again = edited(after, { kind: 'patch', put: [], removed: [] }, millis(NOW + HOUR));
        expect([again.moved, again.put, again.removed]).toEqual([[], [], []]);
      }),
      lawRuns(2000),
    );
  });

  it('an entry with a start begins then, and others follow the entry before them', () => {
    fc.assert(
      fc.property(entriesOf('e'), anyEdit, (entries, edit) => {
        const before = made(entries);
        const after = stored(before, edited(before, edit));
        after.forEach(({ entry, at }, index) => {
          const previous = after[index - 1];
          if (entry.start !== undefined) expect(iso(at)).toBe(entry.start);
          else if (previous !== undefined) expect(at).toBe(previous.at + (previous.length ?? 0));
        });
      }),
      lawRuns(2000),
    );
  });

  it('undo restores all entries with their places, and undoing that makes the edit again', () => {
    fc.assert(
      fc.property(entriesOf('e'), anyEdit, (entries, edit) => {
        const before = made(entries);
        const change = edited(before, edit);
        const after = stored(before, change);
        const undo = edited(after, restoring(before, change), millis(NOW + HOUR));
        const undone = stored(after, undo);
        expect(shape(undone)).toEqual(shape(before));
        expect(shape(stored(undone, edited(undone, restoring(after, undo))))).toEqual(shape(after));
      }),
      lawRuns(2000),
    );
  });
});

/** What the desk stores to undo a change. */
function restoring(before: Stored, { put, removed, movedFrom }: Edited): Edit {
  const changed = new Set([...put.map(({ entry }) => entry.id), ...removed]);
  const known = new Set(before.map(({ entry }) => entry.id));
  return {
    kind: 'restore',
    put: before.filter(({ entry }) => changed.has(entry.id)),
    moved: movedFrom,
    removed: put.flatMap(({ entry }) => (known.has(entry.id) ? [] : [entry.id])),
  };
}

describe('a range', () => {
  it('replaces what starts in it, and nothing else', () => {
    fc.assert(
      fc.property(entriesOf('e'), anyRange, (entries, range) => {
        const before = made(entries);
        const entry = { id: 'n', start: iso(range.from), source: { url: 'https://o.example/b' }, duration: 900 };
        const edit = edited(before, { kind: 'replace', range, entries: [entry] });
        const within = before.filter(({ at }) => at >= range.from && at < range.to).map((one) => one.entry.id);
        expect([edit.removed, edit.put.map((one) => one.entry.id)]).toEqual([within, ['n']]);
        const fixed = (all: readonly KnownEntry[]) =>
          all.filter(({ isFixed }) => isFixed).map(({ id, at }) => [id, at]);
        expect(new Map(fixed(edit.moved) as [string, Millis][])).toEqual(
          new Map(fixed(edit.movedFrom) as [string, Millis][]),
        );
        const outside = (all: Stored) =>
          all.map((one) => one.entry).filter(({ id }) => id !== 'n' && !within.includes(id));
        expect(new Set(outside(stored(before, edit)))).toEqual(new Set(outside(before)));
      }),
      lawRuns(1000),
    );
  });
});

describe('placing', () => {
  const source = { url: 'https://o.example/a' };
  const hour = (id: string, start?: number): Entry => ({
    id,
    source,
    duration: 3600,
    ...(start === undefined ? {} : { start: iso(NOW + start * HOUR) }),
  });
  const shown = (all: Stored) => all.map(({ entry, at }) => `${entry.id}@${(at - NOW) / HOUR}`).join(' ');
  const patch = (before: Stored, put: Extract<Edit, { kind: 'patch' }>['put'], ...removed: string[]) =>
    stored(before, edited(before, { kind: 'patch', put, removed }));
  const day = made([hour('a', 1), hour('b'), hour('c'), hour('d', 10), hour('e')]);

  it('gives the first entry a start, and continues after an interruption', () => {
    expect(shown(day)).toBe('a@1 b@2 c@3 d@10 e@11');
    expect(shown(made([hour('a'), hour('b')]))).toBe('a@0 b@1');
    expect(made([hour('a')])[0]?.entry.start).toBe(iso(NOW));
    expect(shown(made([hour('a', 1), hour('b'), hour('x', 1.5), hour('y')]))).toBe('a@1 x@1.5 y@2.5 b@3.5');
  });

  it('moves followers with what they follow', () => {
    expect(shown(patch(day, [{ entry: hour('a', 4) }]))).toBe('a@4 b@5 c@6 d@10 e@11');
    expect(shown(patch(day, [{ entry: hour('n'), after: 'a' }]))).toBe('a@1 n@2 b@3 c@4 d@10 e@11');
    expect(shown(patch(day, [{ entry: hour('c'), after: 'd' }]))).toBe('a@1 b@2 d@10 c@11 e@12');
    expect(shown(patch(day, [{ entry: hour('n', 5) }], 'c'))).toBe('a@1 b@2 n@5 d@10 e@11');
  });

  it('leaves followers where they are if nothing is before them any more', () => {
    expect(shown(patch(day, [], 'a'))).toBe('b@2 c@3 d@10 e@11');
    expect(shown(patch(patch(day, [], 'a'), [{ entry: hour('n', 1.5) }]))).toBe('n@1.5 b@2.5 c@3.5 d@10 e@11');
  });
});
