// SPDX-License-Identifier: Apache-2.0
// Folds old decisions of a session into its odometer (law 3).
import { addShift } from '../ads/placement/decision.ts';
import type { Millis } from '../time/units.ts';
import type { SessionState } from './ports.ts';

/** Moves decisions older than `before` into the odometer. @returns the same object if there are none */
export function foldOld(state: SessionState, before: Millis): SessionState {
  const old = state.decisions.filter(({ startsAt }) => startsAt < before);
  if (old.length === 0) return state;
  const counted = old.filter(({ isVoid }) => !isVoid);
  return {
    ...state,
    decisions: state.decisions.filter(({ startsAt }) => startsAt >= before),
    odometer: counted.reduce((total, { shift }) => addShift(total, shift), state.odometer),
    foldedBefore: before,
  };
}
