// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it, test } from 'vitest';
import { emptyBreak } from '../../../../test/vast/richAd.ts';
import type { AdRecord, BreakPosition, BreakRecord } from '../../../ads/record/breakRecord.ts';
import type { JudgedAd } from '../contract/tryContract.ts';
import { compareBreaks, whyNotReplayed } from './replayBreak.ts';

const skipped = (adId: string, code: string, title?: string) =>
  ({ adId, duration: 5, outcome: 'skipped', reason: { code, text: `${code}.` }, ...(title ? { title } : {}) }) as const;
const shown = (adId: string) => ({ adId, duration: 5, outcome: 'stitched' }) as const;
const changes = (before: readonly AdRecord[], now: readonly JudgedAd[]) =>
  compareBreaks(before, now).map(({ adId, change }) => `${adId} ${change}`);

describe('the differences of a replay', () => {
  it('name ads that would play now, ads that would not, and other reasons', () => {
    expect(
      changes(
        [skipped('a', 'CREATIVE_PREPARING'), shown('b'), skipped('c', 'CREATIVE_PREPARING'), shown('d')],
        [shown('a'), skipped('b', 'BREAK_FULL'), skipped('c', 'CREATIVE_FAILED'), shown('d')],
      ),
    ).toEqual(['a playsNow', 'b skippedNow', 'c otherReason', 'd same']);
  });

  it('compare ads that an early return left out as they were selected', () => {
    const cut = skipped('a', 'EARLY_RETURN');
    expect(changes([cut], [shown('a')])).toEqual(['a same']);
    expect(changes([cut], [skipped('a', 'BREAK_FULL')])).toEqual(['a skippedNow']);
  });

  it('recognise a shown ad by the id of the ad server', () => {
    const vast = { kind: 'inLine', id: 'a' } as AdRecord['vast'] & {};
    expect(changes([{ ...shown('0-3-1'), vast }], [shown('a')])).toEqual(['a same']);
  });

  it('match ads with the same id in order, and by title', () => {
    expect(
      changes(
        [skipped('', 'BREAK_FULL', 'x'), skipped('', 'BREAK_FULL', 'y'), skipped('', 'BREAK_FULL', 'y')],
        [{ ...shown(''), title: 'y' }, skipped('', 'BREAK_FULL', 'x')],
      ),
    ).toEqual([' same', ' playsNow', ' notReplayed']);
  });

  it('contain ads that were not in the record', () => {
    expect(changes([], [shown('a')])).toEqual(['a added']);
  });

  it('state in a sentence what has changed', () => {
    const [one] = compareBreaks([skipped('a', 'CREATIVE_PREPARING')], [shown('a')]);
    expect(one?.text).toMatch(/not ready/);
    const [other] = compareBreaks([shown('a')], [skipped('a', 'MAX_ADS_REACHED')]);
    expect(other?.text).toContain('MAX_ADS_REACHED');
  });
});

const { reason: _, ...base } = emptyBreak('0-1', '2026-03-01T20:00:00.000Z');
const request = { url: 'https://ads.example.com/vast', status: 200, ms: 12 };
const response = { bytes: 10, raw: '<VAST/>' };
const named: BreakPosition = { kind: 'mid', requested: 4, contentTime: 4, movedBy: 0, origin: 'vmap' };
const ads: BreakRecord['ads'] = [{ adId: '0-1-0', duration: 15, outcome: 'stitched' }];

test.each<[string, Partial<BreakRecord>]>([
  ['the response of a whole session', { id: '0-0', duration: 0, request, response }],
  ['a break whose ads were not requested', { reason: { code: 'NO_AD_SERVER', text: 'There is no ad server.' } }],
  ['a break of VMAP that showed no ads', { request, position: named }],
])('%s cannot be replayed', (_, more) => {
  const text = whyNotReplayed({ ...base, ...more });
  expect(text).toContain(more.id ?? '0-1');
  expect(text).toContain(more.reason?.text ?? '');
});

test.each<[string, Partial<BreakRecord>]>([
  ['with a response', { request, response }],
  ['with an empty response', { request }],
  ['whose request failed', { request: { ...request, status: 503, error: 'It failed.' }, response }],
  ['of VMAP that showed ads', { request, position: named, ads }],
  ['of VAST that was shown as a pre-roll', { request, response, position: named }],
])('a break %s can be replayed', (_, more) => {
  expect(whyNotReplayed({ ...base, ...more })).toBeUndefined();
});
