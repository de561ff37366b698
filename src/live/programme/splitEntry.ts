// SPDX-License-Identifier: Apache-2.0
// Entries of processes that cannot read each other's log: one for each slot, so that all make the same of what the origin lists,
// whenever they read it.
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { LiveEntry, Slot } from '../slot.ts';
import { applyEntry } from './applyEntry.ts';
import { between } from './between.ts';
import { checkpointOf } from './checkpoint.ts';
import type { LiveState } from './liveState.ts';

/**
 * Their checkpoints are those of this process: the breaks that begin in entries before may have got other ids (`isApart`), and a
 * checkpoint with the old ones would cut the timeline off.
 * @param state before the entry
 */
export function splitEntry(state: LiveState, entry: LiveEntry): readonly LiveEntry[] {
  const { awayReason: _, ...rest } = entry;
  let before = state;
  let signals = entry.signals;
  const parts = Math.max(1, entry.slots.length);
  return Array.from({ length: parts }, (_none, index) => {
    const slots = entry.slots.slice(index, index + 1);
    const own = signals.filter(({ at }) => index === parts - 1 || isBefore(at, slots));
    signals = signals.filter((one) => !own.includes(one));
    const { checkpoint: _stated, ...common } = index === 0 ? entry : rest;
    const checkpoint = checkpointOf(before);
    const made: LiveEntry = {
      ...{ ...common, number: entry.number + index, slots, signals: own },
      ...(checkpoint && { checkpoint }),
    };
    before = applyEntry(before, made);
    return made;
  });
}

const isBefore = (at: Instant, slots: readonly Slot[]): boolean =>
  slots.every(({ start, duration }) => between(at, after(start, duration)) > 0);
