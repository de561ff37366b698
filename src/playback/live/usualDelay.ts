// SPDX-License-Identifier: Apache-2.0
// When a process shows what it has read itself while the store is unavailable: as long after the end of the segment as the log has shown
// others, and as much later as another process may read it. So processes that read an origin at different times show the same.
import type { LiveEntry, Slot } from '../../live/slot.ts';
import { flicksToMillis, millis } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import { readInterval } from './pacing.ts';

export type UsualDelay = {
  /** An entry that is in the log. */
  note(entry: LiveEntry): void;
  /** An entry that is not. */
  apart(entry: LiveEntry): LiveEntry;
};

const NOTED = 21;

const endOf = ({ start, duration }: Slot): number => clockAt(start, duration);

export function createUsualDelay(): UsualDelay {
  let delays: readonly number[] = [];
  return {
    note({ slots, visibleAt }) {
      const last = slots.at(-1);
      if (last !== undefined && !last.isAway) delays = [...delays, visibleAt - endOf(last)].slice(-NOTED);
    },
    apart(entry) {
      const last = entry.slots.at(-1);
      const usual = delays.toSorted((one, other) => one - other)[delays.length >> 1];
      if (last === undefined || last.isAway || usual === undefined) return { ...entry, isApart: true };
      const shown = endOf(last) + usual + readInterval(flicksToMillis(last.duration));
      return { ...entry, isApart: true, visibleAt: millis(Math.max(entry.visibleAt, Math.round(shown))) };
    },
  };
}
