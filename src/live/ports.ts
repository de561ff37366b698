// SPDX-License-Identifier: Apache-2.0
// What live channels need from the store and from origins.
import type { ChannelRef } from '../channels/channelKey.ts';
import type { Lives } from '../channels/schedule/ports.ts';
import type { LiveFeed } from './feed.ts';
import type { OriginReading } from './origin.ts';
import type { LiveEntry } from './slot.ts';

export type LiveFeedStore = Lives & {
  /** @returns false when the channel has another feed of this format on air; then nothing is stored */
  begin(feed: LiveFeed, replaced?: string): Promise<boolean>;
  current(channel: ChannelRef): Promise<readonly LiveFeed[]>;
  endLife(life: string): Promise<void>;
};

export type LiveLog = {
  /**
   * Appends entries, each unless its life has one with that number. Entries of one life are a chain: if the first is not
   * stored, the others are not either. Entries of a life that has ended are not stored.
   * @returns for each, whether it was stored
   */
  append(entries: readonly { readonly life: string; readonly entry: LiveEntry }[]): Promise<readonly boolean[]>;
  read(life: string, from: number): Promise<readonly LiveEntry[]>;
  /**
   * The end of a timeline: the newest entry with a slot that starts `millis` or more before the newest slot, and all after
   * it; all when there is none.
   */
  tail(life: string, millis: number): Promise<readonly LiveEntry[]>;
  /** The same as `read` for several lives, in one query. */
  readAll(
    after: readonly { readonly life: string; readonly from: number }[],
  ): Promise<ReadonlyMap<string, readonly LiveEntry[]>>;
  /** Removes what `tail` does not return for these lives and lengths. */
  removeBefore(kept: readonly { readonly life: string; readonly millis: number }[]): Promise<void>;
};

export type OriginFailure = {
  /** One sentence: what was requested, what was expected and what came. Without secrets. */
  readonly refused: string;
  /** Absent if there was no response. */
  readonly status?: number;
};

/**
 * With which renditions of an origin its rungs are read. A number: with the first (0), second (1), … of those that are redundant.
 * `substitutes`: with others of their kind in place of those that cannot be read or have stopped.
 */
export type ReadingWay = number | 'substitutes';

/** Absent: 0. */
export type ReaderFor = (feed: LiveFeed, way?: ReadingWay) => OriginReader;

/** Reads one origin again and again. Keeps cookies, validators and what the manifests stated before. */
export type OriginReader = {
  /** @returns undefined when nothing has changed since the last call */
  read(signal?: AbortSignal): Promise<OriginReading | OriginFailure | undefined>;
  /** How many ways there are to read the origin (`ReadingWay`), as far as is known; absent: 1. */
  ways?(): number;
  /** Seconds: EXT-X-TARGETDURATION, or the longest segment; after the first reading. */
  targetDuration(): number;
};
