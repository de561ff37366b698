// SPDX-License-Identifier: Apache-2.0
// What was delivered of an ad between two states of its row, for reports. The result depends only on the row, so every
// process computes the same at any time.
import { playedEvents } from '../../ads/record/adEvents.ts';
import {
  type DeliveryGrid,
  deliveredEvents,
  deliveredIndexes,
  type RequestedSegments,
} from '../../ads/record/delivery.ts';
import type { Price } from '../../ads/record/offer.ts';
import type { Millis } from '../../time/units.ts';

/** What reports need of a viewer's ad. It is stored in the row, because the session and the break are deleted earlier. */
export type CountedAd = {
  readonly tenant: string;
  readonly channelId: string;
  /** Where the ad starts on the channel's clock. */
  readonly startsAt: Millis;
  /** Seconds, as stitched. */
  readonly duration: number;
  readonly creativeId?: string;
  readonly title?: string;
  /** The id of the ad source, and what it pays; only if the channel has steps. */
  readonly source?: string;
  readonly price?: Price;
};

export type DeliveryFact = {
  readonly ad: CountedAd;
  readonly at: Millis;
  /** The delivered segments on the channel's clock. */
  readonly ranges: readonly { readonly at: Millis; readonly ms: number }[];
  /** `start`, quartiles and `complete` in this order, also those without a tracking URL. */
  readonly events: readonly string[];
  /** What was counted for audio segments and no longer holds, because the viewer has requested video since. */
  readonly withdrawn: Pick<DeliveryFact, 'ranges' | 'events'>;
};

function newRanges(
  grid: DeliveryGrid,
  before: RequestedSegments,
  after: RequestedSegments,
  start: Millis,
): DeliveryFact['ranges'] {
  const counted = new Set(deliveredIndexes(grid, before));
  const fresh = new Set(deliveredIndexes(grid, after).filter((place) => !counted.has(place)));
  return grid.flatMap((end, place) => {
    const from = grid[place - 1] ?? 0;
    return fresh.has(place) ? [{ at: (start + from) as Millis, ms: end - from }] : [];
  });
}

/** @param at the time of the last request */
export function deliveryFact(
  ad: CountedAd,
  grid: DeliveryGrid,
  { before, after, at }: { readonly before: RequestedSegments; readonly after: RequestedSegments; readonly at: Millis },
): DeliveryFact {
  const instants = playedEvents(ad.duration);
  const played = (requested: RequestedSegments) => deliveredEvents(instants, grid, requested).map(({ name }) => name);
  const [counted, reached] = [played(before), played(after)];
  return {
    ad,
    at,
    ranges: newRanges(grid, before, after, ad.startsAt),
    events: reached.slice(counted.length),
    withdrawn: {
      ranges: newRanges(grid, after, before, ad.startsAt),
      events: counted.slice(reached.length),
    },
  };
}
