// SPDX-License-Identifier: Apache-2.0
// Entries of processes that cannot read each other's log: one for each slot, so that all make the same of what the origin lists,
// whenever they read it.
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { LiveEntry, Slot } from '../slot.ts';
import { applyEntry } from './applyEntry.ts';
import { between } from './between.ts';
import { adoptCheckpoint, checkpointOf, isSameCheckpoint } from './checkpoint.ts';
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
      ...common,
      number: entry.number + index,
      slots,
      signals: own,
      ...(checkpoint && { checkpoint }),
    };
    before = applyEntry(before, made);
    return made;
  });
}

const isBefore = (at: Instant, slots: readonly Slot[]): boolean =>
  slots.every(({ start, duration }) => between(at, after(start, duration)) > 0);

/**
 * A process that has shown something else during an outage of the store follows the log again from an entry on, if the log has the
 * same numbers there. The breaks are those of the log from then on: the process has found them under other ids.
 * @param log the state after the entries of the log before `entry`
 * @returns undefined if the numbers, the section or the run differ
 */
export function rejoinLog(state: LiveState, log: LiveState, entry: LiveEntry): LiveState | undefined {
  const stored = adoptCheckpoint(log, entry);
  const checkpoint = checkpointOf(stored);
  if (checkpoint === undefined || !isSameCheckpoint(checkpointOf(state), checkpoint)) return undefined;
  const own = new Set(state.sections.map(({ id }) => id));
  // What follows a blackout depends on the break before it: that of the log comes after the same one under another id.
  const sections = [...state.sections, ...stored.sections.filter(({ id }) => !own.has(id))].sort((one, other) =>
    between(other.start, one.start),
  );
  return { ...state, breaks: stored.breaks, sections, revision: state.revision + 1 };
}
