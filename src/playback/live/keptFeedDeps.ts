// SPDX-License-Identifier: Apache-2.0
// What a feed that is kept in use needs, and what it offers.
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveLog, ReaderFor } from '../../live/ports.ts';
import type { LiveEntry } from '../../live/slot.ts';
import type { Timers } from '../../time/clock.ts';
import type { AppendQueue } from './appendQueue.ts';
import type { EntryRules } from './entryOf.ts';
import type { LiveFeedStatusDeps } from './feedStatus.ts';
import type { LiveFeedRules } from './lenientRules.ts';
import type { TimelineDeps } from './loadTimeline.ts';
import type { LiveFeedHealth } from './origins/feedHealth.ts';
import type { LiveFeedSource } from './origins/feedSources.ts';
import type { Standing } from './origins/sourceChoice.ts';

export type KeptLiveFeedDeps<State, Tail> = TimelineDeps<State, Tail> &
  Pick<EntryRules<Tail>, 'standing'> &
  LiveFeedRules<State, Tail> &
  LiveFeedStatusDeps & {
    /** Makes what viewers at the edge are shown of a state. It may throw: then they are shown the state before it. */
    readonly list: (state: State) => void;
    readonly log: Pick<LiveLog, 'read' | 'tail'>;
    readonly queue: Pick<AppendQueue, 'append'>;
    readonly readerFor: ReaderFor;
    /** The URLs of its backup origins, in order; they may change. */
    readonly backupsOf: (feed: LiveFeed) => readonly string[];
    /** Names this process; processes read an origin at different times. */
    readonly node: string;
    readonly timers: Timers;
  };

export type KeptLiveFeed<State> = {
  readonly feed: LiveFeed;
  /** Marks the feed as used. @throws {AppError} UNAVAILABLE, as a rejection */
  use(): State | Promise<State>;
  /** The state that viewers are shown, once there is one. */
  peek(): State | undefined;
  health(): LiveFeedHealth;
  /** What is on air; undefined until the log is loaded. */
  standing(): Standing | undefined;
  backups(): readonly LiveFeedSource[];
  /** The first number that is not known to be in the log; undefined until the log is loaded. */
  next(): number | undefined;
  /** Milliseconds of the log that are needed: the markers of the break on air are part of it. Undefined until it is loaded. */
  keepMillis(): number | undefined;
  /** Takes the entries from a number on that the log had at an instant at which all processes read it. */
  follow(entries: readonly LiveEntry[], from: number): void;
  /** The log could not be read at such an instant, or can be read again. */
  storeAway(isAway: boolean): void;
  /** Stores what operators have ordered, without waiting for the next reading. Resolves when it is stored, or cannot be. */
  order(): Promise<void>;
  stop(): void;
};
