// SPDX-License-Identifier: Apache-2.0
// Which ad source offered an ad, for how much, and what rules judge it by. Absent for the ads of a channel with one ad server.

/** Money: millionths of a unit of `currency` (ISO 4217) for a thousand impressions. Integers, so that sums are exact. */
export type Price = { readonly micros: number; readonly currency: string };

export const microsOf = (units: number): number => Math.round(units * 1_000_000);
export const unitsOf = (micros: number): number => micros / 1_000_000;

/** Such as `2.5 USD`. */
export const priceText = ({ micros, currency }: Price): string => `${unitsOf(micros)} ${currency}`;

/** What an ad states about itself. All lower-case, except the ids of creatives. */
export type AdTraits = {
  /** Domains of the advertiser; the name where a VAST document states no domain. */
  readonly advertisers: readonly string[];
  /** IAB content categories, as written, such as `iab2-3` or `1.12`. */
  readonly categories: readonly string[];
  /** Every id that identifies the creative: UniversalAdId, creative id, `crid`. */
  readonly creatives: readonly string[];
  /** ISO 639-1. */
  readonly language?: string;
};

/** URLs to call once it is known whether the ad is shown. The macros of prices are filled, except those of a loss. */
export type BidNotices = { readonly win?: string; readonly loss?: string };

/** What an auction adds to an ad. */
export type BidFacts = {
  readonly id: string;
  readonly seat?: string;
  readonly deal?: string;
  /** The bid is only for this place of the pod: its first or last ad, or either of them. */
  readonly slot?: 'first' | 'last' | 'edge';
  readonly notices: BidNotices;
};

export type Offer = {
  /** From 0. The ads of earlier steps are shown first. Negative if a hook has put the ad before all steps. */
  readonly step: number;
  /** The id of the ad source. */
  readonly source: string;
  readonly price?: Price;
  readonly traits: AdTraits;
  readonly bid?: BidFacts;
};
