// SPDX-License-Identifier: Apache-2.0
import type { NoAdsReason } from '../ads/record/breakRecord.ts';

/** By number (OpenRTB 3.0, "No-Bid Reason Codes"). */
const reasons = [
  'unknown error',
  'technical error',
  'invalid request',
  'known web crawler',
  'suspected non-human traffic',
  'the address of the viewer is that of a cloud, a data center or a proxy',
  'unsupported device',
  'blocked publisher or site',
  'unmatched user',
  'daily cap of the viewer reached',
  'daily cap of the domain reached',
  'ads.txt not available',
  'seller not authorized by ads.txt',
  'authentication by ads.cert not available',
  'authentication by ads.cert failed',
  'the request allows too little time (tmax)',
  'incomplete supply chain (schain)',
  'blocked node of the supply chain (schain)',
];

/** @param nbr of the response, which may be any number; undefined if it has none */
export function noBidReason(nbr?: number): NoAdsReason {
  if (nbr === undefined || !Number.isSafeInteger(nbr)) return { code: 'NO_BID', text: 'The bidder returned no bid.' };
  const reason = reasons[nbr] ?? 'a reason that OpenRTB does not define';
  return { code: 'NO_BID', text: `The bidder returned no bid: ${reason} (nbr ${nbr}).`, nbr };
}
