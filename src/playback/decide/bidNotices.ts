// SPDX-License-Identifier: Apache-2.0
// The notices of bids once a break is decided (OpenRTB 2.6 §4.2): each bid won or lost. The billing notice is an impression of the
// ad (requestBids.ts).
import type { BreakRecord } from '../../ads/record/breakRecord.ts';
import { lossCodeOf, lossUrl } from '../../openrtb/auctionMacros.ts';

/** Calls of one break. */
const MAX_NOTICES = 200;

/** The URLs to call, each once. */
export function bidNotices({ ads }: Pick<BreakRecord, 'ads'>): readonly string[] {
  const urls = ads.flatMap(({ outcome, reason, offer }) => {
    const { win, loss } = offer?.bid?.notices ?? {};
    if (outcome === 'stitched') return win ?? [];
    return loss === undefined ? [] : lossUrl(loss, lossCodeOf(reason?.code ?? ''));
  });
  return [...new Set(urls)].slice(0, MAX_NOTICES);
}
