// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TimelineEntry } from '../../../../src/http/contract/airContract.ts';
import { selectTimeZone } from '../time/timeZone.ts';
import { type Block, joinTitles } from './joinTitles.ts';
import { moveFocus, packRow } from './packRow.ts';
import { instantOf, rangeName, readView, rowsAt, stepRange } from './scheduleView.ts';

beforeEach(() => selectTimeZone('Europe/Berlin'));
afterEach(() => selectTimeZone(''));
const HOUR = 3_600_000;
const start = Date.parse('2026-03-01T20:00:00Z');
let clock = start;
const entry = (kind: TimelineEntry['kind'], duration: number, more: Partial<TimelineEntry> = {}): TimelineEntry => {
  const made = { kind, startsAt: new Date(clock).toISOString(), duration, ...more };
  clock += duration * 1000;
  return made;
};
const content = (url: string, duration: number, offset: number) => entry('content', duration, { url, offset });
beforeEach(() => {
  clock = start;
});

test('ranges are hours, days and weeks of the zone, also when the clocks change', () => {
  const at = Date.parse('2026-03-29T10:20:30Z');
  expect((['hour', 'day', 'week'] as const).map((view) => [rangeName(view, at), rowsAt(view, at).length])).toEqual([
    ['2026-03-29T12:00', 4],
    ['2026-03-29', 23],
    ['2026-03-23', 7],
  ]);
  const [first] = rowsAt('hour', at);
  expect(first).toEqual({ from: Date.parse('2026-03-29T10:00:00Z'), to: Date.parse('2026-03-29T10:15:00Z') });
  expect(rowsAt('week', at).at(-1)).toEqual({
    from: Date.parse('2026-03-28T23:00:00Z'),
    to: Date.parse('2026-03-29T22:00:00Z'),
  });
  selectTimeZone('Asia/Kolkata');
  expect(rowsAt('hour', at)[0]!.from).toBe(Date.parse('2026-03-29T09:30:00Z'));
});

test('rows tile their range, and steps go to the ranges next to it', () => {
  for (const view of ['hour', 'day', 'week'] as const)
    for (const at of [start, Date.parse('2026-10-25T00:30:00Z'), Date.parse('2026-12-31T22:59:59Z')]) {
      const rows = rowsAt(view, at);
      rows.slice(1).forEach((row, index) => {
        expect(row.from).toBe(rows[index]!.to);
      });
      expect(rows[0]!.from).toBeLessThanOrEqual(at);
      expect(rows.at(-1)!.to).toBeGreaterThan(at);
      expect(rowsAt(view, stepRange(view, at, 1))[0]!.from).toBe(rows.at(-1)!.to);
      expect(rowsAt(view, stepRange(view, at, -1)).at(-1)!.to).toBe(rows[0]!.from);
    }
});

test('an address with another view or none is read, too', () => {
  expect([readView('week'), readView('month')]).toEqual(['week', 'day']);
  expect(instantOf('2026-03-01', 5)).toBe(Date.parse('2026-02-28T23:00:00Z'));
  expect(instantOf('2026-03-01T20:00', 5)).toBe(Date.parse('2026-03-01T19:00:00Z'));
  expect(instantOf('x', 5)).toBe(5);
});

test('pieces of a title and its breaks are one block; the next showing of the same title is another one', () => {
  const blocks = joinTitles([
    content('https://x/a.m3u8', 600, 0),
    entry('break', 60, { breakId: '0-1', maxAds: 2 }),
    content('https://x/a.m3u8', 300, 600),
    entry('break', 30, { breakId: '0-3' }),
    content('https://x/a.m3u8', 600, 0),
    content('https://x/b.m3u8', 600, 0),
    entry('slate', 10),
    entry('slate', 10),
  ]);
  expect(blocks.map(({ kind, startsAt, endsAt, marks }) => [kind, (endsAt - startsAt) / 1000, marks.length])).toEqual([
    ['content', 990, 2],
    ['content', 600, 0],
    ['content', 600, 0],
    ['slate', 20, 0],
  ]);
  expect(blocks[0]!.marks[0]).toEqual({ startsAt: start + 600_000, endsAt: start + 660_000, maxAds: 2 });
});

test('what an operator inserts interrupts a title; what begins before the timeline is continued', () => {
  const blocks = joinTitles([
    content('https://x/a.m3u8', 100, 500),
    entry('break', 30, { insertedId: 'i' }),
    entry('slate', 60, { insertedId: 'j' }),
    content('https://x/a.m3u8', 100, 600),
  ]);
  expect(blocks).toHaveLength(1);
  expect(blocks[0]!.isContinued).toBe(true);
  expect(blocks[0]!.marks.map(({ insertedId, isBlackout }) => [insertedId, isBlackout])).toEqual([
    ['i', undefined],
    ['j', true],
  ]);
  expect(joinTitles([entry('break', 30), content('a', 5, 0)]).map(({ kind }) => kind)).toEqual(['break', 'content']);
});

const block = (from: number, to: number): Block => ({
  ...{
    kind: 'content',
    name: 'x',
    startsAt: start + from,
    endsAt: start + to,
    marks: [],
    isContinued: false,
    offset: 0,
  },
});
const row = { from: start, to: start + HOUR };

test('a row has what is visible of its blocks, to scale, and marks to the scale of their block', () => {
  const marks = [{ startsAt: start, endsAt: start + HOUR / 8 }];
  const [first, second, ...others] = packRow([{ ...block(-HOUR, HOUR / 2), marks }, block(HOUR / 2, 2 * HOUR)], row);
  expect(first).toMatchObject({ left: 0, width: 50, isContinued: true, marks: [{ left: 0, width: 25 }] });
  expect(second).toMatchObject({ left: 50, width: 50, isContinued: false });
  expect([others, packRow([block(HOUR, HOUR + 5)], row)]).toEqual([[], []]);
});

test('narrow blocks form groups that can be pressed; none is lost', () => {
  const narrow = Array.from({ length: 360 }, (_, index) => block(index * 10_000, (index + 1) * 10_000));
  const pieces = packRow(narrow, row);
  expect(pieces.length).toBeLessThan(60);
  expect(pieces.flatMap(({ blocks }) => blocks)).toEqual(narrow);
  for (const { width } of pieces.slice(0, -1)) expect(width).toBeGreaterThan(2);
});

test('arrow keys move within a row, to the next filled one, and to the nearest piece above and below', () => {
  const rows = [
    packRow([block(0, HOUR / 2), block(HOUR / 2, HOUR)], row),
    [],
    packRow([block(0, HOUR * 0.9), block(HOUR * 0.9, HOUR)], row),
  ];
  const move = (at: [number, number], key: string) => {
    const to = moveFocus(rows, { row: at[0], index: at[1] }, key);
    return to && [to.row, to.index];
  };
  expect(move([0, 0], 'ArrowRight')).toEqual([0, 1]);
  expect(move([0, 1], 'ArrowRight')).toEqual([2, 0]);
  expect(move([2, 0], 'ArrowLeft')).toEqual([0, 1]);
  expect(move([0, 0], 'ArrowLeft')).toBeUndefined();
  expect(move([0, 1], 'ArrowDown')).toEqual([2, 1]);
  expect(move([0, 0], 'ArrowDown')).toEqual([2, 0]);
  expect(move([2, 1], 'ArrowUp')).toEqual([0, 1]);
  expect(move([2, 1], 'ArrowDown')).toBeUndefined();
  expect([move([0, 1], 'Home'), move([0, 0], 'End'), move([0, 0], 'x')]).toEqual([[0, 0], [0, 1], undefined]);
});
