// SPDX-License-Identifier: Apache-2.0
import { afterEach, expect, test } from 'vitest';
import { selectTimeZone } from '../format/timeZone.ts';
import { auditPath, readFilters } from './auditFilters.ts';

test('filters are the query of the URL', () => {
  const filters = { actor: 'a+b@example.com', kind: 'channel', id: 'ä&b', text: '', from: '', to: '' };
  expect(readFilters(auditPath(filters).split('?')[1]!)).toEqual(filters);
  expect(auditPath({})).toBe('/audit');
});

afterEach(() => selectTimeZone(''));

test('filters have times with a time zone', () => {
  selectTimeZone('Asia/Kathmandu');
  const filters = readFilters('kind=key&from=2026-03-01T20:15&to=nonsense');
  expect(filters).toEqual({ actor: '', kind: 'key', id: '', text: '', from: '2026-03-01T14:30:00.000Z', to: '' });
  // A link means the same time in another zone.
  selectTimeZone('America/New_York');
  expect(readFilters(auditPath(filters).split('?')[1]!).from).toBe('2026-03-01T14:30:00.000Z');
});
