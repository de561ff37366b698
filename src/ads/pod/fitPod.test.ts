import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import type { Asset } from '../../timeline/asset.ts';
import { shortestSlate } from '../../timeline/frameGrid.ts';
import { fitPod, type PodCandidate, type Repeats } from './fitPod.ts';

const ntsc = { n: 30_000, d: 1001 };

const ready = (key: string, frames: number, more: Partial<PodCandidate> = {}): PodCandidate => ({
  id: `ad-${key}`,
  key,
  creative: { state: 'ready', media: { id: `media-${key}`, frames, rungs: [] } },
  ...more,
});

/** Its own segments are shown: they can't be cut or held. */
const asItIs = (key: string, frames: number, more: Partial<PodCandidate> = {}): PodCandidate => ({
  ...ready(key, frames, more),
  creative: { state: 'ready', media: { id: `media-${key}`, frames, rungs: [], asset: {} as Asset } },
});

const codes = (pod: ReturnType<typeof fitPod>) =>
  pod.outcomes.map((fate) => (fate.outcome === 'stitched' ? 'stitched' : fate.code));

const textOf = ({ outcomes }: ReturnType<typeof fitPod>, index: number): string => {
  const fate = outcomes[index]!;
  return fate.outcome === 'skipped' ? fate.text : '';
};

const isWhole = (candidates: readonly PodCandidate[], { candidate }: { candidate: number }): boolean => {
  const { creative } = candidates[candidate]!;
  return creative.state === 'ready' && creative.media.asset !== undefined;
};

describe('fitPod', () => {
  it('fills what fits in order and leaves the rest to slate', () => {
    const pod = fitPod({ breakFrames: 1500, rate: { n: 25, d: 1 }, candidates: [ready('a', 500), ready('b', 750)] });
    expect(pod.ads).toEqual([
      { candidate: 0, creativeId: 'media-a', frames: 500, mediaFrames: 500 },
      { candidate: 1, creativeId: 'media-b', frames: 750, mediaFrames: 750 },
    ]);
    expect(pod.slateFrames).toBe(250);
    expect(pod.reason).toEqual({ code: 'TOO_FEW_ADS', text: naming('50.00', '60.00') });
  });

  it('passes over what does not fit, says why, and takes a later one that does', () => {
    const candidates = [ready('a', 500), ready('far', 2000), ready('long', 1000), ready('b', 250)];
    const pod = fitPod({ breakFrames: 1000, rate: { n: 25, d: 1 }, candidates });
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

  it('neither cuts nor holds what is shown as it is, and says so', () => {
    const order = { breakFrames: 899, rate: ntsc };
    const alone = fitPod({ ...order, candidates: [asItIs('a', 450), asItIs('b', 450)] });
    expect(codes(alone)).toEqual(['stitched', 'FIXED_LENGTH']);
    expect(textOf(alone, 1)).toEqual(naming(1));
    expect(alone).toMatchObject({ ads: [{ frames: 450 }], slateFrames: 449 });
    const tooShort = fitPod({ ...order, candidates: [asItIs('c', 898)] });
    expect(codes(tooShort)).toEqual(['FIXED_LENGTH']);
    expect(textOf(tooShort, 0)).toEqual(naming(1));
    expect(textOf(tooShort, 0)).not.toBe(textOf(alone, 1));
  });

  it('lets another ad of the pod close the break for one that is shown as it is', () => {
    const order = { breakFrames: 899, rate: ntsc };
    for (const candidates of [
      [ready('a', 450), asItIs('b', 450)],
      [asItIs('a', 450), ready('b', 450)],
    ]) {
      const pod = fitPod({ ...order, candidates });
      expect(codes(pod)).toEqual(['stitched', 'stitched']);
      expect(pod.slateFrames).toBe(0);
      expect(pod.ads.map(({ frames }) => frames)).toEqual(
        candidates.map((one) => (isWhole([one], { candidate: 0 }) ? 450 : 449)),
      );
    }
  });

  it('trims two frames at most', () => {
    const podOf = (frames: number) => codes(fitPod({ breakFrames: 899, rate: ntsc, candidates: [ready('a', frames)] }));
    expect([podOf(901), podOf(902)]).toEqual([['stitched'], ['BREAK_DURATION_EXCEEDED']]);
  });

  it('holds the last frame when the rest is too short for slate, and not when it is long enough', () => {
    const least = shortestSlate(ntsc);
    const podOf = (rest: number) => fitPod({ breakFrames: 450 + rest, rate: ntsc, candidates: [ready('a', 450)] });
    expect(podOf(least - 1)).toMatchObject({ ads: [{ frames: 449 + least, mediaFrames: 450 }], slateFrames: 0 });
    expect(podOf(least)).toMatchObject({ ads: [{ frames: 450 }], slateFrames: least });
  });

  it('plays a pod by its sequence, then stand-alone ads, those shown lately last', () => {
    const candidates = [
      ready('lately', 100),
      ready('alone', 100),
      ready('second', 100, { sequence: 2 }),
      ready('first', 100, { sequence: 1 }),
    ];
    const seenSince = (id: string) => (id === 'media-lately' || id === 'media-first' ? 0 : undefined);
    const podOf = (breakFrames: number) => fitPod({ breakFrames, rate: { n: 25, d: 1 }, candidates, seenSince });
    expect(podOf(400).ads.map(({ candidate }) => candidate)).toEqual([3, 2, 1, 0]);
    expect(podOf(300).ads.map(({ candidate }) => candidate)).toEqual([3, 2, 1]);
    expect(podOf(200).ads.map(({ candidate }) => candidate)).toEqual([2, 1]);
    expect(codes(podOf(200))).toEqual(['SHOWN_LATELY', 'stitched', 'stitched', 'SHOWN_LATELY']);
  });

  it('shows again what was shown lately when there is nothing else', () => {
    const candidates = [ready('a', 100), ready('long', 500)];
    const pod = fitPod({ breakFrames: 400, rate: { n: 25, d: 1 }, candidates, seenSince: () => 0 });
    expect(codes(pod)).toEqual(['stitched', 'BREAK_DURATION_EXCEEDED']);
  });

  it('shows what was seen longest ago when everything was seen lately', () => {
    const candidates = ['a', 'b', 'c'].map((key) => ready(key, 100));
    const latest = ['media-b', 'media-a', 'media-c'];
    const pod = fitPod({ breakFrames: 100, rate: { n: 25, d: 1 }, candidates, seenSince: (id) => latest.indexOf(id) });
    expect(codes(pod)).toEqual(['SHOWN_LATELY', 'SHOWN_LATELY', 'stitched']);
  });

  it('leaves a rest to slate that is shorter than the least to be filled', () => {
    const candidates = [ready('a', 300), ready('short', 50)];
    const podOf = (minFill: number) => fitPod({ breakFrames: 400, rate: { n: 25, d: 1 }, candidates, minFill });
    expect(codes(podOf(100))).toEqual(['stitched', 'stitched']);
    expect(codes(podOf(101))).toEqual(['stitched', 'REMAINDER_TOO_SHORT']);
    expect(podOf(101).outcomes[1]).toMatchObject({
      text: naming('4.00', '4.04'),
    });
    expect(codes(podOf(401))).toEqual(['stitched', 'REMAINDER_TOO_SHORT']);
  });

  it('keeps the order of the answer when every sequence is the same', () => {
    const candidates = ['a', 'b', 'c'].map((key) => ready(key, 100, { sequence: 1 }));
    const pod = fitPod({ breakFrames: 400, rate: { n: 25, d: 1 }, candidates });
    expect(pod.ads.map(({ candidate }) => candidate)).toEqual([0, 1, 2]);
  });

  it('puts a stand-alone ad where an ad of the pod fails', () => {
    const candidates: PodCandidate[] = [
      ready('alone', 250),
      { id: '1', key: '1', sequence: 1, creative: { state: 'preparing' } },
      ready('2', 250, { sequence: 2 }),
    ];
    const pod = fitPod({ breakFrames: 500, rate: { n: 25, d: 1 }, candidates });
    expect(codes(pod)).toEqual(['stitched', 'CREATIVE_PREPARING', 'stitched']);
    expect(pod.slateFrames).toBe(0);
  });

  it('shows no creative twice outside of a pod, under whatever key it comes', () => {
    const again = ready('other', 100);
    const sameMedia = {
      ...again,
      creative: { state: 'ready', media: { id: 'media-a', frames: 100, rungs: [] } } as const,
    };
    const pod = fitPod({
      breakFrames: 1000,
      rate: { n: 25, d: 1 },
      candidates: [ready('a', 100), ready('a', 100), sameMedia],
    });
    expect(codes(pod)).toEqual(['stitched', 'CREATIVE_REPEATED', 'CREATIVE_REPEATED']);
  });

  it('keeps what a pod repeats, and drops what stands alone, unless the channel says otherwise', () => {
    const candidates = [
      ready('bumper', 50, { sequence: 1 }),
      ready('a', 100, { sequence: 2 }),
      ready('bumper', 50, { sequence: 3 }),
      ready('a', 100),
      ready('b', 100),
      ready('b', 100),
    ];
    const podWith = (repeats?: Repeats) =>
      fitPod({ breakFrames: 1000, rate: { n: 25, d: 1 }, candidates, ...(repeats && { repeats }) });
    const shown = (repeats?: Repeats) => podWith(repeats).ads.map(({ candidate }) => candidate);
    expect(shown()).toEqual([0, 1, 2, 4]);
    expect(shown('inPods')).toEqual([0, 1, 2, 4]);
    expect(shown('allow')).toEqual([0, 1, 2, 3, 4, 5]);
    expect(shown('drop')).toEqual([0, 1, 4]);
    expect(codes(podWith())[3]).toBe('CREATIVE_REPEATED');
  });

  it('holds to maxAds, zero too', () => {
    const candidates = [ready('a', 100), ready('b', 100)];
    const podOf = (maxAds: number) => fitPod({ breakFrames: 1000, maxAds, rate: { n: 25, d: 1 }, candidates });
    expect(codes(podOf(1))).toEqual(['stitched', 'MAX_ADS_REACHED']);
    expect(podOf(1).outcomes[1]).toMatchObject({ text: naming(1) });
    expect(codes(podOf(0))).toEqual(['MAX_ADS_REACHED', 'MAX_ADS_REACHED']);
  });

  it('says why there is nothing but slate', () => {
    const podOf = (...candidates: PodCandidate[]) => fitPod({ breakFrames: 750, rate: { n: 25, d: 1 }, candidates });
    const preparing: PodCandidate = { id: '1', key: '1', creative: { state: 'preparing' } };
    const failed: PodCandidate = {
      id: '2',
      key: '2',
      creative: { state: 'failed', fault: 'NO_VIDEO', reason: 'it holds no video' },
    };
    const none: PodCandidate = {
      id: '3',
      key: '3',
      creative: { state: 'none', reason: 'It names only VPAID scripts.' },
    };
    expect(podOf()).toMatchObject({ ads: [], slateFrames: 750, reason: { code: 'NO_ADS' } });
    expect(podOf(none).reason).toEqual({ code: 'NO_AD_SHOWN', text: naming('It names only VPAID scripts.') });
    const alike = podOf(preparing, preparing);
    expect(alike.reason).toEqual({ code: 'NO_AD_SHOWN', text: naming(2, textOf(alike, 0)) });
    const unlike = podOf(failed, preparing);
    expect(unlike.reason).toEqual({ code: 'NO_AD_SHOWN', text: naming(2, 'it holds no video') });
    const framed = ({ reason }: typeof alike, text: string) => reason?.text.replace(text, '');
    expect(framed(unlike, textOf(unlike, 0))).not.toBe(framed(alike, textOf(alike, 0)));
    const banner: PodCandidate = { ...none, creative: { state: 'none', code: 'NOT_LINEAR', reason: 'x' } };
    expect(codes(podOf(banner))).toEqual(['NOT_LINEAR']);
    expect(codes(podOf(none, failed, preparing))).toEqual(['NO_MEDIA_FILE', 'CREATIVE_FAILED', 'CREATIVE_PREPARING']);
    expect(podOf(failed, preparing).outcomes).toMatchObject([{ fault: 'NO_VIDEO' }, { code: 'CREATIVE_PREPARING' }]);
    expect(podOf(preparing).outcomes[0]).not.toHaveProperty('fault');
  });

  it('refuses a break that not even slate can fill', () => {
    expect(() => fitPod({ breakFrames: 14, rate: ntsc, candidates: [] })).toThrow(
      expect.objectContaining({ message: naming(15) }),
    );
  });
});
