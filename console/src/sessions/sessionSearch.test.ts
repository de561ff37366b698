// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { selectTimeZone } from '../format/timeZone.ts';
import { isSearching, noSearch, readSearch, searchPath, searchQuery, textFilter, timesOf } from './sessionSearch.ts';

const now = Date.parse('2026-03-02T12:00:00.000Z');

test('a search is read back from the URL of the page', () => {
  for (const search of [
    noSearch,
    { ...noSearch, channel: 'a&b', outcome: 'empty', range: 'yesterday', state: 'ended', text: 'viewer=ann' },
    { ...noSearch, range: 'custom', from: now - 60_000, to: now },
    { ...noSearch, range: 'around', from: now },
  ] as const)
    expect(readSearch(searchPath(search).split('?')[1] ?? '')).toEqual(search);
  expect(isSearching(noSearch)).toBe(false);
});

test('times without a range are a custom range', () => {
  const query = 'channel=a%3Ab&from=2026-03-02T11:00:00.000Z&to=2026-03-02T12:00:00.000Z&outcome=empty';
  expect(timesOf(readSearch(query), 0)).toEqual({ from: now - 3_600_000, to: now });
});

test('invalid values in the URL are ignored', () => {
  expect(readSearch('range=toString&outcome=x&state=&from=soon')).toEqual(noSearch);
});

test('yesterday ends at midnight', () => {
  const { from, to } = timesOf({ ...noSearch, range: 'yesterday' }, now);
  expect([new Date(from!).getHours(), new Date(to!).getHours()]).toEqual([0, 0]);
  expect([new Date(from!).getDate(), new Date(to!).getDate()]).toEqual([1, 2]);
});

test('a range that ends before it begins is a minute long', () => {
  expect(timesOf({ ...noSearch, range: 'custom', from: now, to: now - 1 }, now)).toEqual({
    from: now,
    to: now + 60_000,
  });
});

test.each([
  ['192.0.2.7', { address: '192.0.2.7' }],
  ['2001:db8::1', { address: '2001:db8::1' }],
  ['0b7e2c1a', { id: '0b7e2c1a' }],
  ['0B7E2C1A-5d1f', { id: '0b7e2c1a-5d1f' }],
  ['viewer=ann', { parameter: 'viewer=ann' }],
  ['Apple TV', { userAgent: 'Apple TV' }],
  ['Roku/DVP-9', { userAgent: 'Roku/DVP-9' }],
  [' ', {}],
])('%s', (text, filter) => {
  expect(textFilter(text)).toEqual(filter);
});

test('a request contains what is searched for', () => {
  const search = { ...noSearch, channel: 'one', range: 'around', from: now, outcome: 'empty' } as const;
  expect(searchQuery(search, now)).toEqual({
    channel: 'one',
    at: '2026-03-02T12:00:00.000Z',
    outcome: 'empty',
  });
  expect(searchQuery({ ...noSearch, range: 'hour', state: 'active' }, now)).toEqual({
    from: '2026-03-02T11:00:00.000Z',
    state: 'active',
  });
});

test.each([
  // +5:45, without daylight saving.
  ['Asia/Kathmandu', '2026-03-01T20:00:00Z', '2026-03-01T18:15:00.000Z', '2026-02-28T18:15:00.000Z'],
  // +11:00 until that night, then +10:30: yesterday has 24.5 hours.
  ['Australia/Lord_Howe', '2026-04-05T15:00:00Z', '2026-04-05T13:30:00.000Z', '2026-04-04T13:00:00.000Z'],
  // The clocks go forward at night: yesterday has 23 hours.
  ['Europe/Berlin', '2026-03-30T10:00:00Z', '2026-03-29T22:00:00.000Z', '2026-03-28T23:00:00.000Z'],
])('today and yesterday are days in %s', (zone, at, today, yesterday) => {
  selectTimeZone(zone);
  const instant = Date.parse(at);
  const iso = (time: number | undefined) => new Date(time ?? 0).toISOString();
  expect(iso(timesOf({ ...noSearch, range: 'today' }, instant).from)).toBe(today);
  const { from, to } = timesOf({ ...noSearch, range: 'yesterday' }, instant);
  expect([iso(from), iso(to)]).toEqual([yesterday, today]);
  selectTimeZone('');
});
