// SPDX-License-Identifier: Apache-2.0
// What a feed that is kept in use needs.
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveLog, OriginReader } from '../../live/ports.ts';
import type { Timers } from '../../time/clock.ts';
import type { AppendQueue } from './appendQueue.ts';
import type { EntryRules } from './entryOf.ts';
import type { TimelineDeps } from './loadTimeline.ts';
import type { OrderedEntries } from './orderedEntries.ts';

export type KeptFeedDeps<State, Tail> = TimelineDeps<State, Tail> &
  EntryRules<Tail> &
  OrderedEntries<Tail> & {
    readonly log: Pick<LiveLog, 'read' | 'tail'>;
    readonly queue: Pick<AppendQueue, 'append'>;
    readonly readerFor: (feed: LiveFeed) => OriginReader;
    /** The URLs of its backup origins, in order; they may change. */
    readonly backupsOf: (feed: LiveFeed) => readonly string[];
    /** Names this process; processes read an origin at different times. */
    readonly node: string;
    readonly timers: Timers;
    readonly warn: (message: string, facts: Record<string, unknown>) => void;
  };
