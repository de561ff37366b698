// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isUsedAsIs, readyCandidate as ready, usedAsIs } from '../../../test/ads/podCandidates.ts';
import { lawRuns } from '../../../test/lawRuns.ts';
import { withoutUndefined } from '../../invariant.ts';
import { minSlateFrames, secondsToFrames } from '../../timeline/asset/frameGrid.ts';
import { fitPod, type PodCandidate, type Repeats } from './fitPod.ts';

const ntsc = { n: 30_000, d: 1001 };
const rates = [{ n: 24_000, d: 1001 }, { n: 25, d: 1 }, ntsc, { n: 50, d: 1 }, { n: 60_000, d: 1001 }];

describe('fitPod', () => {
  const candidate = (rate: { n: number; d: number }): fc.Arbitrary<PodCandidate> =>
    fc
      .record({
        key: fc.integer({ min: 0, max: 9 }),
        frames: fc.oneof(
          fc.integer({ min: 1, max: 3000 }),
          fc.constantFrom(5, 10, 15, 20, 30).map((seconds) => secondsToFrames(seconds, rate)),
        ),
        sequence: fc.option(fc.integer({ min: 0, max: 5 }), { nil: undefined }),
        isAsIs: fc.boolean(),
        isFiller: fc.nat(9).map((one) => one < 2),
        state: fc.constantFrom('ready', 'ready', 'ready', 'ready', 'preparing', 'failed', 'none'),
      })
      .map(({ key, frames, sequence, isAsIs, isFiller, state }): PodCandidate => {
        const placed = withoutUndefined({ sequence, isFiller: isFiller || undefined });
        if (state === 'ready') return (isAsIs ? usedAsIs : ready)(`${key}`, frames, placed);
        const creative =
          state === 'preparing'
            ? ({ state } as const)
            : ({ state: state as 'failed', fault: 'NOT_FOUND', reason: 'x' } as const);
        return { id: `${key}`, key: `${key}`, creative, ...placed };
      });

  const order = fc.constantFrom(...rates).chain((rate) =>
    fc.record({
      rate: fc.constant(rate),
      breakFrames: fc.oneof(
        fc.integer({ min: minSlateFrames(rate), max: 4000 }),
        fc.constantFrom(15, 30, 45, 60, 90).map((seconds) => secondsToFrames(seconds, rate)),
      ),
      maxAds: fc.option(fc.integer({ min: 0, max: 6 }), { nil: undefined }),
      candidates: fc.array(candidate(rate), { maxLength: 12 }),
      repeats: fc.constantFrom<Repeats[]>('allow', 'inPods', 'drop'),
      seenSince: fc
        .array(fc.integer({ min: 0, max: 9 }).map((key) => `media-${key}`))
        .map((seen) => (id: string) => (seen.includes(id) ? seen.indexOf(id) : undefined)),
    }),
  );

  function expectAsReported({ ads, outcomes }: ReturnType<typeof fitPod>, maxAds = Number.POSITIVE_INFINITY): void {
    const shown = outcomes.flatMap((fate, index) => (fate.outcome === 'stitched' ? [index] : []));
    expect([...new Set(ads.map(({ candidate }) => candidate))].sort((a, b) => a - b)).toEqual(shown);
    expect(ads.length).toBeLessThanOrEqual(maxAds);
  }

  it('fills every break exactly, for any frame rate and candidates', () => {
    fc.assert(
      fc.property(order, ({ maxAds, ...rest }) => {
        const pod = fitPod({ ...rest, ...(maxAds === undefined ? {} : { maxAds }) });
        const { breakFrames, rate, candidates } = rest;
        const least = minSlateFrames(rate);

        const total = pod.ads.reduce((sum, { frames }) => sum + frames, pod.slateFrames);
        expect(total).toBe(breakFrames);
        expect(pod.slateFrames === 0 || pod.slateFrames >= least).toBe(true);
        expect(pod.reason === undefined).toBe(pod.slateFrames === 0);

        expect(pod.outcomes.length).toBe(candidates.length);
        expectAsReported(pod, maxAds);

        // Here each candidate's media id is derived from its key.
        const firsts = new Set<string>();
        for (const { candidate, creativeId } of pod.ads) {
          const { sequence, isFiller } = candidates[candidate] ?? {};
          const mayRepeat =
            rest.repeats === 'allow' || (rest.repeats === 'inPods' && (sequence !== undefined || isFiller));
          expect(firsts.has(creativeId) && !mayRepeat).toBe(false);
          firsts.add(creativeId);
        }

        pod.ads.forEach(({ candidate, frames, mediaFrames }, index) => {
          expect(candidates[candidate]?.creative).toMatchObject({ state: 'ready', media: { frames: mediaFrames } });
          expect(frames).toBeGreaterThanOrEqual(least);
          expect(frames - mediaFrames).toBeGreaterThanOrEqual(-2);
          expect(frames - mediaFrames).toBeLessThan(least);
          if (frames === mediaFrames) return;
          // Only the last ad that can be cut or extended is changed.
          expect([index, pod.slateFrames]).toEqual([
            pod.ads.findLastIndex((ad) => !isUsedAsIs(candidates[ad.candidate]!)),
            0,
          ]);
        });
      }),
      lawRuns(2000),
    );
  });

  it('skips no ad that would still fit', () => {
    fc.assert(
      fc.property(order, ({ maxAds, ...rest }) => {
        const pod = fitPod({ ...rest, ...(maxAds === undefined ? {} : { maxAds }) });
        if (pod.ads.length === maxAds) return;
        const used = new Set(pod.ads.map(({ candidate }) => rest.candidates[candidate]?.key));
        for (const { key, creative } of rest.candidates) {
          if (creative.state !== 'ready' || used.has(key)) continue;
          const { frames } = creative.media;
          const [least, left] = [minSlateFrames(rest.rate), pod.slateFrames];
          const isUnfit = creative.media.asset !== undefined && left > frames && left - frames < least;
          expect(frames < least || frames > left || isUnfit).toBe(true);
        }
      }),
    );
  });

  it('shows every ad of an inserted break with its own frames, within the limit', () => {
    fc.assert(
      fc.property(order, fc.boolean(), ({ maxAds, breakFrames, ...rest }, isOpen) => {
        const limit = isOpen ? Number.POSITIVE_INFINITY : breakFrames;
        const limits = { breakFrames: limit, ...(maxAds === undefined ? {} : { maxAds }) };
        // A minimum remainder is for slate only.
        const pod = fitPod({ ...rest, ...limits, isInserted: true, minFill: 1000 });
        const { candidates, rate } = rest;
        const least = minSlateFrames(rate);

        expect(pod.ads.reduce((sum, { frames }) => sum + frames, 0)).toBeLessThanOrEqual(limit);
        expect(pod.slateFrames).toBe(0);
        expectAsReported(pod, maxAds);
        const shown = pod.ads.length;
        expect(pod.reason === undefined).toBe(shown > 0 && shown === candidates.length);

        const trimmed = pod.ads.filter(({ frames, mediaFrames }) => frames !== mediaFrames);
        expect(trimmed.length).toBeLessThanOrEqual(1);
        for (const { candidate, frames, mediaFrames } of pod.ads) {
          expect(candidates[candidate]?.creative).toMatchObject({ state: 'ready', media: { frames: mediaFrames } });
          expect(mediaFrames).toBeGreaterThanOrEqual(least);
          expect([0, 1, 2]).toContain(mediaFrames - frames);
        }
        for (const { candidate } of trimmed) {
          expect(isUsedAsIs(candidates[candidate]!)).toBe(false);
          // Only because of the limit.
          expect(pod.ads.reduce((sum, { frames }) => sum + frames, 0)).toBe(limit);
        }
      }),
      lawRuns(2000),
    );
  });
});
