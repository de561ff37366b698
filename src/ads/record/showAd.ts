// SPDX-License-Identifier: Apache-2.0
// An ad and its offer as traces, tries and hooks show them: without the URLs to which a bidder is notified.
import { withoutUndefined } from '../../invariant.ts';
import { type Offer, unitsOf } from './offer.ts';

export const showOffer = ({ source, step, price, traits: { advertisers, categories }, bid }: Offer) => ({
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
