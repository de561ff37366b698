// SPDX-License-Identifier: Apache-2.0
// What writing a bid request and reading its response have in common. All of it is JSON, because large responses are read in a
// thread.
import type { Skip } from '../ads/pod/adOutcome.ts';
import type { AdTraits, BidFacts, Price } from '../ads/record/offer.ts';

/** What a response is judged by. */
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

/** `text` and `reason` are sentences and a clause for the trace. */
export type BidsRead =
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'noBid'; readonly text: string; readonly warnings: readonly string[] }
  | {
      readonly kind: 'bids';
      /** Best price per second first. */
      readonly bids: readonly ReadBid[];
      readonly refused: readonly RefusedBid[];
      readonly warnings: readonly string[];
    };

/** The text of a sum, such as `2.5 USD`. */
const priceText = (micros: number, currency: string): string => `${micros / 1_000_000} ${currency}`;

/**
 * Why a bid is below the floor of its deal or its source; undefined if it is not.
 * @param seconds of the ad; undefined if unknown
 */
export function floorFault(
  { price: { micros, currency }, facts: { deal = '' } }: BidBase,
  { floor = 0, floorPerSecond = 0, dealFloors }: Auction,
  seconds = 0,
): Skip | undefined {
  const least = Object.hasOwn(dealFloors, deal)
    ? (dealFloors[deal] ?? 0)
    : Math.max(floor, Math.round(floorPerSecond * seconds));
  if (micros >= least) return undefined;
  const floorText = priceText(least, currency);
  const text = `Its price of ${priceText(micros, currency)} is below the floor of ${floorText}.`;
  return { code: 'BELOW_FLOOR', text };
}
