// SPDX-License-Identifier: Apache-2.0
// Entries of processes that cannot read each other's log: one for each slot, so that all make the same of what the origin lists,
// whenever they read it.
import { after } from '../../timeline/programme/span.ts';
import type { LiveEntry } from '../slot.ts';
import { applyEntry } from './applyEntry.ts';
import { between } from './between.ts';
import { checkpointOf } from './checkpoint.ts';
import type { LiveState } from './liveState.ts';

/** @param state before the entry */
export function splitEntry(state: LiveState, entry: LiveEntry): readonly LiveEntry[] {
  if (entry.slots.length < 2) return [entry];
  const { awayReason: _, ...rest } = entry;
  let before = state;
  let signals = entry.signals;
  return entry.slots.map((slot, index) => {
    const isLast = index === entry.slots.length - 1;
    const end = after(slot.start, slot.duration);
    const own = signals.filter(({ at }) => isLast || between(at, end) > 0);
    signals = signals.filter((one) => !own.includes(one));
    const checkpoint = checkpointOf(before);
    const common = index === 0 ? entry : rest;
    const part: LiveEntry = { ...common, number: entry.number + index, slots: [slot], signals: own };
    const made = index === 0 || checkpoint === undefined ? part : { ...part, checkpoint };
    before = applyEntry(before, made);
    return made;
  });
}
