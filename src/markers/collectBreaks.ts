// SPDX-License-Identifier: Apache-2.0
// The breaks of a whole timeline.
import type { Flicks } from '../time/units.ts';
import { addSignal, endFold, newFold } from './breakFold.ts';
import type { MarkedBreak } from './markedBreak.ts';
import type { MarkerSignal, MarkerWarning } from './markerSignal.ts';

/**
 * @param signals in the order of their times
 * @param start of the timeline
 */
export function collectBreaks(
  signals: readonly MarkerSignal[],
  start: Flicks,
): { breaks: MarkedBreak[]; warnings: MarkerWarning[] } {
  const fold = newFold(start);
  for (const signal of signals) addSignal(fold, signal);
  endFold(fold);
  return { breaks: fold.breaks, warnings: fold.warnings };
}
