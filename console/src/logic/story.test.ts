import { expect, test } from 'vitest';
import type { TracedBreak } from '../../../src/http/airContract.ts';
import { filledSeconds, sayBreak, sharesOf, whyNot } from './story.ts';

const ad = (adId: string, duration: number, reason?: string) => ({
  ...{ adId, duration, outcome: reason === undefined ? ('stitched' as const) : ('skipped' as const) },
  ...(reason === undefined ? {} : { reason: { code: 'x', text: reason } }),
});
const broken = (more: Partial<TracedBreak>): TracedBreak => ({
  ...{ id: '0-1', startsAt: '2026-01-01T00:00:00Z', duration: 30, status: 'partial', warnings: [], ads: [], slate: 30 },
  ...more,
});

test('a break is told in a sentence', () => {
  expect(sayBreak(broken({ reason: { code: 'x', text: 'The ad server did not answer.' } }))).toBe(
    'The ad server did not answer.',
  );
  expect(sayBreak(broken({ ads: [ad('a', 10), ad('b', 30, 'It is too long.')], slate: 20 }))).toBe(
    '1 ad shown, 1 ad not, 20 s of slate.',
  );
  expect(sayBreak(broken({ ads: [ad('a', 10), ad('b', 20)], slate: 0 }))).toBe('2 ads shown.');
});

test('every ad that was not shown has a reason', () => {
  expect(whyNot(ad('a', 10))).toBeUndefined();
  expect(whyNot(ad('a', 10, 'It is too long.'))).toBe('It is too long.');
  expect(whyNot({ ...ad('a', 10), outcome: 'skipped' })).toBe('No reason was kept.');
});

test('shares add up to the break', () => {
  const one = broken({ ads: [ad('a', 10), ad('b', 99, 'no')], slate: 15, bumpers: 5 });
  expect(sharesOf(one).reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100);
  expect(filledSeconds(one)).toBe(10);
});
