// What tracking needs of the world: a place for what was delivered, one for beacons, and somebody who sends them.
import type { RequestedSegments } from '../../ads/record/delivery.ts';
import type { Millis } from '../../time/units.ts';
import type { WaitingDelivery } from './delivery.ts';
import type { CountedAd } from './deliveryFact.ts';

/** Segments of one ad that one viewer asked for at once. */
export type Mark = {
  readonly sessionId: string;
  readonly adId: string;
  /** Where the segments of its grid end, in milliseconds: kept, so that the bits can be read without the media. */
  readonly ends: readonly number[];
  readonly kind: keyof RequestedSegments;
  readonly segments: readonly number[];
  readonly at: Millis;
  /** For reports; without it they do not count the ad. */
  readonly counted?: CountedAd;
};

export type Marked = {
  /** All segments that were requested so far. */
  readonly after: RequestedSegments;
  /** When the first segment of the ad was asked for, whichever it was. */
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
  /** What a session was given. */
  ofSession(sessionId: string): Promise<Delivered[]>;
  /** Forgets ads of which no segment was requested since `before` and that reports have counted, a few thousand at a time. Returns how many. */
  forget(before: Millis): Promise<number>;
};

/** Deliveries that wait for the store, in parcels. They outlive the process. */
export type DeliverySpool = {
  /** On disk when it resolves. */
  keep(delivery: WaitingDelivery): Promise<void>;
  /** Nothing more comes to the parcels that there are. @returns those of this process and those that others left, the oldest first */
  close(): Promise<readonly string[]>;
  /** `unreadable`: lines that are no deliveries; a torn last line is none of them. */
  read(parcel: string): Promise<{
    readonly deliveries: readonly WaitingDelivery[];
    readonly unreadable: readonly string[];
  }>;
  remove(parcel: string): Promise<void>;
  /** Keeps these lines of the parcel, or all of it, under a name that is not listed; the parcel itself goes. */
  quarantine(parcel: string, lines: readonly string[] | undefined): Promise<void>;
};
