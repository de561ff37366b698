// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../../time/units.ts';
import type { Entry } from '../schedule.ts';
import { type GuideRow, programmesOf } from './guideProgrammes.ts';

const HOUR = 3_600_000;
const at = (minutes: number) => millis(Date.UTC(2026, 11, 1, 18) + minutes * 60_000);
const times = (from: number, to: number) => ({ startsAt: at(from), endsAt: at(to) });
const entry = (entryId: string, from: number, to: number, ...breaks: readonly number[]): GuideRow => ({
  kind: 'entry',
  entryId,
  ...times(from, to),
  breaks: breaks.map((minutes) => ({ startsAt: at(from), duration: minutes * 60_000 })),
});
const other = (kind: 'filler' | 'slate' | 'inserted', from: number, to: number): GuideRow => ({
  kind,
  ...times(from, to),
});

const entries = new Map<string, Entry>(
  [
    { id: 'a', title: 'A', source: { url: 'https://user:secret@media.example/a.m3u8' }, subtitle: 'One', year: 2020 },
    { id: 'b', source: { playlistId: 'b' }, isHidden: false },
    { id: 'hidden', title: 'H', source: { playlistId: 'h' }, isHidden: true },
  ].map((one): [string, Entry] => [one.id, one]),
);
const programmes = (rows: readonly GuideRow[], listsFiller = false) =>
  programmesOf(rows, (id) => entries.get(id), { name: 'News 24', listsFiller });

test('breaks and what is inserted are part of the programme around them', () => {
  const rows = [entry('a', 0, 10, 2), other('inserted', 10, 15), entry('a', 15, 30, 1), entry('b', 30, 40)];
  expect(programmes(rows)).toEqual([
    { id: 'a', ...times(0, 30), contentSeconds: 22 * 60, title: 'A', subtitle: 'One', year: 2020 },
    { id: 'b', ...times(30, 40), contentSeconds: 600, title: 'News 24' },
  ]);
});

test('hidden entries are left out, and so is filler unless it is listed', () => {
  const rows = [entry('a', 0, 10), entry('hidden', 10, 20), other('filler', 20, 30), other('slate', 30, 35)];
  expect(programmes(rows).map(({ id }) => id)).toEqual(['a']);
  expect(programmes(rows, true).slice(1)).toEqual([{ id: expect.any(String), ...times(20, 35), title: 'News 24' }]);
});

test('filler is divided at whole hours', () => {
  const listed = programmes([other('filler', 30, 200)], true);
  expect(listed.map(({ startsAt, endsAt }) => (endsAt - startsAt) / HOUR)).toEqual([1 / 2, 1, 1, 1 / 3]);
  expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
});

test('an entry that is not known any more has the title that was recorded', () => {
  const rows: GuideRow[] = [
    { kind: 'entry', entryId: 'gone', title: 'Gone', ...times(0, 10) },
    { kind: 'entry', entryId: 'untitled', ...times(10, 20) },
  ];
  expect(programmes(rows)).toEqual([
    { id: 'gone', ...times(0, 10), title: 'Gone' },
    { id: 'untitled', ...times(10, 20), title: 'News 24' },
  ]);
});

test('where and what is played is not part of a guide', () => {
  expect(JSON.stringify(programmes([entry('a', 0, 10), entry('b', 10, 20)]))).not.toMatch(
    /secret|playlist|source|isHidden/,
  );
});
