// SPDX-License-Identifier: Apache-2.0
// What writing a bid request and reading its response have in common. All of it is JSON, because large responses are read in a
// thread.
import type { Skip } from '../ads/pod/adOutcome.ts';
import type { NoAdsReason } from '../ads/record/breakRecord.ts';
import { type AdTraits, type BidFacts, microsOf, type Price, priceText } from '../ads/record/offer.ts';
import type { OpenRtbSource } from '../channels/demand.ts';
import { fieldsOf, isFields } from '../channels/fieldsOf.ts';
import { withoutUndefined } from '../invariant.ts';

/** What bids are judged by. */
export type Auction = {
  /** `BidRequest.id`. */
  readonly id: string;
  readonly impIds: readonly string[];
  /** ISO 4217. */
  readonly currency: string;
  /** The least price in micros, of an ad and of each second of an ad. */
  readonly floor?: number;
  readonly floorPerSecond?: number;
  /** The least price in micros of each deal that the request names. It replaces the floors. */
  readonly dealFloors: Readonly<Record<string, number>>;
  /** Seconds that were requested, and seconds until the break begins. Whole numbers. */
  readonly seconds: number;
  readonly startsIn: number;
};

type BidBase = {
  readonly price: Price;
  readonly traits: AdTraits;
  readonly facts: BidFacts;
};

/** A bid that is worth reading further. The macros of the auction are filled in all its texts, except those of a loss in `lurl`. */
export type ReadBid = BidBase & {
  /** VAST. */
  readonly adm: string;
  /** To be called with the impression. */
  readonly burl?: string;
  /** As the bid states. */
  readonly seconds?: number;
};

export type RefusedBid = BidBase & { readonly skip: Skip };

export type BidsRead =
  /** `reason`: a clause for the trace. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'noBid'; readonly reason: NoAdsReason; readonly warnings: readonly string[] }
  | {
      readonly kind: 'bids';
      /** Best price per second first. */
      readonly bids: readonly ReadBid[];
      readonly refused: readonly RefusedBid[];
      readonly warnings: readonly string[];
    };

const inMicros = (units: number | undefined) => (units === undefined ? undefined : microsOf(units));

/** What a source requires of bids. */
export const termsOf = ({ currency = 'USD', floor, floorPerSecond }: OpenRtbSource) => ({
  currency,
  ...withoutUndefined({ floor: inMicros(floor), floorPerSecond: inMicros(floorPerSecond) }),
});

const objectsIn = (list: unknown) => (Array.isArray(list) ? list.filter(isFields) : []);

/** The facts of an auction that the request itself contains. @param request as it is sent */
export function namedIn(request: unknown): Pick<Auction, 'id' | 'impIds' | 'dealFloors'> {
  const { id, imp } = fieldsOf(request);
  const imps = objectsIn(imp);
  const deals = imps.flatMap(({ pmp }) => objectsIn(fieldsOf(pmp).deals));
  return {
    id: String(id),
    impIds: imps.map((one) => String(one.id)),
    dealFloors: Object.fromEntries(deals.map((deal) => [String(deal.id), microsOf(Number(deal.bidfloor)) || 0])),
  };
}

/** The auction of a request whose body a hook has replaced: bids are for the impressions and deals of the new body. */
export function auctionOfBody(body: string, auction: Auction): Auction {
  try {
    return { ...auction, ...namedIn(JSON.parse(body)) };
  } catch {
    return auction;
  }
}

/**
 * Why a bid is below the floor of its deal or its source; undefined if it is not.
 * @param seconds of the ad; undefined if unknown
 */
export function floorFault(
  { price, facts: { deal = '' } }: BidBase,
  { floor = 0, floorPerSecond = 0, dealFloors }: Auction,
  seconds = 0,
): Skip | undefined {
  const least = Object.hasOwn(dealFloors, deal)
    ? (dealFloors[deal] ?? 0)
    : Math.max(floor, Math.round(floorPerSecond * seconds));
  if (price.micros >= least) return undefined;
  const floorText = priceText({ ...price, micros: least });
  return { code: 'BELOW_FLOOR', text: `Its price of ${priceText(price)} is below the floor of ${floorText}.` };
}
