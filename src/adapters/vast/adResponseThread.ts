// SPDX-License-Identifier: Apache-2.0
// The program of the reader thread (adResponseReader.ts). Returns each parsed response as JSON: parsing JSON is several
// times faster than the structured clone of the same value.
import { parentPort, workerData } from 'node:worker_threads';
import { defined } from '../../invariant.ts';
import type { Auction } from '../../openrtb/auction.ts';
import { bidText, readBidResponse } from '../../openrtb/readBidResponse.ts';
import type { ResponseLimits } from '../../vast/read/readAdResponse.ts';
import { type AdResponseBytes, readAdResponse } from '../../vast/read/readAdResponse.ts';

export type ThreadWork =
  | ({ readonly kind: 'ads' } & AdResponseBytes)
  | { readonly kind: 'bids'; readonly bytes: Uint8Array; readonly auction: Auction };
export type ThreadRequest = ThreadWork & { readonly id: number };
export type ThreadResponse = { readonly id: number; readonly json: string };

const limits = workerData as ResponseLimits;

const readingOf = (work: ThreadWork) =>
  work.kind === 'ads' ? readAdResponse(work, limits) : readBidResponse(bidText(work.bytes), work.auction);

const port = defined(parentPort, 'the program runs in a thread');
port.on('message', ({ id, ...work }: ThreadRequest) => {
  const read: ThreadResponse = { id, json: JSON.stringify(readingOf(work)) };
  port.postMessage([read]);
});
