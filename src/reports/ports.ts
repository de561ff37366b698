// What the reports need of the world outside: a place that keeps measurements and adds them up. Implemented by the
// installation's own store (adapters/sqlReports.ts) and by a system's search backend; one contract suite holds for both.
import type { DeliveryGrid, RequestedSegments } from '../ads/record/delivery.ts';
import type { Millis } from '../time/units.ts';
import type { CountedAd } from '../tracking/deliveries/deliveryFact.ts';
import type { Bins } from './bins.ts';
import type { Dimension, ReportName } from './catalogue.ts';

/** What was counted for one channel in one stretch of 10 s: amounts by the names of the report's catalogue. */
export type Measurement = {
  readonly report: ReportName;
  /** Empty when it is of no channel. */
  readonly channel: string;
  /** The beginning of the stretch. */
  readonly at: Millis;
  /** What the amounts can be told apart by, besides the channel. */
  readonly keys: Readonly<Partial<Record<Exclude<Dimension, 'channel'>, string>>>;
  /** Whole numbers; lengths of time in milliseconds. */
  readonly amounts: Readonly<Record<string, number>>;
  readonly bins?: Bins;
};

export type Batch = {
  /** A batch is counted once, however often it comes and whoever brings it. */
  readonly id: string;
  /** As systemKey.ts names it. */
  readonly system: string;
  readonly measurements: readonly Measurement[];
};

export type StoreQuery = {
  readonly system: string;
  readonly report: ReportName;
  /** Only of this channel. */
  readonly channel?: string;
  /**
   * Adds up apart for each value of the dimension; only dimensions that the report knows. What has no value of it, or is
   * of no channel when channels are asked for, is left out.
   */
  readonly by?: Dimension;
  /** Row n is from `start + n · interval` until the next row or `end`. Multiples of STRETCH. */
  readonly start: Millis;
  readonly end: Millis;
  /** Milliseconds, a multiple of the resolution. */
  readonly interval: number;
};

/** Everything that was measured in a row, for one value of the dimension. Cells in which nothing was are left out. */
export type Cell = {
  /** From 0; −1 is the time before `start`, for levels alone. */
  readonly row: number;
  /** The value of the dimension; empty where the question has no `by`. */
  readonly key: string;
  /** Sums. */
  readonly amounts: Readonly<Record<string, number>>;
  /** Of amounts that the catalogue calls peaked: the most that one stretch of 10 s had, all channels together. */
  readonly peaks: Readonly<Record<string, number>>;
  /** Of amounts that the catalogue calls levels: what was said last. A level is no sum: it is left out of `amounts`. */
  readonly levels: Readonly<Record<string, number>>;
  readonly bins: Bins;
};

export type ReportStore = {
  /** Keeps a batch unless it was kept before. Throws when the store is away: then the batch comes again. */
  add(batch: Batch): Promise<void>;
  /**
   * @param most cells that anybody will read: one more is enough of an answer
   * @returns in the order of rows
   */
  read(question: StoreQuery, most: number): Promise<readonly Cell[]>;
  /** Milliseconds of the finest rows that can be had from an instant on. */
  resolution(from: Millis, now: Millis): number;
};

/**
 * Who watched, while it can still be told apart: several processes see the same viewer in the same stretch of 10 s, and
 * each viewer counts once.
 */
export type ViewingStore = {
  /**
   * Notes viewers of a channel in a stretch.
   * @param batch what brings them; the same one again is answered as it was the first time
   * @param viewers marks of eight characters each (watching.ts), one after the other
   * @returns how many of them nobody had noted before
   */
  note(batch: string, channel: string, at: Millis, viewers: string): Promise<number>;
  /** Forgets stretches before an instant. */
  forget(before: Millis): Promise<void>;
};

/** Parcels that wait to be brought to their stores. They survive the process. */
export type Spool = {
  /** Writes a parcel, or writes it anew. @returns how many of the oldest had to go for it */
  put(id: string, text: string): Promise<number>;
  /** Those of this process, and those that nobody has touched for a while; the oldest first. */
  list(): Promise<readonly { readonly id: string; readonly writtenAt: number }[]>;
  read(id: string): Promise<string | undefined>;
  remove(id: string): Promise<void>;
};

/** A viewer's ad of which segments were requested that reports do not count yet. */
export type UncountedAd = {
  readonly sessionId: string;
  readonly adId: string;
  readonly ad: CountedAd;
  readonly ends: DeliveryGrid;
  /** What reports count already, and what was requested by now. */
  readonly before: RequestedSegments;
  readonly after: RequestedSegments;
  /** When the last of its segments was requested. */
  readonly at: Millis;
};

/** Counts what was delivered from the rows that say so, each segment once, whichever processes count. */
export type DeliveryCounts = {
  /** Those of which nothing was requested for the longest time come first. @returns `number`, which `count` takes */
  uncounted(most: number): Promise<{
    readonly number: number;
    readonly ads: readonly UncountedAd[];
    readonly isAll: boolean;
  }>;
  /**
   * Notes that `after` of these ads is counted and keeps the parcel that says so: both or neither.
   * @param parcel undefined when the ads change no report
   * @returns false when another process has counted since `uncounted`: nothing is kept then
   */
  count(number: number, ads: readonly UncountedAd[], parcel: string | undefined): Promise<boolean>;
};
