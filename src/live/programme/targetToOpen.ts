// SPDX-License-Identifier: Apache-2.0

import { FLICKS_PER_SECOND } from '../../time/units.ts';
import { segmentsOf } from '../slot.ts';
import type { LiveState } from './liveState.ts';

/** Windows contain so many target durations. Larger ones result from mistakes of the origin, and players would be too far behind. */
const WINDOW = 5;

type Listed = Pick<LiveState, 'runs' | 'target' | 'keep'> & { readonly feed: Pick<LiveState['feed'], 'rungs'> };

/**
 * The target duration, in seconds, of a session that is opened now: that of the origin, or of the audio and video that is listed, because
 * origins list segments that are longer than they state.
 */
export function targetToOpen({ runs, target = 0, keep, feed: { rungs } }: Listed): number {
  const slots = runs.flatMap((run) => (run.kind === 'content' ? run.chunks.flatMap((chunk) => chunk.slots) : []));
  let longest = 0;
  for (const slot of slots) {
    for (const [rung, { kind }] of rungs.entries()) {
      if (kind === 'text') continue;
      const own = segmentsOf(slot, rung);
      const total = own.reduce((sum, { duration }) => sum + duration, 0);
      // A rendition with fewer segments in a slot than another, or shorter ones, is listed as long as the slot.
      const stretch = total === 0 ? 1 : Math.max(1, slot.duration / total);
      for (const { duration } of own) longest = Math.max(longest, duration * stretch);
    }
  }
  const most = keep / 1000 / WINDOW;
  return Math.max(0, ...[target, Math.round(longest / FLICKS_PER_SECOND)].filter((seconds) => seconds <= most));
}
