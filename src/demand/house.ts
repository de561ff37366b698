// SPDX-License-Identifier: Apache-2.0
// House lists: videos of the operator's own as ads, without a request. The order of a list is random by weight, and follows from
// the session and the break alone, so that all nodes and a repeated decision offer the same (law 8). How ads are fitted into the
// break is left to ads/pod/fitPod.ts.
import type { ResolvedAd } from '../ads/record/breakRecord.ts';
import type { Offer } from '../ads/record/offer.ts';
import type { AdSourceSettings, HouseCreative, HouseSource } from '../channels/demand.ts';
import { withoutUndefined } from '../invariant.ts';
import { type Millis, secondsToFlicks } from '../time/units.ts';
import type { Linear } from '../vast/response.ts';
import { hashOf } from './hashOf.ts';

/** A video without VAST. `duration` in seconds is only a hint: media are measured. */
export type HouseVideo = { readonly url: string; readonly title: string; readonly duration?: number };

/** For which break a list is offered. `id` is that of the ad source. */
export type HouseRequest = {
  readonly id: string;
  readonly step: number;
  readonly session: { readonly id: string };
  readonly adBreak: { readonly id: string; readonly startsAt: Millis };
};

/** The most videos of a list that are offered for one break. */
const MAX_OFFERED = 50;

const noUrls = { impressions: [], errorUrls: [], extensions: [], verifications: [], categories: [] };
const noEvents = { trackingEvents: [], mezzanines: [], interactiveFiles: [], closedCaptions: [], icons: [] };
const noClicks = { clickTrackings: [], customClicks: [] };

/**
 * A video as an ad without tracking URLs. Its media file has no type, as that of a bumper, so its creative is the one that was
 * prepared ahead.
 */
export function houseAd(
  { url, title, duration }: HouseVideo,
  { source, step }: Pick<Offer, 'source' | 'step'>,
): ResolvedAd {
  // The URL may contain a key, so it identifies nothing in reports.
  const id = `house-${hashOf(url).toString(36)}`;
  const linear: Linear = {
    ...noEvents,
    ...noClicks,
    mediaFiles: [{ url, delivery: 'progressive' }],
    ...withoutUndefined({ duration: duration === undefined ? undefined : secondsToFlicks(duration) }),
  };
  return {
    ad: {
      kind: 'inLine',
      ...noUrls,
      id,
      adTitle: title,
      creatives: [{ id, universalAdIds: [], extensions: [], linear }],
    },
    offer: { step, source, traits: { advertisers: [], categories: [], creatives: [id] } },
    isFiller: true,
  };
}

const isOver = ({ to }: HouseCreative, at: Millis): boolean => to !== undefined && Date.parse(to) <= at;

const isShownAt = (one: HouseCreative, at: Millis): boolean =>
  !isOver(one, at) && (one.from === undefined || Date.parse(one.from) <= at);

const weightOf = ({ weight = 1 }: HouseCreative): number => weight;

/** Numbers from 0 to below 1 (mulberry32). Without logarithms, whose last digit may differ between versions of Node. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws without putting back: each draw chooses among those that are left, in proportion to their weights. */
function drawn(creatives: readonly HouseCreative[], seed: number): HouseCreative[] {
  const random = randomNumbers(seed);
  const left = [...creatives];
  const chosen: HouseCreative[] = [];
  while (left.length > 0 && chosen.length < MAX_OFFERED) {
    let rest = random() * left.reduce((sum, one) => sum + weightOf(one), 0);
    const found = left.findIndex((one) => {
      rest -= weightOf(one);
      return rest < 0;
    });
    // Rounding may leave a little more than the last weight: then `found` is -1, which removes the last one.
    chosen.push(...left.splice(found, 1));
  }
  return chosen;
}

/**
 * The videos of a list that are valid when the break starts, in the order in which they are offered. The order differs from break
 * to break; those that the viewer saw recently come last when the break is filled, as all ads do.
 */
export function houseAds(
  { creatives }: HouseSource,
  { id: source, step, session, adBreak }: HouseRequest,
): readonly ResolvedAd[] {
  const valid = creatives.filter((one) => isShownAt(one, adBreak.startsAt) && weightOf(one) > 0);
  const seed = hashOf(`${session.id} ${adBreak.id} ${source}`);
  return drawn(valid, seed).map((one) => houseAd(one, { source, step }));
}

/** The videos of house lists that breaks may need, each URL once, to be prepared ahead. Those whose time is over are left out. */
export function houseCreativeUrls(sources: readonly AdSourceSettings[], now: Millis): string[] {
  const creatives = sources.flatMap((one) => (one.type === 'house' ? one.creatives : []));
  const needed = creatives.filter((one) => !isOver(one, now) && weightOf(one) > 0);
  return [...new Set(needed.map(({ url }) => url))];
}
