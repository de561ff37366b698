// SPDX-License-Identifier: Apache-2.0
// An ad as traces, tries and replays show it: its offer as fields, without the URLs to which a bidder is notified.
import type { Offer } from '../../ads/record/offer.ts';
import { withoutUndefined } from '../../invariant.ts';

/** Prices are stored in millionths. */
const MICROS = 1e6;

const showOffer = ({ source, step, price, traits: { advertisers, categories }, bid }: Offer) => ({
  source,
  step,
  ...(price ? { price: { amount: price.micros / MICROS, currency: price.currency } } : {}),
  ...(advertisers.length > 0 ? { advertisers } : {}),
  ...(categories.length > 0 ? { categories } : {}),
  ...withoutUndefined({ seat: bid?.seat }),
});

export const showAd = <Ad extends { readonly offer?: Offer }>({ offer, ...ad }: Ad) => ({
  ...ad,
  ...(offer && showOffer(offer)),
});
