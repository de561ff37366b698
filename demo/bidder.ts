// SPDX-License-Identifier: Apache-2.0
// The bidder of the demo: OpenRTB 2.6, one bid for each ad that fits into the pod.
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { type Advertisement, advertisements } from './advertisements.ts';
import { writeVastResponse } from './vastResponse.ts';

type BidRequest = {
  readonly id: string;
  readonly imp: readonly [
    { readonly id: string; readonly video: { readonly poddur?: number; readonly podid?: string } },
  ];
};

/** Prices of a thousand impressions. */
const PRICES: Readonly<Record<string, number>> = { coffee: 8, bicycles: 15, islands: 12, lamps: 9.5 };

export async function readBidRequest(request: IncomingMessage): Promise<BidRequest> {
  const body = await buffer(request);
  const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
  return JSON.parse(text.toString()) as BidRequest;
}

/** The places that receive beacons, and have the creatives. */
type BidderContext = { readonly adServer: string; readonly media: string };

export function writeBidResponse({ id, imp: [impression] }: BidRequest, context: BidderContext): string {
  const { poddur = 30, podid = '' } = impression.video;
  const bidFor = (ad: Advertisement) => {
    const vast = { ...context, viewer: 'bidder', breakId: podid };
    const query = new URLSearchParams({ ad: ad.id, viewer: 'bidder', break: podid });
    return {
      id: ad.id,
      impid: impression.id,
      price: PRICES[ad.id] ?? 5,
      adm: writeVastResponse([ad], vast),
      adomain: [`${ad.id}.example`],
      crid: `${ad.id}-video`,
      dur: ad.seconds,
      mtype: 2,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a macro of OpenRTB
      burl: `${context.adServer}/beacon/bill?${query}&price=${'${AUCTION_PRICE}'}`,
    };
  };
  const bid = advertisements.filter(({ seconds }) => seconds <= poddur).map(bidFor);
  return JSON.stringify({ id, cur: 'USD', seatbid: [{ seat: 'demo', bid }] });
}
