// SPDX-License-Identifier: Apache-2.0
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import { between } from './between.ts';
import type { LiveState } from './liveState.ts';
import { openSection } from './section.ts';

/** For how many milliseconds the break at the end of a timeline has been on air, in all of its sections; 0 without one. */
export function breakMillis({ sections, edge }: LiveState): number {
  const open = openSection(sections);
  // What shows no ads needs no markers.
  if (open === undefined || edge === undefined || open.kind !== undefined) return 0;
  const first = sections.find(({ breakId }) => breakId === open.breakId) ?? open;
  return Math.max(0, between(first.start, edge) / FLICKS_PER_MILLI);
}
