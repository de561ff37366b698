// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { BreakPosition, BreakRecord } from '../../../ads/record/breakRecord.ts';
import { whyNotReplayed } from './whyNotReplayed.ts';

const base: BreakRecord = {
  id: '0-1',
  startsAt: '2026-03-01T20:00:00.000Z',
  duration: 30,
  status: 'empty',
  warnings: [],
  ads: [],
  slate: 30,
};
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
  ['of a version that stored no requests', { response }],
  ['of VMAP that showed ads', { request, position: named, ads }],
  ['of VAST that was shown as a pre-roll', { request, response, position: named }],
])('a break %s can be replayed', (_, more) => {
  expect(whyNotReplayed({ ...base, ...more })).toBeUndefined();
});
