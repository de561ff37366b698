// What was delivered of an ad between two states of its row: the facts that reports count. They follow from the row alone,
// so they are the same in every process and at any later time.
import { playedEvents } from '../../ads/record/adEvents.ts';
import {
  type DeliveryGrid,
  deliveredEvents,
  deliveredPlaces,
  type RequestedSegments,
} from '../../ads/record/delivery.ts';
import type { Millis } from '../../time/units.ts';

/** A viewer's ad as reports know it. It is kept in the row, because the session and the break are forgotten earlier. */
export type CountedAd = {
  readonly tenant: string;
  readonly channelId: string;
  /** Where the ad starts on the channel's clock. */
  readonly startsAt: Millis;
  /** Seconds that it plays here. */
  readonly duration: number;
  readonly creativeId?: string;
  readonly title?: string;
};

export type DeliveryFact = {
  readonly ad: CountedAd;
  readonly at: Millis;
  /** Where its segments lie on the channel's clock. */
  readonly ranges: readonly { readonly at: Millis; readonly ms: number }[];
  /** `start`, quartiles and `complete`, in this order, also those without a tracking URL. */
  readonly events: readonly string[];
  /** What followed from the sound alone, and is judged anew by the pictures that came after it. */
  readonly withdrawn: Pick<DeliveryFact, 'ranges' | 'events'>;
};

function newRanges(
  grid: DeliveryGrid,
  before: RequestedSegments,
  after: RequestedSegments,
  start: Millis,
): DeliveryFact['ranges'] {
  const known = new Set(deliveredPlaces(grid, before));
  return deliveredPlaces(grid, after).flatMap((place) => {
    const from = grid[place - 1] ?? 0;
    return known.has(place) ? [] : [{ at: (start + from) as Millis, ms: grid[place]! - from }];
  });
}

/** @param at when the last of the segments was requested */
export function deliveryFact(
  ad: CountedAd,
  grid: DeliveryGrid,
  { before, after, at }: { readonly before: RequestedSegments; readonly after: RequestedSegments; readonly at: Millis },
): DeliveryFact {
  const instants = playedEvents(ad.duration);
  const played = (asked: RequestedSegments) => deliveredEvents(instants, grid, asked).map(({ name }) => name);
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
