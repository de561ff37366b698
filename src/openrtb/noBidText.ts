// SPDX-License-Identifier: Apache-2.0

/** The reasons of a bidder for not bidding, by their numbers (OpenRTB 3.0, "No-Bid Reason Codes"). */
const reasons = [
  'it had an unknown error',
  'it had a technical error',
  'the request is invalid',
  'it takes the viewer for a web crawler',
  'it suspects that the viewer is not a person',
  'the address of the viewer is that of a cloud, a data center or a proxy',
  'it does not support the device',
  'it blocks the publisher or site',
  'it does not know the viewer',
  'the viewer has seen enough of its ads today',
  'the domain has shown enough of its ads today',
  'it found no ads.txt that authorizes the seller',
  'the ads.txt does not authorize the seller',
  'it could not verify the request by ads.cert',
  'the signature of the request violates ads.cert',
  'the time that the request allows (tmax) is too short',
  'the supply chain (schain) is incomplete',
  'it blocks a node of the supply chain (schain)',
];

/** @param nbr of the response; undefined if it has none */
export function noBidText(nbr: number | undefined): string {
  if (nbr === undefined) return 'The bidder returned no bid.';
  const reason = reasons[nbr] ?? 'the reason is one that OpenRTB does not define';
  return `The bidder returned no bid: ${reason} (nbr ${nbr}).`;
}
