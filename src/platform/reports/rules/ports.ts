// SPDX-License-Identifier: Apache-2.0
// What reports need from outside: stores that keep measurements and add them up, and spools. The database (store/sql) and
// the search domain of a system (store/search) implement ReportStore and pass the same tests.
import type { DeliveryGrid, RequestedSegments } from '../../../ads/record/delivery.ts';
import type { Millis } from '../../../time/units.ts';
import type { CountedAd } from '../../../tracking/deliveries/deliveryFact.ts';
import type { Bins } from './bins.ts';
import type { Dimension, ReportName } from './catalogue.ts';

/** Counts of one channel in one report interval. The catalogue names the amounts. */
export type Measurement = {
  readonly report: ReportName;
  /** Empty if the measurement belongs to no channel. */
  readonly channel: string;
  /** The start of the report interval. */
  readonly at: Millis;
  /** The values of the dimensions, in addition to the channel. */
  readonly keys: Readonly<Partial<Record<Exclude<Dimension, 'channel'>, string>>>;
  /** Integers; durations in milliseconds. */
  readonly amounts: Readonly<Record<string, number>>;
  readonly bins?: Bins;
};

export type Batch = {
  /** A batch is counted once, however often and by whichever process it is added. */
  readonly id: string;
  /** From systemKey (system.ts). */
  readonly system: string;
  readonly measurements: readonly Measurement[];
};

export type StoreQuery = {
  readonly system: string;
  readonly report: ReportName;
  /** Only of these channels; the peak of several may be too low where only minutes or hours are kept. */
  readonly channels?: readonly string[];
  /** Groups by a dimension that the report supports. Measurements without a value of the dimension are left out. */
  readonly by?: Dimension;
  /** Row n begins at `start + n · interval` and ends at the next row or `end`. Multiples of REPORT_INTERVAL_MS. */
  readonly start: Millis;
  readonly end: Millis;
  /** Milliseconds, a multiple of the resolution. */
  readonly interval: number;
};

/** The counts of a time range. */
export type Rollup = {
  /** Sums. */
  readonly amounts: Readonly<Record<string, number>>;
  /** For each amount in `peaked` (catalogue.ts), the maximum of one report interval, over the sum of all channels. */
  readonly peaks: Readonly<Record<string, number>>;
  /** For each amount in `levels` (catalogue.ts), the last value. `amounts` does not contain them. */
  readonly levels: Readonly<Record<string, number>>;
  readonly bins: Bins;
};

/** The measurements of one row and one value of the dimension. Empty cells are left out. */
export type Cell = Rollup & {
  /** From 0; −1 is the time before `start` and contains levels only. */
  readonly row: number;
  /** The value of the dimension; empty if the query has no `by`. */
  readonly key: string;
};

export type ReportStore = {
  /** Stores a batch unless it was stored before. Throws if the store is unavailable; the caller then retries. */
  add(batch: Batch): Promise<void>;
  /** @param most cells that the caller uses; the store may stop after one more. @returns cells in the order of rows */
  read(question: StoreQuery, most: number): Promise<readonly Cell[]>;
  /** The finest row length, in milliseconds, that is still available from an instant on. */
  resolution(from: Millis, now: Millis): number;
};

/** Recent viewers. Several processes may serve the same viewer in the same report interval; each viewer counts once. */
export type ViewingStore = {
  /**
   * Records viewers, as in `Counted`, of a channel in a report interval. @returns how many of them were not recorded before
   * @param batch identifies the call: a repeated call returns the same number as the first
   */
  note(batch: string, channel: string, at: Millis, viewers: string): Promise<number>;
  /** Deletes report intervals before an instant. */
  forget(before: Millis): Promise<void>;
};

/** Entries that wait to be written to their stores. They survive the process. */
export type Spool = {
  /** Writes or replaces an entry. @returns how many of the oldest entries were discarded for it */
  put(id: string, text: string): Promise<number>;
  /** Entries of this process, and entries that other processes have abandoned; oldest first. */
  list(): Promise<readonly { readonly id: string; readonly writtenAt: number }[]>;
  read(id: string): Promise<string | undefined>;
  remove(id: string): Promise<void>;
};

/** A viewer's ad with requested segments that reports have not counted yet. */
export type UncountedAd = {
  readonly sessionId: string;
  readonly adId: string;
  readonly ad: CountedAd;
  readonly ends: DeliveryGrid;
  /** The segments that are counted already, and those that have been requested so far. */
  readonly before: RequestedSegments;
  readonly after: RequestedSegments;
  /** When the last of its segments was requested. */
  readonly at: Millis;
};

/** Deliveries that are not counted yet. Each segment counts once, whichever processes count. */
export type DeliveryCounts = {
  /** Ads whose last request is oldest come first. `number` is to be passed to `count`. */
  uncounted(most: number): Promise<{ number: number; ads: readonly UncountedAd[]; isAll: boolean }>;
  /**
   * Marks `after` of these ads as counted and stores the entry with the counts, if they change a report, in one transaction.
   * @returns false if another process has counted since `uncounted`; nothing is stored then
   */
  count(number: number, ads: readonly UncountedAd[], entry: string | undefined): Promise<boolean>;
};
