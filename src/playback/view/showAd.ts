// SPDX-License-Identifier: Apache-2.0
// An ad as traces, tries and replays show it: its offer as fields, without the URLs to which a bidder is notified.
import { type Offer, unitsOf } from '../../ads/record/offer.ts';
import { withoutUndefined } from '../../invariant.ts';

const showOffer = ({ source, step, price, traits: { advertisers, categories }, bid }: Offer) => ({
  source,
  step,
  ...(price ? { price: { amount: unitsOf(price.micros), currency: price.currency } } : {}),
  ...(advertisers.length > 0 ? { advertisers } : {}),
  ...(categories.length > 0 ? { categories } : {}),
  ...withoutUndefined({ seat: bid?.seat }),
});

export const showAd = <Ad extends { readonly offer?: Offer }>({ offer, ...ad }: Ad) => ({
  ...ad,
  ...(offer && showOffer(offer)),
});
