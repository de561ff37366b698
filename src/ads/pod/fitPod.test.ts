// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it, test } from 'vitest';
import { isUsedAsIs, readyCandidate as ready, usedAsIs } from '../../../test/ads/podCandidates.ts';
import { naming } from '../../../test/naming.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import { fitFramedPod, fitPod, type PodCandidate, type PodRequest, type Repeats } from './fitPod.ts';

const ntsc = { n: 30_000, d: 1001 };
const rate = { n: 25, d: 1 };

const codes = (pod: ReturnType<typeof fitPod>) =>
  pod.outcomes.map((outcome) => (outcome.outcome === 'stitched' ? 'stitched' : outcome.code));

const textOf = ({ outcomes }: ReturnType<typeof fitPod>, index: number): string => {
  const outcome = outcomes[index]!;
  return outcome.outcome === 'skipped' ? outcome.text : '';
};

describe('fitPod', () => {
  it('uses the ads that fit, in order, and leaves the rest to slate', () => {
    const pod = fitPod({ breakFrames: 1500, rate, candidates: [ready('a', 500), ready('b', 750)] });
    expect(pod.ads).toEqual([
      { candidate: 0, creativeId: 'media-a', frames: 500, mediaFrames: 500 },
      { candidate: 1, creativeId: 'media-b', frames: 750, mediaFrames: 750 },
    ]);
    expect(pod.slateFrames).toBe(250);
    expect(pod.reason).toEqual({ code: 'TOO_FEW_ADS', text: naming('50.00', '60.00') });
  });

  it('skips ads that do not fit, with a reason, and uses later ones that do', () => {
    const candidates = [ready('a', 500), ready('far', 2000), ready('long', 1000), ready('b', 250)];
    const pod = fitPod({ breakFrames: 1000, rate, candidates });
    expect(codes(pod)).toEqual(['stitched', 'BREAK_DURATION_EXCEEDED', 'REMAINDER_TOO_SHORT', 'stitched']);
    expect(pod.outcomes[1]).toMatchObject({ text: naming('80.00', '40.00') });
    expect(pod.outcomes[2]).toMatchObject({ text: naming('40.00', '20.00') });
    expect(pod.reason).toEqual({ code: 'TOO_FEW_ADS', text: naming('30.00', '40.00', 2, textOf(pod, 1)) });
  });

  it('trims the last of two ads of 450 frames to a break of 899', () => {
    const pod = fitPod({ breakFrames: 899, rate: ntsc, candidates: [ready('a', 450), ready('b', 450)] });
    expect(pod.ads.map(({ frames }) => frames)).toEqual([450, 449]);
    expect(pod).toMatchObject({ slateFrames: 0 });
    expect(pod.reason).toBeUndefined();
  });

  it('neither cuts nor extends a creative used as is', () => {
    const request = { breakFrames: 899, rate: ntsc };
    const alone = fitPod({ ...request, candidates: [usedAsIs('a', 450), usedAsIs('b', 450)] });
    expect(codes(alone)).toEqual(['stitched', 'FIXED_LENGTH']);
    expect(textOf(alone, 1)).toEqual(naming(1));
    expect(alone).toMatchObject({ ads: [{ frames: 450 }], slateFrames: 449 });
    const tooShort = fitPod({ ...request, candidates: [usedAsIs('c', 898)] });
    expect(codes(tooShort)).toEqual(['FIXED_LENGTH']);
    expect(textOf(tooShort, 0)).toEqual(naming(1));
    expect(textOf(tooShort, 0)).not.toBe(textOf(alone, 1));
  });

  it('trims an inserted break only to its limit, and not an ad used as is', () => {
    const request = { breakFrames: 899, rate: ntsc, isInserted: true };
    const trimmed = fitPod({ ...request, candidates: [ready('a', 450), ready('b', 450)] });
    expect(trimmed.ads.map(({ frames }) => frames)).toEqual([450, 449]);
    const kept = fitPod({ ...request, candidates: [usedAsIs('a', 450), usedAsIs('b', 445)] });
    expect(kept.ads.map(({ frames }) => frames)).toEqual([450, 445]);
    expect(kept.reason).toBeUndefined();
    const over = fitPod({ ...request, candidates: [usedAsIs('a', 450), usedAsIs('b', 450)] });
    expect(codes(over)).toEqual(['stitched', 'FIXED_LENGTH']);
    expect(textOf(over, 1)).toEqual(naming(1));
    expect(over).toMatchObject({ ads: [{ frames: 450 }], reason: { code: 'ADS_SKIPPED' } });
  });

  it('cuts another ad of the pod in place of one used as is', () => {
    const request = { breakFrames: 899, rate: ntsc };
    for (const candidates of [
      [ready('a', 450), usedAsIs('b', 450)],
      [usedAsIs('a', 450), ready('b', 450)],
    ]) {
      const pod = fitPod({ ...request, candidates });
      expect(codes(pod)).toEqual(['stitched', 'stitched']);
      expect(pod.slateFrames).toBe(0);
      expect(pod.ads.map(({ frames }) => frames)).toEqual(candidates.map((one) => (isUsedAsIs(one) ? 450 : 449)));
    }
  });

  it('trims at most two frames', () => {
    const podOf = (frames: number) => codes(fitPod({ breakFrames: 899, rate: ntsc, candidates: [ready('a', frames)] }));
    expect([podOf(901), podOf(902)]).toEqual([['stitched'], ['BREAK_DURATION_EXCEEDED']]);
  });

  it('holds the last frame only when the rest is too short for slate', () => {
    const least = minSlateFrames(ntsc);
    const podOf = (rest: number) => fitPod({ breakFrames: 450 + rest, rate: ntsc, candidates: [ready('a', 450)] });
    expect(podOf(least - 1)).toMatchObject({ ads: [{ frames: 449 + least, mediaFrames: 450 }], slateFrames: 0 });
    expect(podOf(least)).toMatchObject({ ads: [{ frames: 450 }], slateFrames: least });
  });

  it('plays a pod in its sequence, then stand-alone ads, recently seen ones last', () => {
    const candidates = [
      ready('lately', 100),
      ready('alone', 100),
      ready('second', 100, { sequence: 2 }),
      ready('first', 100, { sequence: 1 }),
    ];
    const seenSince = (id: string) => (id === 'media-lately' || id === 'media-first' ? 0 : undefined);
    const podOf = (breakFrames: number) => fitPod({ breakFrames, rate, candidates, seenSince });
    expect(podOf(400).ads.map(({ candidate }) => candidate)).toEqual([3, 2, 1, 0]);
    expect(podOf(300).ads.map(({ candidate }) => candidate)).toEqual([3, 2, 1]);
    expect(podOf(200).ads.map(({ candidate }) => candidate)).toEqual([2, 1]);
    expect(codes(podOf(200))).toEqual(['SHOWN_LATELY', 'stitched', 'stitched', 'SHOWN_LATELY']);
  });

  it('repeats a recently seen ad when no other fits', () => {
    const candidates = [ready('a', 100), ready('long', 500)];
    const pod = fitPod({ breakFrames: 400, rate, candidates, seenSince: () => 0 });
    expect(codes(pod)).toEqual(['stitched', 'BREAK_DURATION_EXCEEDED']);
  });

  it('prefers the ad seen longest ago when all were seen recently', () => {
    const candidates = ['a', 'b', 'c'].map((key) => ready(key, 100));
    const latest = ['media-b', 'media-a', 'media-c'];
    const pod = fitPod({ breakFrames: 100, rate, candidates, seenSince: (id) => latest.indexOf(id) });
    expect(codes(pod)).toEqual(['SHOWN_LATELY', 'SHOWN_LATELY', 'stitched']);
  });

  it('leaves a remainder shorter than minFill to slate', () => {
    const candidates = [ready('a', 300), ready('short', 50)];
    const podOf = (minFill: number) => fitPod({ breakFrames: 400, rate, candidates, minFill });
    expect(codes(podOf(100))).toEqual(['stitched', 'stitched']);
    expect(codes(podOf(101))).toEqual(['stitched', 'REMAINDER_TOO_SHORT']);
    expect(podOf(101).outcomes[1]).toMatchObject({ text: naming('4.00', '4.04') });
    expect(codes(podOf(401))).toEqual(['stitched', 'REMAINDER_TOO_SHORT']);
  });

  it('keeps the order of the response when all sequences are equal', () => {
    const candidates = ['a', 'b', 'c'].map((key) => ready(key, 100, { sequence: 1 }));
    const pod = fitPod({ breakFrames: 400, rate, candidates });
    expect(pod.ads.map(({ candidate }) => candidate)).toEqual([0, 1, 2]);
  });

  it('uses a stand-alone ad in place of a pod ad that is not ready', () => {
    const candidates: PodCandidate[] = [
      ready('alone', 250),
      { id: '1', key: '1', sequence: 1, creative: { state: 'preparing' } },
      ready('2', 250, { sequence: 2 }),
    ];
    const pod = fitPod({ breakFrames: 500, rate, candidates });
    expect(codes(pod)).toEqual(['stitched', 'CREATIVE_PREPARING', 'stitched']);
    expect(pod.slateFrames).toBe(0);
  });

  it('shows no creative twice outside of a pod, whatever its key is', () => {
    const sameMedia = { ...ready('other', 100), creative: ready('a', 100).creative };
    const pod = fitPod({ breakFrames: 1000, rate, candidates: [ready('a', 100), ready('a', 100), sameMedia] });
    expect(codes(pod)).toEqual(['stitched', 'CREATIVE_REPEATED', 'CREATIVE_REPEATED']);
  });

  it('by default keeps repeated ads of a pod and drops repeated stand-alone ads', () => {
    const candidates = [
      ready('bumper', 50, { sequence: 1 }),
      ready('a', 100, { sequence: 2 }),
      ready('bumper', 50, { sequence: 3 }),
      ready('a', 100),
      ready('b', 100),
      ready('b', 100),
    ];
    const podWith = (repeats?: Repeats) => fitPod({ breakFrames: 1000, rate, candidates, ...(repeats && { repeats }) });
    const shown = (repeats?: Repeats) => podWith(repeats).ads.map(({ candidate }) => candidate);
    expect(shown()).toEqual([0, 1, 2, 4]);
    expect(shown('inPods')).toEqual([0, 1, 2, 4]);
    expect(shown('allow')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(shown('drop')).toEqual([0, 1, 4]);
    expect(codes(podWith())[3]).toBe('CREATIVE_REPEATED');
  });

  it('shows fillers again, in their order, in what no other ad fills', () => {
    const filler = (key: string, frames: number) => ready(key, frames, { isFiller: true });
    const order = { rate, candidates: [filler('a', 200), filler('b', 100), ready('c', 150), filler('long', 9000)] };
    const shown = (more: Partial<PodRequest> = {}) =>
      fitPod({ ...order, breakFrames: 1000, ...more }).ads.map(({ candidate }) => candidate);
    expect(shown()).toEqual([0, 1, 2, 0, 1, 0]);
    expect(fitPod({ ...order, breakFrames: 1000 })).toMatchObject({ slateFrames: 50, outcomes: { length: 4 } });
    expect(shown({ maxAds: 4 })).toEqual([0, 1, 2, 0]);
    expect(shown({ minFill: 300 })).toEqual([0, 1, 2, 0, 1]);
    for (const none of [{ repeats: 'drop' }, { isInserted: true }] as const) expect(shown(none)).toEqual([0, 1, 2]);
  });

  it('ends after many repetitions of a short filler', () => {
    const pod = fitPod({ breakFrames: 90_000, rate, candidates: [ready('a', 25, { isFiller: true })] });
    expect(pod.ads).toHaveLength(51);
    expect(pod.slateFrames).toBe(90_000 - 51 * 25);
  });

  it('respects maxAds, including zero', () => {
    const candidates = [ready('a', 100), ready('b', 100)];
    const podOf = (maxAds: number) => fitPod({ breakFrames: 1000, maxAds, rate, candidates });
    expect(codes(podOf(1))).toEqual(['stitched', 'MAX_ADS_REACHED']);
    expect(podOf(1).outcomes[1]).toMatchObject({ text: naming(1) });
    expect(codes(podOf(0))).toEqual(['MAX_ADS_REACHED', 'MAX_ADS_REACHED']);
  });

  it('reports why there is only slate', () => {
    const podOf = (...candidates: PodCandidate[]) => fitPod({ breakFrames: 750, rate, candidates });
    const candidate = (id: string, creative: PodCandidate['creative']): PodCandidate => ({ id, key: id, creative });
    const preparing = candidate('1', { state: 'preparing' });
    const failed = candidate('2', { state: 'failed', fault: 'NO_VIDEO', reason: 'it contains no video' });
    const none = candidate('3', { state: 'none', reason: 'It has only VPAID scripts.' });
    expect(podOf()).toMatchObject({ ads: [], slateFrames: 750, reason: { code: 'NO_ADS' } });
    expect(podOf(none).reason).toEqual({ code: 'NO_AD_SHOWN', text: naming('It has only VPAID scripts.') });
    const same = podOf(preparing, preparing);
    expect(same.reason).toEqual({ code: 'NO_AD_SHOWN', text: naming(2, textOf(same, 0)) });
    const different = podOf(failed, preparing);
    expect(different.reason).toEqual({ code: 'NO_AD_SHOWN', text: naming(2, 'it contains no video') });
    const introduction = ({ reason }: typeof same, text: string) => reason?.text.replace(text, '');
    expect(introduction(different, textOf(different, 0))).not.toBe(introduction(same, textOf(same, 0)));
    const banner: PodCandidate = { ...none, creative: { state: 'none', code: 'NOT_LINEAR', reason: 'x' } };
    expect(codes(podOf(banner))).toEqual(['NOT_LINEAR']);
    expect(codes(podOf(none, failed, preparing))).toEqual(['NO_MEDIA_FILE', 'CREATIVE_FAILED', 'CREATIVE_PREPARING']);
    expect(podOf(failed, preparing).outcomes).toMatchObject([{ fault: 'NO_VIDEO' }, { code: 'CREATIVE_PREPARING' }]);
    expect(podOf(preparing).outcomes[0]).not.toHaveProperty('fault');
    const stages = (['absent', 'waiting', 'making', undefined] as const).map((stage) =>
      textOf(podOf({ ...preparing, creative: { state: 'preparing', ...(stage ? { stage } : {}) } }), 0),
    );
    expect(stages.map((text) => /is being prepared/.test(text))).toEqual([false, false, true, true]);
    expect(stages.map((text) => /later break/.test(text))).toEqual([false, true, true, true]);
  });

  it('rejects a break that is too short for slate', () => {
    expect(() => fitPod({ breakFrames: 14, rate: ntsc, candidates: [] })).toThrow(
      expect.objectContaining({ message: naming(15) }),
    );
  });
});

const intro = { mediaId: 'in', frames: 50 };
const outro = { mediaId: 'out', frames: 25 };

test('ads, bumpers and slate add up to the break', () => {
  const pod = fitFramedPod(
    { breakFrames: 500, rate, candidates: [ready('a', 250), ready('b', 250)] },
    { intro, outro },
  );
  expect(pod).toMatchObject({ ads: [{ frames: 250 }], slateFrames: 175, intro, outro });
  expect(pod.outcomes[1]).toMatchObject({ text: naming('10.00', '7.00') });
});

test('a remainder too short for slate extends the last ad before the outro', () => {
  const pod = fitFramedPod({ breakFrames: 330, rate, candidates: [ready('a', 250)] }, { intro, outro });
  expect(pod).toMatchObject({ ads: [{ frames: 255 }], slateFrames: 0, intro, outro });
});

test('bumpers are omitted in favour of an ad', () => {
  const pod = fitFramedPod({ breakFrames: 300, rate, candidates: [ready('a', 300)] }, { intro, outro });
  expect(pod).toMatchObject({ ads: [{ frames: 300 }], slateFrames: 0 });
  expect('intro' in pod).toBe(false);
});

test('there are no bumpers without ads, and none that are longer than the break', () => {
  expect('intro' in fitFramedPod({ breakFrames: 300, rate, candidates: [] }, { intro })).toBe(false);
  const long = { intro: { mediaId: 'in', frames: 295 } };
  expect(fitFramedPod({ breakFrames: 300, rate, candidates: [ready('a', 100)] }, long).ads).toHaveLength(1);
});

test('an inserted break is as long as its bumpers and ads, which are within its limit', () => {
  const order = { rate, isInserted: true, candidates: [ready('a', 250), ready('b', 250)] };
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
  const order = { rate, isInserted: true, candidates: [ready('a', 250)] };
  for (const breakFrames of [0, 5, 100]) {
    const pod = fitFramedPod({ ...order, breakFrames }, { intro });
    expect(pod).toMatchObject({ ads: [], slateFrames: 0, reason: { code: 'NO_AD_SHOWN' } });
    expect(pod.outcomes).toMatchObject([{ code: 'BREAK_DURATION_EXCEEDED' }]);
    expect('intro' in pod).toBe(false);
  }
});
