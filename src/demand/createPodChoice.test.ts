// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readyCandidate } from '../../test/ads/podCandidates.ts';
import { lawRuns } from '../../test/lawRuns.ts';
import { naming } from '../../test/naming.ts';
import { fitPod, type PodCandidate, type PodRequest } from '../ads/pod/fitPod.ts';
import type { AdTraits, BidFacts } from '../ads/record/offer.ts';
import type { AdRules } from '../channels/demand.ts';
import { millis } from '../time/units.ts';
import { createPodChoice, type OfferedAd } from './createPodChoice.ts';
import { withShown } from './viewerCounts.ts';

const rate = { n: 25, d: 1 };
const at = millis(Date.UTC(2026, 10, 30));
const nothing = { at, shown: '' };

type Ad = Partial<AdTraits> & {
  readonly key: string;
  readonly frames?: number;
  /** Units of `currency`. */
  readonly price?: number | undefined;
  readonly currency?: string;
  readonly slot?: BidFacts['slot'] | undefined;
  readonly more?: Partial<PodCandidate>;
};

const traitsOf = ({ advertisers = [], categories = [], creatives = [] }: Ad): AdTraits => ({
  advertisers,
  categories,
  creatives,
});

const offeredOf = ({ price, currency = 'USD', slot, ...ad }: Ad): OfferedAd => ({
  name: ad.key,
  traits: traitsOf(ad),
  ...(slot === undefined ? {} : { slot }),
  ...(price === undefined ? {} : { price: { micros: price * 1_000_000, currency } }),
});

const candidateOf = ({ key, frames = 250, more }: Ad): PodCandidate => readyCandidate(key, frames, more);

function podOf(ads: readonly Ad[], rules: AdRules = {}, more: Partial<PodRequest> = {}, counts = nothing) {
  const choice = createPodChoice(ads.map(offeredOf), rules, counts);
  const pod = fitPod({ breakFrames: 750, rate, candidates: ads.map(candidateOf), choice, ...more });
  const outcomes = pod.outcomes.map((one, index) => `${ads[index]!.key} ${'code' in one ? one.code : 'stitched'}`);
  const textOf = (key: string) =>
    pod.outcomes.flatMap((one, index) => (ads[index]!.key === key && 'text' in one ? one.text : []))[0];
  return { shown: pod.ads.map(({ candidate }) => ads[candidate]!.key).join(' '), outcomes, textOf };
}

describe('the choice of a pod', () => {
  it('prefers the ads of earlier steps', () => {
    const ads: Ad[] = [
      { key: 'late', price: 90, more: { step: 1 } },
      { key: 'second', more: { step: 0 } },
      { key: 'long', frames: 600, price: 99, more: { step: 1 } },
      { key: 'first', more: { step: 0, sequence: 1 } },
    ];
    expect(podOf(ads)).toMatchObject({
      shown: 'first second late',
      outcomes: ['late stitched', 'second stitched', 'long BREAK_FULL', 'first stitched'],
    });
  });

  it('shows the bids that pay most together, then ads without a price, then other bids', () => {
    const bids: Ad[] = [
      { key: 'a', frames: 600, price: 10 },
      { key: 'b', frames: 375, price: 6 },
      { key: 'c', frames: 375, price: 5 },
    ];
    const full = podOf(bids);
    expect(full).toMatchObject({ shown: 'b c', outcomes: ['a OUTBID', 'b stitched', 'c stitched'] });
    expect(full.textOf('a')).toEqual(naming('10 USD'));
    const free: Ad[] = [...bids.slice(0, 1), { key: 'x', frames: 150 }, { key: 'y', frames: 75, price: 2 }];
    expect(podOf([...free, { key: 'z', frames: 100, price: 1 }], {}, { breakFrames: 800 }).shown).toBe('a y z');
    expect(podOf(free, {}, { breakFrames: 800 }).shown).toBe('a y');
    expect(podOf(free, {}, { breakFrames: 800, seenSince: () => 0 }).shown).toBe('a y');
    expect(podOf(free, {}, { maxAds: 1 })).toMatchObject({
      shown: 'a',
      outcomes: ['a stitched', 'x MAX_ADS_REACHED', 'y OUTBID'],
    });
  });

  it('trims pods of bids at 29.97 frames a second', () => {
    const bids = ['a', 'b'].map((key): Ad => ({ key, frames: 450, price: 1 }));
    expect(podOf(bids, {}, { breakFrames: 899, rate: { n: 30_000, d: 1001 } }).shown).toBe('a b');
  });

  it('compares the prices of the currency that most bids have', () => {
    const ads: Ad[] = [
      { key: 'eur', price: 9, currency: 'EUR' },
      { key: 'a', price: 1, frames: 375 },
      { key: 'b', price: 2, frames: 375 },
    ];
    expect(podOf(ads)).toMatchObject({ shown: 'a b', outcomes: ['eur BREAK_FULL', 'a stitched', 'b stitched'] });
  });

  it('leaves alternatives of a waterfall in their order', () => {
    const alternative = (key: string, rank: number, price: number): Ad => ({
      key,
      price,
      more: { fallback: [{ group: '0', rank }] },
    });
    const ads = [alternative('a', 0, 1), alternative('b', 1, 9), { key: 'c', price: 5, frames: 500 }];
    expect(podOf(ads)).toMatchObject({ shown: 'a c', outcomes: ['a stitched', 'b FALLBACK_NOT_NEEDED', 'c stitched'] });
  });

  it('puts another ad between competitors, also one that comes later', () => {
    const rules: AdRules = { separateAdvertisers: 'adjacent' };
    const of = (key: string, advertiser: string, step = 0): Ad => ({ key, advertisers: [advertiser], more: { step } });
    const two = [of('a', 'a.com'), of('b', 'a.com')];
    expect(podOf([...two, of('c', 'c.com', 1), of('d', 'd.com', 2)], rules)).toMatchObject({
      shown: 'a c b',
      outcomes: ['a stitched', 'b stitched', 'c stitched', 'd BREAK_FULL'],
    });
    const alone = podOf(two, rules);
    expect(alone.outcomes).toEqual(['a stitched', 'b COMPETITOR_ADJACENT']);
    expect(alone.textOf('b')).toEqual(naming('a.com', 'a'));
  });

  it('gives bids the only place that they are for, or leaves them out', () => {
    const of = (key: string, price: number, slot?: BidFacts['slot'], step = 1): Ad => ({
      key,
      price,
      slot,
      more: { step },
    });
    const bids = [of('a', 9), of('last', 8, 'last'), of('first', 7, 'first'), of('second', 6, 'first')];
    const house: Ad = { key: 'house', frames: 75, more: { step: 2, isFiller: true } };
    expect(podOf([...bids, house], {}, { breakFrames: 1000 })).toMatchObject({
      shown: 'first a house house house last',
      outcomes: ['a stitched', 'last stitched', 'first stitched', 'second POSITION_TAKEN', 'house stitched'],
    });
    const direct: Ad = { key: 'direct', more: { step: 0 } };
    const after = podOf([direct, ...bids.slice(1, 3), of('edge', 1, 'edge')]);
    expect(after).toMatchObject({
      shown: 'direct last',
      outcomes: { 2: 'first POSITION_TAKEN', 3: 'edge POSITION_TAKEN' },
    });
    expect(after.textOf('first')).toEqual(naming('first place'));
  });

  it('judges ads whose creatives are not ready by what they state', () => {
    const rules: AdRules = { blockedAdvertisers: ['a.com'], separateAdvertisers: 'break' };
    const preparing = { creative: { state: 'preparing' } } as const;
    const ads: Ad[] = [
      { key: 'b', advertisers: ['b.com'] },
      { key: 'blocked', advertisers: ['a.com'], more: preparing },
      { key: 'late', advertisers: ['b.com'], more: preparing },
    ];
    expect(podOf(ads, rules).outcomes).toEqual(['b stitched', 'blocked ADVERTISER_BLOCKED', 'late CREATIVE_PREPARING']);
  });

  const name = fc.constantFrom('a.com', 'shop.a.com', 'b.com', 'c.com');
  const ad = fc
    .record({
      key: fc.integer({ min: 0, max: 15 }).map(String),
      frames: fc.oneof(fc.integer({ min: 5, max: 400 }), fc.constantFrom(125, 250, 375)),
      advertisers: fc.uniqueArray(name, { maxLength: 2 }),
      categories: fc.uniqueArray(fc.constantFrom('iab1', 'iab2', 'iab2-3', 'iab2-4'), { maxLength: 2 }),
      creatives: fc.uniqueArray(fc.constantFrom('c1', 'c2', 'c3'), { maxLength: 1 }),
      price: fc.option(fc.integer({ min: 0, max: 20 }), { nil: undefined }),
      currency: fc.constantFrom('USD', 'USD', 'EUR'),
      slot: fc.constantFrom(undefined, undefined, undefined, 'first', 'last', 'edge'),
      step: fc.integer({ min: 0, max: 2 }),
      sequence: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
      isReady: fc.constantFrom(true, true, true, true, false),
    })
    .map(({ step, sequence, isReady, slot, ...rest }): Ad => {
      const placed = { step, ...(sequence === undefined ? {} : { sequence }) };
      // Bids have no sequence.
      const own = sequence === undefined ? { ...rest, slot } : rest;
      return { ...own, more: isReady ? placed : { ...placed, creative: { state: 'preparing' } } };
    });
  const separation = fc.option(fc.constantFrom('adjacent', 'break'), { nil: undefined });
  const rules = fc
    .record({
      separateAdvertisers: separation,
      separateCategories: separation,
      maxPerAdvertiser: fc.option(fc.integer({ min: 1, max: 2 }), { nil: undefined }),
      frequencyCaps: fc.array(
        fc.record({
          per: fc.constantFrom('creative', 'advertiser'),
          max: fc.integer({ min: 1, max: 3 }),
          hours: fc.constantFrom(1, 24),
        }),
        { maxLength: 2 },
      ),
      blockedAdvertisers: fc.uniqueArray(name, { maxLength: 1 }),
    })
    .map((some) => some as AdRules);
  const order = fc.record({
    ads: fc.array(ad, { maxLength: 14 }),
    rules,
    seen: fc.array(ad, { maxLength: 3 }),
    breakFrames: fc.constantFrom(500, 750, 1000, 1503),
    maxAds: fc.constantFrom(3, 10),
  });

  const isPart = (one: string, whole: string, by: string) =>
    one === whole || one.endsWith(`.${whole}`) || one.startsWith(`${whole}${by}`);
  const share = (a: readonly string[], b: readonly string[]) =>
    a.some((one) => b.some((other) => isPart(one, other, '-') || isPart(other, one, '-')));

  it('keeps every rule and fills the break to the frame', () => {
    fc.assert(
      fc.property(order, ({ ads, rules, seen, breakFrames, maxAds }) => {
        const {
          separateAdvertisers,
          separateCategories,
          maxPerAdvertiser,
          frequencyCaps = [],
          blockedAdvertisers = [],
        } = rules;
        const shownBefore = withShown(nothing, seen.map(traitsOf), frequencyCaps);
        const choice = createPodChoice(ads.map(offeredOf), rules, { at, shown: shownBefore });
        const pod = fitPod({ breakFrames, maxAds, rate, candidates: ads.map(candidateOf), choice });
        const shown = pod.ads.map(({ candidate }) => ads[candidate]!);

        expect(pod.ads.reduce((sum, { frames }) => sum + frames, pod.slateFrames)).toBe(breakFrames);
        expect(shown.length).toBeLessThanOrEqual(maxAds);
        expect(pod.outcomes.flatMap((one, index) => (one.outcome === 'stitched' ? [index] : []))).toEqual(
          pod.ads.map(({ candidate }) => candidate).sort((a, b) => a - b),
        );
        for (const [index, { slot, more }] of shown.entries()) {
          const isFirst = index === 0 && shown.every((other) => other.more!.step! >= more!.step!);
          const isLast = index === shown.length - 1;
          if (slot !== undefined) expect((isFirst && slot !== 'last') || (isLast && slot !== 'first')).toBe(true);
        }
        const all = shown.map(traitsOf);
        const pairs = all.flatMap((a, index) => all.slice(index + 1).map((b, distance) => ({ a, b, distance })));
        for (const { a, b, distance } of pairs) {
          const isApart = (separation: AdRules['separateAdvertisers']) =>
            separation === 'break' || (separation === 'adjacent' && distance === 0);
          if (isApart(separateAdvertisers)) expect(share(a.advertisers, b.advertisers)).toBe(false);
          if (isApart(separateCategories)) expect(share(a.categories, b.categories)).toBe(false);
        }
        const counted = (kind: 'advertisers' | 'creatives', one: string, list: readonly Ad[]) =>
          list.filter((other) => traitsOf(other)[kind].includes(one)).length;
        for (const { advertisers, creatives } of all) {
          for (const one of advertisers) {
            expect(blockedAdvertisers.some((other) => isPart(one, other, '.'))).toBe(false);
            expect(counted('advertisers', one, shown)).toBeLessThanOrEqual(
              maxPerAdvertiser ?? Number.POSITIVE_INFINITY,
            );
          }
          for (const { per, max } of frequencyCaps) {
            const kind = `${per}s` as const;
            for (const one of per === 'creative' ? creatives : advertisers)
              expect(counted(kind, one, [...seen, ...shown])).toBeLessThanOrEqual(max);
          }
        }
        // Ads of one pod of an ad server keep their order.
        for (const step of [0, 1, 2]) {
          const sequences = shown.flatMap(({ more }) => (more?.step === step ? (more.sequence ?? []) : []));
          expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
        }
      }),
      lawRuns(800),
    );
  });

  it('never displaces an ad of an earlier step that could be shown', () => {
    fc.assert(
      fc.property(order, fc.integer({ min: 0, max: 1 }), ({ ads, rules, breakFrames, maxAds }, step) => {
        const shownOf = (some: readonly Ad[]) => {
          const choice = createPodChoice(some.map(offeredOf), rules, nothing);
          const { ads: shown } = fitPod({ breakFrames, maxAds, rate, candidates: some.map(candidateOf), choice });
          return shown.map(({ candidate }) => some[candidate]!);
        };
        const earlier = ads.filter(({ more }) => more!.step! <= step);
        expect(shownOf(ads)).toEqual(expect.arrayContaining(shownOf(earlier)));
      }),
      lawRuns(500),
    );
  });

  it('is the order of the response where ads have neither prices nor rules', () => {
    fc.assert(
      fc.property(order, ({ ads, breakFrames, maxAds }) => {
        const candidates = ads.map((one) => candidateOf({ ...one, more: { ...one.more, step: 0 } }));
        const choice = createPodChoice(
          ads.map((one) => offeredOf({ ...one, price: undefined, slot: undefined })),
          {},
          nothing,
        );
        const request = {
          breakFrames,
          maxAds,
          rate,
          candidates,
          seenSince: (id: string) => (/[1-5]$/.test(id) ? 1 : undefined),
        };
        expect(fitPod({ ...request, choice })).toEqual(fitPod(request));
      }),
      lawRuns(300),
    );
  });
});
