// SPDX-License-Identifier: Apache-2.0
// When a process shows what it has read itself while the store is unavailable: as long after the end of the segment as the log has shown
// others, and as much later as another process may read it. So processes that read an origin at different times show the same.
import type { LiveEntry, Slot } from '../../live/slot.ts';
import { flicksToMillis, millis } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import { readInterval } from './pacing.ts';

const NOTED = 21;
/** Milliseconds that an entry may wait longer than in the log. A longer delay results from a timeline that has jumped ahead. */
const LONGEST_WAIT = 5000;

/** As much later another process may read a slot. */
const slackOf = ({ duration }: Slot): number => readInterval(flicksToMillis(duration));
const endOf = ({ start, duration }: Slot): number => clockAt(start, duration);

export function createUsualDelay() {
  let delays: readonly number[] = [];
  const usual = () => delays.toSorted((one, other) => one - other)[delays.length >> 1];
  return {
    /** Whether the first slot of an entry is shown, as usual, at an instant or before, or little later. */
    mayBeReadBy({ slots: [first] }: LiveEntry, shownAt: number): boolean {
      const delay = usual();
      return first !== undefined && delay !== undefined && endOf(first) + delay - slackOf(first) < shownAt;
    },
    /** An entry of the log that all processes can read, in the order of the log: all of them note the same. */
    note({ slots, visibleAt, isApart }: LiveEntry) {
      const last = slots.at(-1);
      if (last === undefined || last.isAway) return;
      delays = [...delays, visibleAt - endOf(last) - (isApart ? slackOf(last) : 0)].slice(-NOTED);
    },
    /** An entry that is not. */
    apart(entry: LiveEntry): LiveEntry {
      const last = entry.slots.at(-1);
      const delay = usual();
      if (last === undefined || last.isAway || delay === undefined) return { ...entry, isApart: true };
      const at = Math.min(endOf(last) + delay + slackOf(last), entry.visibleAt + LONGEST_WAIT);
      return { ...entry, isApart: true, visibleAt: millis(Math.round(at)) };
    },
  };
}

export type UsualDelay = ReturnType<typeof createUsualDelay>;
