// SPDX-License-Identifier: Apache-2.0
// The breaks of the feeds of a channel, from their stored timelines. Each entry is read once.
import { LRUCache } from 'lru-cache';
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { BreakFact, BreakWarning } from '../../live/breaks/breakFact.ts';
import { addEntryBreaks, type BreakList } from '../../live/breaks/breakList.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveFeedStore, LiveLog } from '../../live/ports.ts';
import type { Instant } from '../../timeline/programme/span.ts';

export type OriginBreaks = {
  readonly origin: 'hls' | 'dash';
  /** In the order of their starts. */
  readonly breaks: readonly BreakFact[];
  /** Markers that were not used as written. */
  readonly warnings: readonly BreakWarning[];
};

/** The breaks of a feed, with what orders of operators need. */
export type LiveFeedBreaks = OriginBreaks & {
  readonly feed: LiveFeed;
  /** The end of the timeline; undefined before the first entry. */
  readonly edge?: Instant;
  /** Milliseconds by which the timeline is behind the clock. */
  readonly lag: number;
};

type ReadBreaksDeps = { readonly feeds: Pick<LiveFeedStore, 'current'>; readonly log: LiveLog };

/** Feeds whose breaks are remembered; the least recently used are forgotten first. */
const MAX_FEEDS = 200;
/** The length of the log that is read: more than any timeline is kept. */
const LONGEST_MS = 26 * 3_600_000;

type Known = { readonly list: BreakList | undefined; readonly next: number; readonly lag: number };

export function createBreakReader({ feeds, log }: ReadBreaksDeps) {
  const known = new LRUCache<string, Promise<Known>>({ max: MAX_FEEDS });

  async function readOn(life: string, before: Promise<Known> | undefined): Promise<Known> {
    const last = await before?.catch(() => undefined);
    const entries = last === undefined ? await log.tail(life, LONGEST_MS) : await log.read(life, last.next);
    return entries.reduce<Known>(
      ({ list }, entry) => ({ list: addEntryBreaks(list, entry), next: entry.number + 1, lag: entry.anchor.lag }),
      last ?? { list: undefined, next: 0, lag: 0 },
    );
  }

  return async (channel: ChannelRef): Promise<LiveFeedBreaks[]> =>
    Promise.all(
      (await feeds.current(channel)).map(async (feed) => {
        const { life, format } = feed;
        const reading = readOn(life, known.get(life));
        known.set(life, reading);
        const { list, lag } = await reading;
        const edge = list?.memory.edge;
        const found = { breaks: list?.breaks ?? [], warnings: list?.warnings ?? [] };
        return { origin: format, feed, lag, ...(edge && { edge }), ...found };
      }),
    );
}
