// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { TracedBreak } from '../../../src/http/contract/airContract.ts';
import { naming } from '../../../test/naming.ts';
import { adReason, adStatus, breakShares, breakSummary, filledSeconds } from './breakSummary.ts';

const ad = (adId: string, duration: number, reason?: string) => ({
  adId,
  duration,
  outcome: reason === undefined ? ('stitched' as const) : ('skipped' as const),
  ...(reason === undefined ? {} : { reason: { code: 'x', text: reason } }),
});
const tracedBreak = (more: Partial<TracedBreak>): TracedBreak => ({
  id: '0-1',
  startsAt: '2026-01-01T00:00:00Z',
  duration: 30,
  status: 'partial',
  warnings: [],
  ads: [],
  slate: 30,
  ...more,
});

test('summarizes a break with its ads, skipped ads and slate', () => {
  expect(breakSummary(tracedBreak({ ads: [ad('a', 10), ad('b', 30, 'It is too long.')], slate: 20 }))).toEqual(
    naming(1, '20 s'),
  );
  expect(breakSummary(tracedBreak({ ads: [ad('a', 10), ad('b', 20)], slate: 0 }))).toMatch(/^\D*\b2\b\D*$/);
});

test('summarizes a break without ads with its reason', () => {
  const text = 'The ad server did not respond.';
  expect(breakSummary(tracedBreak({ reason: { code: 'x', text } }))).toBe(text);
});

test('every skipped ad has a reason, and a cut one, too', () => {
  const cut = { ...ad('a', 10), shown: 4, reason: { code: 'EARLY_RETURN', text: 'The break ended.' } };
  expect(adReason(cut)).toBe('The break ended.');
  expect(adReason(ad('a', 10))).toBeUndefined();
  expect(adReason(ad('a', 10, 'It is too long.'))).toBe('It is too long.');
  expect(adReason({ ...ad('a', 10), outcome: 'skipped' })).toMatch(/\w/);
});

test('the shares of a break add up to 100%', () => {
  const one = tracedBreak({ ads: [ad('a', 10), ad('b', 99, 'no')], slate: 15, bumpers: 5 });
  expect(breakShares(one).reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100);
  expect(filledSeconds(one)).toBe(10);
  const cut = tracedBreak({ duration: 12, ads: [ad('a', 10), { ...ad('b', 10), shown: 1 }], slate: 1 });
  expect(breakShares(cut).reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100);
});

test('a stitched ad is scheduled until its time has passed, and delivered once it was fetched', () => {
  const startsAt = '2026-01-01T00:00:10Z';
  const at = (seconds: number) => Date.parse('2026-01-01T00:00:00Z') + seconds * 1000;
  const stitched = { ...ad('a', 10), startsAt, delivered: { seconds: 0, events: [] } };
  expect(adStatus(stitched, at(0))).toBe('scheduled');
  expect(adStatus(stitched, at(30))).toBe('scheduled');
  expect(adStatus(stitched, at(90))).toBe('notFetched');
  expect(adStatus({ ...stitched, delivered: { seconds: 4, events: [] } }, at(12))).toBe('delivered');
  expect(adStatus(ad('a', 10, 'no'), at(20))).toBe('skipped');
  expect(adStatus({ ...ad('a', 10), outcome: 'skipped', reason: { code: 'OUTBID', text: '' } }, at(20))).toBe('outbid');
  expect(adStatus(stitched, undefined)).toBe('scheduled');
});

test('content of the origin in a break counts neither as ads nor as slate', () => {
  const one = tracedBreak({ ads: [ad('a', 10)], slate: 0, content: 20 });
  expect(filledSeconds(one)).toBe(10);
  expect(breakSummary(one)).toMatch(/20 s content$/);
});
