// SPDX-License-Identifier: Apache-2.0
// What the recording of deliveries needs from outside: a journal, and a store.
import type { RequestedSegments } from '../../ads/record/delivery.ts';
import type { Millis } from '../../time/units.ts';
import type { Delivery, WaitingDelivery } from './delivery.ts';
import type { CountedAd } from './deliveryFact.ts';

/** Segments of an ad that requests of a viewer deliver. */
export type Mark = {
  readonly sessionId: string;
  readonly adId: string;
  /** The end of each segment of the grid in milliseconds. Stored, so that the bits can be interpreted without the media. */
  readonly ends: readonly number[];
  readonly kind: keyof RequestedSegments;
  readonly segments: readonly number[];
  readonly at: Millis;
  /** The time of the last request; default: `at`. */
  readonly lastAt?: Millis;
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

export type Delivered = Pick<Mark, 'adId' | 'ends'> & { readonly requested: RequestedSegments };

export type DeliveryStore = {
  /** On disk when it resolves. Marks that arrive together are written together. */
  mark(mark: Mark): Promise<Marked>;
  ofSession(sessionId: string): Promise<Delivered[]>;
  /** Deletes some thousand ads that are counted, not kept, and last requested before `before`. @returns how many */
  forget(before: Millis, now: Millis): Promise<number>;
};

/** Where a process writes deliveries before it responds, in entries of several lines. They survive the process. */
export type DeliveryJournal = {
  /** On disk when it resolves. @param line with its end of line */
  keep(line: string): Promise<void>;
  /** Ends the current entry. @returns the number of the last entry that is complete */
  close(): Promise<number>;
};

/** The entries of the journals on this machine. */
export type DeliveryEntries = {
  /** @returns complete entries of this process, and those that other processes have abandoned; oldest first */
  list(lastComplete: number): Promise<readonly string[]>;
  /** `unreadable`: lines that are not valid deliveries, without a torn last line. */
  read(entry: string): Promise<{ deliveries: readonly WaitingDelivery[]; unreadable: readonly string[] }>;
  remove(entry: string): Promise<void>;
  /** Keeps these lines of the entry, or all of it, under a name that is not listed, and removes the entry. */
  quarantine(entry: string, lines: readonly string[] | undefined): Promise<void>;
  /** Bytes of all entries and quarantined lines. */
  size(): Promise<number>;
};

/** The state of the store and of the journal after a round of recording. */
export type Round = {
  /** Why the store appears to be unavailable. */
  readonly outage?: { readonly error: unknown };
  /** Bytes that are still on disk. */
  readonly bytes: number;
};

/** Records deliveries, their beacons and what follows from them, outside of the serving thread. */
export type DeliveryRecorder = {
  /** Records complete entries; a retry also those that failed. What cannot be recorded stays or is quarantined. */
  replay(lastComplete: number, isRetry: boolean): Promise<Round>;
  /** Records deliveries that could not be written to the journal. @throws if any was not recorded */
  record(deliveries: readonly Delivery[]): Promise<void>;
};
