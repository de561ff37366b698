// SPDX-License-Identifier: Apache-2.0
// The entry that a reading of the origins adds: content of the first origin that has some, or slate.
import type { LiveFeed } from '../../live/feed.ts';
import type { OriginReading } from '../../live/origin.ts';
import type { EntryFrame, LiveEntry } from '../../live/slot.ts';
import type { Millis } from '../../time/units.ts';
import type { LiveFeedReading } from './origins/feedReading.ts';
import type { Standing } from './origins/sourceChoice.ts';

type ReadingFrame = Pick<EntryFrame, 'readAt' | 'visibleAt' | 'source'>;

export type EntryRules<Tail> = {
  /** What is on air at the end of a timeline. */
  readonly standing: (tail: Tail) => Standing;
  /** What a reading adds; undefined if nothing. */
  readonly nextEntry: (
    tail: Tail,
    reading: OriginReading,
    frame: ReadingFrame,
    feed: LiveFeed,
  ) => LiveEntry | undefined;
  /** Slate up to now, by the clock; undefined if the timeline is there. With the reading of an origin that has nothing yet. */
  readonly awayEntry: (
    tail: Tail,
    reading: { readonly reading: OriginReading; readonly source: string | undefined } | undefined,
    frame: ReadingFrame,
    feed: LiveFeed,
    reason: string,
  ) => LiveEntry | undefined;
};

export function entryOf<Tail>(
  { standing, nextEntry, awayEntry }: EntryRules<Tail>,
  feed: LiveFeed,
  tail: Tail,
  { candidates, isTrouble }: LiveFeedReading,
  by: { readonly frameOf: (readAt: Millis) => ReadingFrame; readonly now: Millis; readonly reason: string },
): LiveEntry | undefined {
  const { source } = standing(tail);
  for (const { reading, at, backup } of candidates) {
    const frame = { ...by.frameOf(at), ...(backup === undefined ? {} : { source: backup }) };
    const entry = nextEntry(tail, reading, frame, feed);
    // Markers alone do not bring another origin on air.
    if (entry !== undefined && (entry.slots.length > 0 || backup === source)) return entry;
  }
  if (!isTrouble) return undefined;
  const [first] = candidates;
  const known = first && { reading: first.reading, source: first.backup };
  return awayEntry(tail, known, by.frameOf(by.now), feed, by.reason);
}
