// SPDX-License-Identifier: Apache-2.0
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import type { LiveState } from './liveState.ts';

/** The target duration, in seconds, of the audio and video that is listed: origins list segments that are longer than they state. */
export function longestListed({
  runs,
  feed: { rungs },
}: Pick<LiveState, 'runs'> & { feed: Pick<LiveState['feed'], 'rungs'> }): number {
  const slots = runs.flatMap((run) => (run.kind === 'content' ? run.chunks.flatMap((chunk) => chunk.slots) : []));
  let longest = 0;
  for (const { segments } of slots) {
    for (const [rung, { kind }] of rungs.entries()) {
      if (kind === 'text') continue;
      for (const { duration } of segments[rung]!) longest = Math.max(longest, duration);
    }
  }
  return Math.round(longest / FLICKS_PER_SECOND);
}
