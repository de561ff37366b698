// SPDX-License-Identifier: Apache-2.0
// What the recording of deliveries needs from outside: a store and a spool.
import type { RequestedSegments } from '../../ads/record/delivery.ts';
import type { Millis } from '../../time/units.ts';
import type { WaitingDelivery } from './delivery.ts';
import type { CountedAd } from './deliveryFact.ts';

/** Segments of an ad that one request of a viewer delivers. */
export type Mark = {
  readonly sessionId: string;
  readonly adId: string;
  /** The end of each segment of the grid in milliseconds. Stored, so that the bits can be interpreted without the media. */
  readonly ends: readonly number[];
  readonly kind: keyof RequestedSegments;
  readonly segments: readonly number[];
  readonly at: Millis;
  /** For reports. Without it, reports do not count the ad. */
  readonly counted?: CountedAd;
  /** For VoD sessions: `forget` keeps the delivery until then, and as long as the session exists. */
  readonly keepUntil?: Millis;
};

export type Marked = {
  /** All segments that have been requested. */
  readonly after: RequestedSegments;
  /** The time of the first request for any segment of the ad. */
  readonly firstAt: Millis;
};

export type Delivered = {
  readonly adId: string;
  readonly ends: readonly number[];
  readonly requested: RequestedSegments;
};

export type DeliveryStore = {
  /** On disk when it resolves. */
  mark(mark: Mark): Promise<Marked>;
  /** All deliveries of a session. */
  ofSession(sessionId: string): Promise<Delivered[]>;
  /**
   * Deletes up to a few thousand ads that reports have counted, whose last request was before `before`, and which need not be
   * kept. @returns how many
   */
  forget(before: Millis, now: Millis): Promise<number>;
};

/** Deliveries that wait for the store, in entries of several lines. They survive the process. */
export type DeliverySpool = {
  /** On disk when it resolves. */
  keep(delivery: WaitingDelivery): Promise<void>;
  /** Ends the current entries. @returns entries of this process and those that other processes have abandoned; oldest first */
  close(): Promise<readonly string[]>;
  /** `unreadable`: lines that are not valid deliveries, without a torn last line. */
  read(entry: string): Promise<{
    readonly deliveries: readonly WaitingDelivery[];
    readonly unreadable: readonly string[];
  }>;
  remove(entry: string): Promise<void>;
  /** Keeps these lines of the entry, or all of it, under a name that is not listed, and removes the entry. */
  quarantine(entry: string, lines: readonly string[] | undefined): Promise<void>;
};
