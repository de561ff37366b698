// SPDX-License-Identifier: Apache-2.0
import type { Auction, BidsRead } from './auction.ts';

/** Reads bid responses. One that is not read in time results in a failure. Implemented in adapters/vast. */
export type BidReader = {
  /** @param bytes UTF-8 */
  readBids(bytes: Uint8Array, auction: Auction): Promise<BidsRead>;
};
