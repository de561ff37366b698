// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import type { JudgedAd } from '../../../src/platform/tries/contract/tryContract.ts';
import { differenceSummary } from '../sessions/ReplayBreak.tsx';
import { adVerdict, contentsText, exchangeBar } from './verdicts.ts';

const ad = (more: Partial<JudgedAd>): JudgedAd => ({ adId: 'a', duration: 1, outcome: 'skipped', ...more });
const because = (code: string) => ({ reason: { code, text: code } });

describe('the verdict on an ad', () => {
  it.each([
    [ad({ outcome: 'stitched', creativeState: 'ready' }), 'plays'],
    [ad({ ...because('CREATIVE_PREPARING'), creativeState: 'absent' }), 'absent'],
    [ad({ ...because('CREATIVE_PREPARING'), creativeState: 'waiting' }), 'making'],
    [ad({ ...because('CREATIVE_FAILED'), creativeState: 'failed' }), 'failed'],
    [ad({ ...because('BREAK_FULL'), creativeState: 'ready' }), 'skipped'],
    [ad({}), 'skipped'],
  ] as const)('of %j is %s', (one, verdict) => {
    expect(adVerdict(one)).toBe(verdict);
  });
});

it('sums up differences', () => {
  const changes = ['playsNow', 'same', 'same', 'skippedNow', 'otherReason', 'notReplayed'] as const;
  expect(differenceSummary(changes.map((change) => ({ adId: '', change })))).toBe(
    '1 ad would play now, 1 ad would no longer play, 2 ads with other changes, 2 unchanged',
  );
  expect(differenceSummary([])).toBe('No ads to compare');
});

it('describes documents', () => {
  const exchange = { url: '', method: 'GET', headers: {}, curl: '', startedMs: 0, ms: 0, redirects: [] } as const;
  const textOf = (contents: object) => contentsText({ ...exchange, redirects: [], contents });
  expect(textOf({ format: 'VAST', version: '4.2', ads: 2, wrappers: 1 })).toBe('VAST 4.2: 2 ads, 1 wrapper');
  expect(textOf({ format: 'VMAP', version: '1.0', breaks: [{ timeOffset: 'start', source: 'vast' }] })).toBe(
    'VMAP 1.0: 1 break',
  );
  expect(textOf({ format: 'OpenRTB', bids: 4 })).toBe('OpenRTB: 4 bids');
  expect(textOf({ problem: 'it is JSON' })).toBe('it is JSON');
});

it('places exchanges on one time axis', () => {
  const [first, second] = [
    { startedMs: 0, ms: 50 },
    { startedMs: 50, ms: 150 },
  ] as const;
  expect(exchangeBar(second, [first, second])).toEqual({ start: 25, width: 75 });
  expect(exchangeBar({ startedMs: 0, ms: 0 }, [{ startedMs: 0, ms: 0 }])).toEqual({ start: 0, width: 1 });
});
