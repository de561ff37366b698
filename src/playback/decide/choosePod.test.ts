// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { readyCandidate } from '../../../test/ads/podCandidates.ts';
import type { BreakOutcome, ResolvedAd } from '../../ads/record/breakRecord.ts';
import { buildBreakRecord } from '../../ads/record/buildBreakRecord.ts';
import type { Offer } from '../../ads/record/offer.ts';
import type { AdRules } from '../../channels/demand.ts';
import { withShown } from '../../demand/viewerCounts.ts';
import { flicks, millis } from '../../time/units.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { TriedCandidate } from './candidates.ts';
import { type AdChannel, choosePod, freeAfter, shownTraits } from './choosePod.ts';

const rate = { n: 25, d: 1 };
const channelWith = (more: { adRules?: AdRules; fillThreshold?: number } = {}) =>
  ({ channel: { tenant: 't', id: 'c', ...more }, ladder: { frameRate: rate } }) as unknown as AdChannel;

const inLine = (id: string, advertiser?: string): InLineAd => ({
  kind: 'inLine',
  id,
  categories: [],
  impressions: [],
  errorUrls: [`https://ads.example/error/${id}`],
  extensions: [],
  verifications: [],
  creatives: [],
  ...(advertiser === undefined ? {} : { advertiser }),
});

const offerOf = (step: number, advertiser: string, micros?: number): Offer => ({
  step,
  source: `source-${step}`,
  traits: { advertisers: [advertiser], categories: [], creatives: [] },
  ...(micros === undefined ? {} : { price: { micros, currency: 'USD' } }),
});

const tried = (id: string, frames: number, more: Partial<ResolvedAd> & { isReady?: boolean } = {}): TriedCandidate => {
  const { ad = inLine(id), offer, isReady = true } = more;
  const placed = offer === undefined ? {} : { step: offer.step };
  const creative = isReady ? {} : ({ creative: { state: 'preparing' } } as const);
  return {
    ad,
    title: id.toUpperCase(),
    duration: frames / 25,
    ...(offer && { offer }),
    settled: Promise.resolve(),
    candidate: () => readyCandidate(id, frames, { ...placed, ...creative }),
    conditionCopy: () => {},
  };
};

const outcome: BreakOutcome = { warnings: [], ads: [], dropped: [], errors: [] };
const input = { bumpers: {}, seen: '' };

describe('a pod', () => {
  const place = { id: '1-1', start: { millis: millis(0), rest: flicks(0) }, rate, frames: 750 };
  const choose = (ads: readonly TriedCandidate[], adRules: AdRules = {}, more = {}) =>
    choosePod(channelWith({ adRules }), { breakFrames: 750 }, { outcome, ...input, ...more }, ads);

  it('is recorded with the offers of its ads and of those that were skipped', () => {
    const ads = [
      tried('a', 500, { offer: offerOf(1, 'a.com', 2_500_000) }),
      tried('b', 500, { offer: offerOf(0, 'b.com') }),
    ];
    const { parts } = choose(ads);
    expect(buildBreakRecord(place, parts).ads).toMatchObject([
      { outcome: 'stitched', title: 'B', offer: ads[1]!.offer },
      { outcome: 'skipped', title: 'A', offer: ads[0]!.offer },
    ]);
    expect(shownTraits(parts)).toEqual([ads[1]!.offer!.traits]);
  });

  it('of one ad server keeps the rules as far as its VAST states who the ads are of', () => {
    const ads = [
      tried('a', 100, { ad: inLine('a', 'Shop.Example.com') }),
      tried('b', 100, { ad: inLine('b', 'b.com') }),
      tried('c', 100),
      tried('d', 100, { ad: inLine('d', 'b.com') }),
    ];
    const { parts, errors } = choose(ads, { blockedAdvertisers: ['example.com'], separateAdvertisers: 'adjacent' });
    expect(parts.pod?.ads.map(({ candidate }) => candidate)).toEqual([1, 2, 3]);
    expect(parts.pod?.outcomes[0]).toMatchObject({ code: 'ADVERTISER_BLOCKED' });
    expect(errors).toEqual([]);
    expect('offer' in buildBreakRecord(place, parts).ads[0]!).toBe(false);
  });

  it('counts what the viewer was shown', () => {
    const caps = [{ per: 'advertiser', max: 1, hours: 1 } as const];
    const at = millis(Date.UTC(2026, 10, 30));
    const shown = withShown({ at, shown: '' }, [offerOf(0, 'a.com').traits], caps);
    const ads = [tried('a', 100, { ad: inLine('a', 'a.com') }), tried('b', 100, { ad: inLine('b', 'b.com') })];
    const codes = (more = {}) =>
      choose(ads, { frequencyCaps: caps }, more).parts.pod?.outcomes.map((one) =>
        'code' in one ? one.code : one.outcome,
      );
    expect(codes()).toEqual(['stitched', 'stitched']);
    expect(codes({ viewerCounts: { at, shown } })).toEqual(['FREQUENCY_CAP', 'stitched']);
  });
});

describe('what earlier steps leave free', () => {
  const free = (ads: readonly TriedCandidate[], more = {}, adBreak = {}) =>
    freeAfter(channelWith(), { breakFrames: 1000, maxAds: 4, ...adBreak }, { ...input, ...more }, ads);
  const intro = { mediaId: 'i', frames: 100 };

  it('is the break without the ads that are ready', () => {
    expect(free([])).toEqual({ duration: 40, maxAds: 4 });
    expect(free([tried('a', 500), tried('b', 250, { isReady: false }), tried('c', 2000)])).toEqual({
      duration: 20,
      maxAds: 3,
    });
    expect(free([tried('a', 500)], {}, { maxAds: undefined, isInserted: true })).toEqual({ duration: 20 });
  });

  it('excludes bumpers, also where no ad is shown yet', () => {
    expect(free([], { bumpers: { intro } })).toEqual({ duration: 36, maxAds: 4 });
    expect(free([tried('a', 500)], { bumpers: { intro } })).toEqual({ duration: 16, maxAds: 3 });
    expect(free([], { bumpers: { intro: { ...intro, frames: 995 } } }).duration).toBe(40);
  });

  it('is nothing where the rest would be left to slate', () => {
    expect(free([tried('a', 980)])).toEqual({ duration: 0, maxAds: 3 });
    expect(free([tried('a', 1000)])).toEqual({ duration: 0, maxAds: 3 });
    expect(free([tried('a', 980)], {}, { isInserted: true }).duration).toBe(0.8);
  });
});
