// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readyCandidate as ad } from '../../../test/ads/podCandidates.ts';
import { naming } from '../../../test/naming.ts';
import { fitFramedPod } from './fitPod.ts';

const rate = { n: 25, d: 1 };
const intro = { mediaId: 'in', frames: 50 };
const outro = { mediaId: 'out', frames: 25 };

test('ads, bumpers and slate add up to the break', () => {
  const pod = fitFramedPod({ breakFrames: 500, rate, candidates: [ad('a', 250), ad('b', 250)] }, { intro, outro });
  expect(pod).toMatchObject({ ads: [{ frames: 250 }], slateFrames: 175, intro, outro });
  expect(pod.outcomes[1]).toMatchObject({ text: naming('10.00', '7.00') });
});

test('a remainder too short for slate extends the last ad before the outro', () => {
  const pod = fitFramedPod({ breakFrames: 330, rate, candidates: [ad('a', 250)] }, { intro, outro });
  expect(pod).toMatchObject({ ads: [{ frames: 255 }], slateFrames: 0, intro, outro });
});

test('bumpers are omitted in favour of an ad', () => {
  const pod = fitFramedPod({ breakFrames: 300, rate, candidates: [ad('a', 300)] }, { intro, outro });
  expect(pod).toMatchObject({ ads: [{ frames: 300 }], slateFrames: 0 });
  expect('intro' in pod).toBe(false);
});

test('there are no bumpers without ads, and none that are longer than the break', () => {
  expect('intro' in fitFramedPod({ breakFrames: 300, rate, candidates: [] }, { intro })).toBe(false);
  const long = { intro: { mediaId: 'in', frames: 295 } };
  expect(fitFramedPod({ breakFrames: 300, rate, candidates: [ad('a', 100)] }, long).ads).toHaveLength(1);
});

test('an inserted break is as long as its bumpers and ads, which are within its limit', () => {
  const order = { rate, isInserted: true, candidates: [ad('a', 250), ad('b', 250)] };
  const some = fitFramedPod({ ...order, breakFrames: 345 }, { intro, outro });
  expect(some).toMatchObject({ ads: [{ frames: 250 }], slateFrames: 0, intro, outro });
  expect(some.reason).toEqual({ code: 'ADS_SKIPPED', text: naming(1, '10.00', '0.80') });
  const all = fitFramedPod({ ...order, breakFrames: 576 }, { intro, outro });
  expect(all).toMatchObject({ ads: [{ frames: 250 }, { frames: 250 }], slateFrames: 0, intro, outro });
  expect(all).not.toHaveProperty('reason');
  const open = fitFramedPod({ ...order, breakFrames: Number.POSITIVE_INFINITY }, { intro, outro });
  expect(open.ads).toHaveLength(2);
});

test('an inserted break without space for an ad shows nothing', () => {
  const order = { rate, isInserted: true, candidates: [ad('a', 250)] };
  for (const breakFrames of [0, 5, 100]) {
    const pod = fitFramedPod({ ...order, breakFrames }, { intro });
    expect(pod).toMatchObject({ ads: [], slateFrames: 0, reason: { code: 'NO_AD_SHOWN' } });
    expect(pod.outcomes).toMatchObject([{ code: 'BREAK_DURATION_EXCEEDED' }]);
    expect('intro' in pod).toBe(false);
  }
});
