// SPDX-License-Identifier: Apache-2.0
// Demand: which of the ads that several sources offer are shown in a break. The rules of the channel say which may be shown, and
// together; of those with a price, the ones that pay most together are preferred. How ads fit to the frame is in ads/pod; how they
// are requested is in playback/request.
import type { Skip } from '../ads/pod/adOutcome.ts';
import type { PodChoice, PodPlace, PodSpace, ReadyAd } from '../ads/pod/podChoice.ts';
import { type AdTraits, type BidFacts, type Price, priceText } from '../ads/record/offer.ts';
import type { AdRules } from '../channels/demand.ts';
import { defined, withoutUndefined } from '../invariant.ts';
import { arrange, type Placed, type Trials } from './arrange.ts';
import { type BidLimit, bestPod, MAX_BIDS, setOf, sizeOf } from './bestPod.ts';
import { competitionOf, hasKey, judgeAd, limitsOf, type NamedAd } from './judgeAd.ts';
import { countShown, type ViewerCounts } from './viewerCounts.ts';

export type OfferedAd = NamedAd & Pick<BidFacts, 'slot'> & { readonly price?: Price };

/** A bid of the currency in which prices are compared. */
type PricedAd = ReadyAd & { readonly price: Price };

/** For the orders in which bids are compared, and for those in which ads are tried. */
const MAX_TRIALS = 10_000;

/** @param ads the candidates of a pod, in their order */
export function createPodChoice(ads: readonly OfferedAd[], rules: AdRules, counts: ViewerCounts): PodChoice {
  const shown = countShown(counts);
  const adAt = (index: number): OfferedAd => defined(ads[index], 'a pod consists of the ads that were offered');
  const traitsAt = (index: number): AdTraits => adAt(index).traits;
  const competitions = ads.map((): boolean[] => []);
  const competes = (a: Pick<PodPlace, 'ad'>, b: Pick<PodPlace, 'ad'>): boolean => {
    const known = defined(competitions[a.ad], 'each ad has a row');
    known[b.ad] ??= competitionOf(traitsAt(a.ad), traitsAt(b.ad), rules, 'adjacent') !== undefined;
    return known[b.ad] === true;
  };
  const withSlots = (pod: readonly PodPlace[]): (PodPlace & Placed)[] =>
    pod.map((place) => ({ ...place, ...withoutUndefined({ slot: adAt(place.ad).slot }) }));
  const [ofBids, ofRefusals]: [Trials, Trials] = [{ left: MAX_TRIALS }, { left: MAX_TRIALS }];
  const { separateAdvertisers, separateCategories } = rules;
  const hasOrder =
    [separateAdvertisers, separateCategories].includes('adjacent') || ads.some(({ slot }) => slot !== undefined);
  const orders = new Map<string, readonly PodPlace[] | undefined>();
  function arranged(pod: readonly PodPlace[], trials: Trials): readonly PodPlace[] | undefined {
    if (!hasOrder) return pod;
    const key = pod.map(({ ad }) => ad).join();
    if (!orders.has(key)) orders.set(key, arrange(withSlots(pod), competes, trials));
    return orders.get(key);
  }

  /** Why a bid cannot have its place; undefined if competitors are the cause. */
  function positionTaken(ad: number, pod: readonly PodPlace[]): Skip | undefined {
    const { slot } = adAt(ad);
    if (slot === undefined || arrange(withSlots(pod), () => false) !== undefined) return undefined;
    const place = slot === 'edge' ? 'first or last' : slot;
    return {
      code: 'POSITION_TAKEN',
      text: `The bid is only for the ${place} place of the break, and other ads have it.`,
    };
  }

  function besideCompetitor(ad: number, pod: readonly PodPlace[]): Skip {
    let text = 'No order of the ads keeps competitors apart.';
    const competitor = pod.find((place) => place.ad !== ad && competes({ ad }, place));
    if (competitor !== undefined) {
      const { name, traits } = adAt(competitor.ad);
      const competition = competitionOf(traitsAt(ad), traits, rules, 'adjacent');
      text = `In any order of the ads, it or another one of the ${competition} would be next to ${name}.`;
    }
    return { code: 'COMPETITOR_ADJACENT', text };
  }

  /** Bids by index among `bids`; rules that ads chosen before have used up are already refusals. */
  function best(bids: readonly PricedAd[], space: PodSpace): number[] {
    const adsOf = (indexes: readonly number[]) => indexes.flatMap((index) => bids[index]?.ad ?? []);
    const isSameSlot = ({ slot }: OfferedAd, other: OfferedAd): boolean =>
      slot !== undefined && slot !== 'edge' && slot === other.slot;
    const excludes = (a: PricedAd, b: PricedAd): boolean =>
      space.isEither(a.ad, b.ad) ||
      isSameSlot(adAt(a.ad), adAt(b.ad)) ||
      competitionOf(traitsAt(a.ad), traitsAt(b.ad), rules, 'break') !== undefined;
    const found = bestPod(
      bids.map((bid) => ({
        frames: bid.frames,
        value: bid.price.micros,
        excludes: setOf(bids, (other) => other !== bid && excludes(bid, other)),
      })),
      {
        frames: space.frames,
        maxAds: space.maxAds,
        limits: bidLimits(
          bids.map(({ ad }) => traitsAt(ad)),
          space.before.map(traitsAt),
        ),
        isPod(indexes) {
          const chosen = adsOf(indexes);
          return ofBids.left > 0 && space.fits(chosen) && arranged(space.placed(chosen), ofBids) !== undefined;
        },
      },
    );
    return adsOf(found.bids);
  }

  function bidLimits(bids: readonly AdTraits[], before: readonly AdTraits[]): BidLimit[] {
    const mosts = new Map<string, number>();
    for (const { key, most } of bids.flatMap((traits) => limitsOf(traits, rules, shown)))
      mosts.set(key, Math.min(most, mosts.get(key) ?? most));
    const limits = [...mosts].map(([key, most]) => ({
      members: setOf(bids, (traits) => hasKey(traits, key)),
      most: most - before.filter((traits) => hasKey(traits, key)).length,
    }));
    return limits.filter(({ members, most }) => sizeOf(members) > most);
  }

  return {
    refusal(ad, pod) {
      // A house ad that is shown again is there more than once.
      const last = pod.findLastIndex((place) => place.ad === ad);
      const others = pod.filter((_, index) => index !== last).map((place) => adAt(place.ad));
      const skip = judgeAd(adAt(ad), others, rules, shown);
      if (skip !== undefined || arranged(pod, ofRefusals) !== undefined) return skip;
      return positionTaken(ad, pod) ?? besideCompetitor(ad, pod);
    },
    choose(ready, space) {
      const priced = comparable(ready, adAt);
      const chosen = best(priced.slice(0, MAX_BIDS), space);
      const others = priced.filter(({ ad }) => !chosen.includes(ad));
      return { best: chosen, outbid: new Map(others.map((bid) => [bid.ad, outbid(bid)])) };
    },
    arrange: (pod) => defined(arranged(pod, ofRefusals), 'ads that no order keeps apart were refused'),
  };
}

/** The bids in the most frequent currency, best price per second first. */
function comparable(ready: readonly ReadyAd[], adAt: (index: number) => OfferedAd): PricedAd[] {
  const priced = ready.flatMap((one): PricedAd[] => {
    const { price } = adAt(one.ad);
    return price === undefined ? [] : [{ ...one, price }];
  });
  const counts = new Map<string, number>();
  for (const { price } of priced) counts.set(price.currency, (counts.get(price.currency) ?? 0) + 1);
  const [currency] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), ['', 0]);
  return priced
    .filter(({ price }) => price.currency === currency)
    .sort((a, b) => b.price.micros / b.frames - a.price.micros / a.frames || a.ad - b.ad);
}

const outbid = ({ price }: PricedAd): Skip => ({
  code: 'OUTBID',
  text: `It pays ${priceText(price)}; the ads that fill the break pay more together.`,
});
