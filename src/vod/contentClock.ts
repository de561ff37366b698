// SPDX-License-Identifier: Apache-2.0
// Content time is source time without the ranges that markers declare replaceable, whether ads replace them or not. So it
// is the same for all viewers of a title, and a bookmark stays valid.
import type { BreakPosition } from '../ads/record/breakRecord.ts';
import { type Flicks, flicks, flicksToMicros } from '../time/units.ts';
import type { PlannedBreak } from './breakPlan.ts';

/** A plan or a frozen presentation: breaks in the order of time that do not overlap. */
type ReplaceableRanges = { readonly breaks: readonly { readonly at: Flicks; readonly until?: Flicks }[] };

/** Source times within a range have the content time of its start. */
export function contentTimeOf({ breaks }: ReplaceableRanges, source: Flicks): Flicks {
  const replaced = breaks.reduce((sum, { at, until = at }) => sum + Math.max(0, Math.min(source, until) - at), 0);
  return flicks(source - replaced);
}

/** The first source time with this content time: at a range, its start. */
export function sourceTimeOf({ breaks }: ReplaceableRanges, content: Flicks): Flicks {
  let source: number = content;
  for (const { at, until = at } of breaks) {
    if (at >= source) break;
    source += until - at;
  }
  return flicks(source);
}

// Where the breaks of a plan are in the content: for ad requests, and for the trace. Ranges that ads may replace belong to
// their breaks, whether or not there are ads, so positions do not depend on decisions.

const seconds = (time: number): number => flicksToMicros(time as Flicks) / 1e6;

const kindOf = ({ at, until = at }: PlannedBreak, duration: Flicks): BreakPosition['kind'] =>
  at === 0 ? 'pre' : until === duration ? 'post' : 'mid';

/** @param breaks in the order of time @param duration of the title @returns one position for each break */
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
