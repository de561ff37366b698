// SPDX-License-Identifier: Apache-2.0
import type { LiveFeed } from '../../live/feed.ts';
import type { EntryFrame, LiveEntry } from '../../live/slot.ts';

/** How what operators order for a feed gets into its log. */
export type OrderedEntries<Tail> = {
  /** Adds it to an entry, or makes an entry of it. */
  readonly ordered?: (
    tail: Tail,
    read: LiveEntry | undefined,
    frame: Pick<EntryFrame, 'readAt' | 'visibleAt'>,
    feed: LiveFeed,
  ) => LiveEntry | undefined;
  /** Resolves when it is known. */
  readonly freshOrders?: () => Promise<void>;
};
