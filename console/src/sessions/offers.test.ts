// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { hasFailed, hookText, offerText, requestedText } from './offers.ts';

const ad = { adId: 'a', duration: 30, outcome: 'stitched' } as const;

test('an offer names its source, its step, its price and its advertisers, as far as they are known', () => {
  expect(offerText(ad)).toBe('');
  const price = { amount: 2.5, currency: 'EUR' };
  const offer = offerText({ ...ad, source: 's', step: 1, price, advertisers: ['tea.example'] }, [
    { source: 's', name: 'Direct' },
  ]);
  expect(offer).toMatch(/Direct.*2\b.*2\.50 EUR.*tea\.example/);
  // What a hook puts first is in a step before the first one.
  expect(offerText({ ...ad, source: 's', step: -1 })).not.toMatch(/\d/);
});

test('what was requested is stated with its limits', () => {
  expect(requestedText({ requested: { duration: 30, maxAds: 2 } })).toBe('30 s, 2 ads');
  expect(requestedText({ requested: { duration: 30 } })).toBe('30 s');
  expect(requestedText({})).toBe('–');
});

test('a source has failed if it was requested and did not respond as it should', () => {
  const reason = (code: string) => ({ code, text: '' });
  expect(hasFailed({ ms: 900, reason: reason('AD_SERVER_TIMEOUT') })).toBe(true);
  expect(hasFailed({ ms: 90, reason: reason('NO_BID') })).toBe(false);
  expect(hasFailed({ reason: reason('RATE_REACHED') })).toBe(false);
});

test('a call of a hook states what it changed, or why it was ignored', () => {
  expect(hookText({ hook: 'ads', ms: 12.4, status: 200, changes: ['dropped "Tea"'] })).toMatch(/^12 ms.*200.*Tea/);
  expect(hookText({ hook: 'ads', ms: 300, error: 'no response', changes: [] })).toMatch(/no response$/);
  expect(hookText({ hook: 'ads', ms: 1, status: 204, changes: [] })).toMatch(/no changes$/);
});
