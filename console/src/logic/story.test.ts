import { expect, test } from 'vitest';
import type { TracedBreak } from '../../../src/http/airContract.ts';
import type { AssetsAdded } from '../../../src/http/assetContract.ts';
import { naming } from '../../../test/naming.ts';
import { beaconsOf, sayBeacon } from './beaconsOf.ts';
import { filledSeconds, sayBreak, sharesOf, stateOfAd, whyNot } from './story.ts';
import { tellAdded } from './tellAdded.ts';

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
  expect(sayBreak(broken({ ads: [ad('a', 10), ad('b', 30, 'It is too long.')], slate: 20 }))).toMatch(
    /\b1\b.*\b1\b.*\b20 s\b/,
  );
  expect(sayBreak(broken({ ads: [ad('a', 10), ad('b', 20)], slate: 0 }))).toMatch(/^\D*\b2\b\D*$/);
});

test('every ad that was not shown has a reason', () => {
  expect(whyNot(ad('a', 10))).toBeUndefined();
  expect(whyNot(ad('a', 10, 'It is too long.'))).toBe('It is too long.');
  expect(whyNot({ ...ad('a', 10), outcome: 'skipped' })).toMatch(/\w/);
});

test('shares add up to the break', () => {
  const one = broken({ ads: [ad('a', 10), ad('b', 99, 'no')], slate: 15, bumpers: 5 });
  expect(sharesOf(one).reduce((sum, { percent }) => sum + percent, 0)).toBeCloseTo(100);
  expect(filledSeconds(one)).toBe(10);
});

test('what was planned is not yet shown', () => {
  const startsAt = '2026-01-01T00:00:10Z';
  const at = (seconds: number) => Date.parse('2026-01-01T00:00:00Z') + seconds * 1000;
  const planned = { ...ad('a', 10), startsAt, delivered: { seconds: 0, events: [] } };
  expect(stateOfAd(planned, at(0))).toBe('toCome');
  expect(stateOfAd(planned, at(30))).toBe('toCome');
  expect(stateOfAd(planned, at(90))).toBe('notFetched');
  expect(stateOfAd({ ...planned, delivered: { seconds: 4, events: [] } }, at(12))).toBe('shown');
  expect(stateOfAd(ad('a', 10, 'no'), at(20))).toBe('notShown');
});

test('beacons are told by ad, with what became of them', () => {
  const beacon = {
    ...{ id: 1, recordedAt: '', dueAt: '', channel: 'c', session: 's', break: '0-1', ad: 'a', event: 'start' },
    ...{ host: 'h', url: 'u', outcome: 'sent' as const, attempts: 1, unsure: 0 },
  };
  const others = [
    { ...beacon, ad: 'b' },
    { ...beacon, break: '0-2' },
  ];
  expect(beaconsOf([beacon, ...others], '0-1', 'a')).toEqual([beacon]);
  const outcomes = ['sent', 'failed', 'pending'] as const;
  const said = outcomes.flatMap((outcome) => [1, 3].map((attempts) => sayBeacon({ ...beacon, outcome, attempts })));
  expect(new Set(said).size).toBe(6);
  expect(sayBeacon(beacon)).not.toMatch(/\d/);
  expect(sayBeacon({ ...beacon, attempts: 3 })).toEqual(naming(sayBeacon(beacon), 3));
  expect(sayBeacon({ ...beacon, outcome: 'failed', status: 404 })).toEqual(naming(404));
  expect(sayBeacon({ ...beacon, outcome: 'pending', attempts: 0 })).not.toMatch(/\d/);
});

test('of creatives that were asked for, what was not taken is told, and that there was none', () => {
  const asset = { id: 'a' } as AssetsAdded['assets'][number];
  const skipped = [{ adId: '7', title: 'Tea', reason: { code: 'NO_MEDIA_FILE', text: 'It names no media file.' } }];
  expect(tellAdded({ assets: [asset], skipped: [], warnings: [] })).toEqual([]);
  const [nothing, ...rest] = tellAdded({ assets: [], skipped: [], warnings: [] });
  expect([nothing, rest]).toEqual([expect.any(String), []]);
  const [none, ...remarks] = tellAdded({ assets: [], skipped, warnings: ['odd'] });
  expect([none, remarks]).toEqual([expect.not.stringMatching(/\d/), [naming('Tea', skipped[0]!.reason.text), 'odd']]);
  expect(none).not.toBe(nothing);
  expect(tellAdded({ assets: [asset], skipped: [], warnings: ['odd'] })).toEqual([naming(1), 'odd']);
});
