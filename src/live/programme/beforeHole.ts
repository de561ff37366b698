// SPDX-License-Identifier: Apache-2.0
// After a hole, what came before it is not listed any more. Until something after it can be listed, viewers are shown what they were
// shown before: a manifest is never empty (law 5).
import { clockAt } from '../../timeline/programme/span.ts';
import { minWindowSeconds } from '../../timeline/programme/window.ts';
import type { LiveState } from './liveState.ts';
import { startOfRun } from './spans.ts';

/** Of holes shortly one after the other. */
const MAX_STATES = 3;

/**
 * @param before the state before an entry
 * @param state after it
 * @param hasHole nothing of what came before the entry is listed
 */
export function keepBefore(before: LiveState, state: LiveState, hasHole: boolean): LiveState {
  const isShown = before.edge !== undefined && before.runs.length > 0;
  if (hasHole && isShown) return { ...state, before: limited(before, MAX_STATES - 1) };
  const [first] = state.runs;
  if (state.before === undefined || first === undefined || state.edge === undefined) return state;
  const isLong = clockAt(state.edge, 0) - startOfRun(first) >= 1000 * minWindowSeconds(state.feed.ladder);
  if (!isLong) return state;
  const { before: _, ...rest } = state;
  return rest;
}

function limited({ before, ...state }: LiveState, count: number): LiveState {
  return before === undefined || count <= 1 ? state : { ...state, before: limited(before, count - 1) };
}
