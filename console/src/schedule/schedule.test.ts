// SPDX-License-Identifier: Apache-2.0
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { TimelineEntry } from '../../../src/http/contract/airContract.ts';
import { selectTimeZone } from '../format/timeZone.ts';
import { addEntries, breaksOf, emptySchedule, isGroup, MAX_NAMED, shownOf } from './condense.ts';
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
  kind: 'content',
  name: 'x',
  startsAt: start + from,
  endsAt: start + to,
  marks: [],
  isContinued: false,
  offset: 0,
});
const row = { from: start, to: start + HOUR };

test('a row has what is visible of its blocks, to scale, and marks to the scale of their block', () => {
  const marks = [{ startsAt: start, endsAt: start + HOUR / 8 }];
  const [first, second, ...others] = packRow([{ ...block(-HOUR, HOUR / 2), marks }, block(HOUR / 2, 2 * HOUR)], row);
  expect(first).toMatchObject({ left: 0, width: 50, isContinued: true, marks: [{ left: 0, width: 25 }] });
  expect(second).toMatchObject({ left: 50, width: 50, isContinued: false });
  expect([others, packRow([block(HOUR, HOUR + 5)], row)]).toEqual([[], []]);
});

test('breaks that are too close to each other are one mark', () => {
  const marks = Array.from({ length: 3600 }, (_, second) => ({
    startsAt: start + second * 1000,
    endsAt: start + second * 1000 + 500,
  }));
  const [piece] = packRow([{ ...block(0, HOUR), marks }], row);
  expect(piece!.marks.length).toBeLessThan(350);
  expect(piece!.marks.length).toBeGreaterThan(200);
  expect(piece!.marks.at(-1)!.left + piece!.marks.at(-1)!.width).toBeCloseTo(100, 0);
});

/** A week in which short titles with breaks alternate with films. */
function* week(seconds: number) {
  const from = clock;
  for (let number = 0; clock < from + 7 * 24 * HOUR; number += 1) {
    if (number % 5000 === 4999) yield content('https://x/film.m3u8', 5400, 0);
    yield content(`https://x/${number}.m3u8`, seconds, 0);
    if (number % 2 === 0) yield entry('break', 1, { breakId: String(number) });
  }
}
const rowsOfWeek = () => rowsAt('week', start + 12 * HOUR);

test('a schedule is the same whatever the size of the pages, and counts every title and break once', () => {
  const rows = rowsOfWeek();
  clock = rows[0]!.from;
  const entries = [...week(40)];
  const whole = addEntries(emptySchedule(rows), entries);
  let paged = emptySchedule(rows);
  for (let at = 0; at < entries.length; at += 997) paged = addEntries(paged, entries.slice(at, at + 997));
  expect(paged).toEqual(whole);
  const shown = shownOf(whole);
  const count = (kind: string) => entries.filter((each) => each.kind === kind).length;
  expect(shown.reduce((sum, one) => sum + (isGroup(one) ? one.items : 1), 0)).toBe(count('content'));
  expect(shown.reduce((sum, one) => sum + breaksOf(one), 0)).toBe(count('break'));
  expect(shown.filter((one) => !isGroup(one)).map((one) => isGroup(one) || one.name)).toContain('film');
});

test('a group stays within its row, can be pressed, and names its first titles only', () => {
  const rows = rowsOfWeek();
  clock = rows[0]!.from;
  const shown = shownOf(addEntries(emptySchedule(rows), [...week(40)]));
  for (const [at, one] of shown.entries()) {
    expect(one.startsAt).toBeLessThan(one.endsAt);
    if (at > 0) expect(one.startsAt).toBeGreaterThanOrEqual(shown[at - 1]!.endsAt);
    if (!isGroup(one)) continue;
    expect(one.first.length).toBeLessThanOrEqual(MAX_NAMED);
    const row = rows.find(({ from, to }) => one.startsAt >= from && one.startsAt < to)!;
    expect(one.endsAt).toBeLessThanOrEqual(row.to);
  }
});

test.each([1, 10, 400])('what a week of titles of %i s shows is bounded', (seconds) => {
  const rows = rowsOfWeek();
  clock = rows[0]!.from;
  let schedule = emptySchedule(rows);
  let page: TimelineEntry[] = [];
  for (const one of week(seconds)) {
    page.push(one);
    if (page.length < 5000) continue;
    schedule = addEntries(schedule, page);
    page = [];
  }
  const shown = shownOf(addEntries(schedule, page));
  const pieces = rows.flatMap((each) => packRow(shown, each));
  expect(pieces.length).toBeLessThan(7 * 2 * 170);
  expect(shown.length).toBeGreaterThan(7 * 30);
  // Nothing is missing: the pieces of each row reach its end.
  for (const each of rows) {
    const last = packRow(shown, each).at(-1)!;
    expect(last.left + last.width).toBeGreaterThan(99);
  }
});

test('a single short title is shown by its name', () => {
  const rows = rowsOfWeek();
  clock = rows[0]!.from;
  const shown = shownOf(addEntries(emptySchedule(rows), [content('https://x/a.m3u8', 60, 0), content('b', 7200, 0)]));
  expect(shown.map((one) => [isGroup(one), one.kind])).toEqual([
    [false, 'content'],
    [false, 'content'],
  ]);
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
