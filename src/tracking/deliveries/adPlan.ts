// SPDX-License-Identifier: Apache-2.0
// What is reported of a stitched ad: its events with their tracking URLs, and what reports count.
import { type AdEvent, adEvents, breakEvents } from '../../ads/record/adEvents.ts';
import type { AdRecord, BreakRecord } from '../../ads/record/breakRecord.ts';
import type { Session } from '../../sessions/session.ts';
import type { Millis } from '../../time/units.ts';
import type { InLineAd } from '../../vast/response.ts';
import type { CountedAd } from './deliveryFact.ts';

export type AdPlan = {
  /** Without the ad response. */
  readonly record: BreakRecord;
  readonly ad: AdRecord;
  /** In the order of their times. `ownerId`: the ad, or the break for events of the break. */
  readonly events: readonly (AdEvent & { readonly ownerId: string })[];
};

export const breakIdOf = (adId: string): string => adId.slice(0, adId.lastIndexOf('-'));

function planOf(record: BreakRecord, ad: AdRecord): AdPlan | undefined {
  const { adId } = ad;
  if (ad.outcome !== 'stitched' || ad.vast === undefined) return undefined;
  const own = adEvents(ad.vast as InLineAd, ad.duration).map((event) => ({ ...event, ownerId: adId }));
  const ofBreak = breakEvents(record, ad).map((event) => ({ ...event, ownerId: record.id }));
  return { record, ad, events: [...own, ...ofBreak].sort((one, other) => one.at - other.at) };
}

/** The plans of all stitched ads of a break. */
export function adPlans(record: BreakRecord): AdPlan[] {
  // The ad response is long and not needed here.
  const { response: _, ...kept } = record;
  return record.ads.flatMap((ad) => planOf(kept, ad) ?? []);
}

/** Reports shorten names further. */
const MAX_NAME_LENGTH = 400;

export function countedAd({ tenant, channelId }: Session, ad: AdRecord, startsAt: Millis): CountedAd {
  const { duration, creativeId, title } = ad;
  const name =
    creativeId !== undefined
      ? { creativeId: creativeId.slice(0, MAX_NAME_LENGTH) }
      : title !== undefined
        ? { title: title.slice(0, MAX_NAME_LENGTH) }
        : {};
  return { tenant, channelId, startsAt, duration, ...name };
}
