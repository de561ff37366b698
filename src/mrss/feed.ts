// SPDX-License-Identifier: Apache-2.0
// A feed as readFeed.ts returns it. Lines are those of the text, counted from 1.

export type FeedContent = {
  readonly url: string;
  /** Undefined when neither the URL's extension nor the feed names the format. */
  readonly type?: 'hls' | 'dash';
  /** Seconds, when the feed states them. */
  readonly duration?: number;
};

type Line = { readonly line: number };

export type ReadCuePoint = Line & {
  /** In seconds, or in per cent when the item's `spliceType` is `percent`; −1 is a post-roll. */
  readonly spliceTime: number;
  /** Seconds. */
  readonly maxDuration?: number;
  readonly maxAds?: number;
};

export type ReadFeedItem = Line & {
  readonly guid?: string;
  readonly title?: string;
  readonly description?: string;
  /** From when the item is valid, as written. */
  readonly validFrom?: string;
  /** The fields of an entry of a schedule that RSS has no element for, in a feed that Midroll wrote. As written. */
  readonly entry?: Readonly<Record<string, string>>;
  /** The same film in several forms, the most suitable first. Empty only when the feed has a fault for the item. */
  readonly contents: readonly FeedContent[];
  /** The duration was measured; the playlist states none. */
  readonly isMeasured: boolean;
  /** The unit of the cue points; seconds when absent. */
  readonly spliceType?: string;
  /** Undefined when the item has no list of cue points. */
  readonly cuePoints?: readonly ReadCuePoint[];
};

/** The fields of a playlist that RSS has no element for, in a feed that Midroll wrote. As written, not validated. */
export type FeedPlaylist = Line & {
  readonly id?: string;
  /** Only where the feed's title is not the name. */
  readonly name?: string;
  readonly type?: string;
  readonly status?: string;
  readonly startDate?: string;
  /** The playlist has a list of contents, which is empty. */
  readonly isEmpty: boolean;
};

/** Something to report to the feed's author. */
export type FeedNotice = Line & {
  /** Index of the item, from 0. */
  readonly item?: number;
  /** The part of the item that it concerns, as a path of the playlist: `url`, `cuePoints/0/spliceTime`. */
  readonly path?: string;
  readonly message: string;
};

export type ReadFeed = {
  readonly title: string;
  readonly titleLine: number;
  readonly playlist?: FeedPlaylist;
  readonly items: readonly ReadFeedItem[];
  /** What cannot be played as the feed's author meant it. */
  readonly faults: readonly FeedNotice[];
  /** What was corrected or ignored without loss. */
  readonly warnings: readonly FeedNotice[];
};

export type FeedRefusal = {
  /** What is wrong with the text: `is JSON, not RSS`. */
  readonly refused: string;
  /** A sentence without its full stop: what to do. */
  readonly advice?: string;
  readonly line: number;
  readonly code: 'EMPTY' | 'TOO_LONG' | 'NOT_XML' | 'NOT_RSS' | 'NO_CHANNEL' | 'TOO_MANY_ITEMS';
};

/** Continues the name of the feed, without a full stop at the end: `is JSON, not RSS (line 1)`. */
export const describeRefusal = ({ refused, line, advice }: FeedRefusal): string =>
  `${refused} (line ${line})${advice === undefined ? '' : `. ${advice}`}`;
