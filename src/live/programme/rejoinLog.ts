// SPDX-License-Identifier: Apache-2.0
import type { LiveEntry } from '../slot.ts';
import { between } from './between.ts';
import { adoptCheckpoint, checkpointOf, isSameCheckpoint } from './checkpoint.ts';
import type { LiveState } from './liveState.ts';

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
