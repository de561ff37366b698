// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { selectTimeZone } from '../format/timeZone.ts';
import { endOfDay, keyNotes } from './keyNotes.ts';

const now = Date.parse('2026-06-01T12:00:00Z');
const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString();
const key = {
  id: 'k',
  tenant: 't',
  email: 'a@b',
  hint: 'mr_',
  createdBy: 'a@b',
  createdAt: inDays(-10),
  scope: 'read',
} as const;
const tonesOf = (fields: object) => keyNotes({ ...key, ...fields }, now).map(({ tone }) => tone);

test('warns of keys that expire soon, and of expired ones', () => {
  expect(tonesOf({})).toEqual([]);
  expect(tonesOf({ expiresAt: inDays(30) })).toEqual([]);
  expect(tonesOf({ expiresAt: inDays(3.5) })).toEqual(['warn']);
  expect(keyNotes({ ...key, expiresAt: inDays(3.5) }, now)[0]!.text).toContain('3 d');
  expect(tonesOf({ expiresAt: inDays(0.5) })).toEqual(['warn']);
  expect(tonesOf({ expiresAt: inDays(0) })).toEqual(['bad']);
});

test('warns of keys that were not used for 90 days, since their creation if never', () => {
  expect(tonesOf({ createdAt: inDays(-200), lastUsedAt: inDays(-89) })).toEqual([]);
  expect(tonesOf({ createdAt: inDays(-200), lastUsedAt: inDays(-91) })).toEqual(['warn']);
  expect(tonesOf({ createdAt: inDays(-91) })).toEqual(['warn']);
  expect(tonesOf({ createdAt: inDays(-91), expiresAt: inDays(1) })).toEqual(['warn', 'warn']);
});

test('a day ends at midnight of the selected zone, also when the clocks change', () => {
  for (const [zone, day, end] of [
    ['Asia/Kathmandu', '2027-01-01', '2027-01-01T18:14:59.000Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-25T22:59:59.000Z'],
  ] as const) {
    selectTimeZone(zone);
    expect(endOfDay(day)).toBe(end);
  }
  selectTimeZone('');
  expect(endOfDay('never')).toBe('never');
});
