// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { adRecord, richAd, richBreak } from '../../../test/vast/richAd.ts';
import type { ShownFrames } from '../placement/shownFrames.ts';
import type { BreakRecord } from './breakRecord.ts';
import { cutRecord } from './cutRecord.ts';

const at = '2026-03-01T20:00:30.500Z';
const ids = ['1-2-0', '1-2-1', '1-2-2'];
const ads = ids.map((adId) => ({ adId, mediaId: 'm', frames: 250 }));
const record: BreakRecord = {
  ...richBreak('1-2', at),
  status: 'filled',
  slate: 0,
  ads: [
    ...ids.map((adId) => ({ ...adRecord(adId, at, richAd()), creative: { use: 'asIs' } as const, assetUrl: 'u' })),
    { adId: 'x', duration: 5, outcome: 'skipped', reason: { code: 'BREAK_FULL', text: 'Full.' } },
  ],
};
const ended = (frames: number, shown: number[], bumpers = 0): ShownFrames => ({
  rate: { n: 25, d: 1 },
  frames,
  ads: shown,
  bumpers,
});

test('an ad that was cut has the seconds that were shown, and ads after it are skipped', () => {
  const cut = cutRecord(record, ads, ended(316, [250, 50, 0]));
  expect(cut).toMatchObject({ duration: 12.64, slate: 0.64, status: 'partial', reason: { code: 'EARLY_RETURN' } });
  const [whole, part, left, other] = cut.ads;
  expect([whole, other]).toEqual([record.ads[0], record.ads[3]]);
  expect(part).toMatchObject({ outcome: 'stitched', duration: 10, shown: 2, startsAt: at, vast: { id: 'ad-7' } });
  expect(part!.reason).toEqual({ code: 'EARLY_RETURN', text: naming('12.64', '2') });
  expect(left).toEqual({
    adId: 'ad-7',
    title: 'Tea',
    duration: 10,
    outcome: 'skipped',
    reason: { code: 'EARLY_RETURN', text: naming('12.64') },
  });
});

test('cutting a record twice changes nothing more', () => {
  for (const shown of [ended(316, [250, 50, 0]), ended(20, [0, 0, 0]), ended(900, [250, 250, 250], 50)]) {
    const cut = cutRecord(record, ads, shown);
    expect(cutRecord(cut, ads, shown)).toEqual(cut);
    expect(cutRecord(JSON.parse(JSON.stringify(cut)), ads, shown)).toEqual(cut);
  }
});

test('a break that ended before its first ad is empty', () => {
  const cut = cutRecord({ ...record, bumpers: 2 }, ads, ended(50, [0, 0, 0]));
  expect(cut).toMatchObject({ status: 'empty', duration: 2, slate: 2, reason: { code: 'EARLY_RETURN' } });
  expect(cut).not.toHaveProperty('bumpers');
});

test('a break whose ads were all shown keeps its status; its length is the actual one', () => {
  const partial = { ...record, status: 'partial', reason: { code: 'TOO_FEW_ADS', text: '…' }, bumpers: 2 } as const;
  const cut = cutRecord(partial, ads, ended(825, [250, 250, 250], 50));
  expect(cut).toEqual({ ...partial, duration: 33, slate: 1, bumpers: 2 });
});

test('a break without ads that shows content has its actual length', () => {
  const { tracking: _, ...content } = { ...record, ads: [], slate: 0, content: 180, status: 'empty' as const };
  const cut = cutRecord(content, [], ended(500, []));
  expect(cut).toEqual({ ...content, duration: 20, content: 20 });
  // Slate fills the time from a cut ad to the border, whatever the break shows otherwise.
  expect(cutRecord({ ...record, slate: 0, content: 2 }, ads, ended(316, [250, 50, 0]))).toMatchObject({ slate: 0.64 });
});
