// SPDX-License-Identifier: Apache-2.0
// Where the breaks of a plan are in the content: for ad requests, and for the trace. Stretches that ads may replace belong to
// their breaks, whether or not there are ads, so positions do not depend on decisions.
import type { BreakPosition } from '../ads/record/breakRecord.ts';
import { type Flicks, flicksToMicros } from '../time/units.ts';
import type { PlannedBreak } from './breakPlan.ts';
import { contentTimeOf } from './contentClock.ts';

const seconds = (time: number): number => flicksToMicros(time as Flicks) / 1e6;

const kindOf = ({ at, until = at }: PlannedBreak, duration: Flicks): BreakPosition['kind'] =>
  at === 0 ? 'pre' : until === duration ? 'post' : 'mid';

/**
 * @param breaks in the order of time
 * @param duration of the title
 * @returns one position for each break
 */
export function breakPositions(breaks: readonly PlannedBreak[], duration: Flicks): BreakPosition[] {
  return breaks.map((one) => {
    const { at, until = at, requested, origin } = one;
    return {
      kind: kindOf(one, duration),
      requested: seconds(requested),
      contentTime: seconds(contentTimeOf({ breaks }, at)),
      movedBy: seconds(at - requested),
      origin,
      ...(until > at ? { replaced: seconds(until - at) } : {}),
    };
  });
}
