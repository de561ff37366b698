// SPDX-License-Identifier: Apache-2.0
// How long live entries last, and what happens to the entries that one of them has delayed.
import { FLICKS_PER_MILLI, type Flicks, flicks, type Millis, secondsToFlicks } from '../time/units.ts';
import type { PreparedEntry } from './layOut.ts';
import type { LiveProgramme } from './schedule.ts';

/** Seconds. */
const MAX_OVERRUN = 6 * 3600;
/** One that is not over is laid out for so much longer, in steps, so that it is laid out again before its slate ends. */
const STEP_MS = 60_000;
const AHEAD_STEPS = 3;

/** @param startsAt its start by the plan, if it is known */
export function liveLength(live: LiveProgramme, startsAt: Millis | undefined, now: Millis): Flicks {
  const { plannedDuration, end = 'planned', maxDuration = plannedDuration + MAX_OVERRUN, endedAt } = live;
  const planned = secondsToFlicks(plannedDuration);
  if (startsAt === undefined) return planned;
  if (endedAt !== undefined) return flicks(Math.max(0, Date.parse(endedAt) - startsAt) * FLICKS_PER_MILLI);
  if (end === 'planned') return planned;
  const passed = (Math.floor((now - startsAt) / STEP_MS) + AHEAD_STEPS) * STEP_MS * FLICKS_PER_MILLI;
  return flicks(Math.min(Math.max(planned, passed), secondsToFlicks(maxDuration)));
}

/** Whether its end may be later than the starts of entries after it. */
export const mayOverrun = ({ end = 'planned' }: LiveProgramme): boolean => end !== 'planned';

/** Milliseconds. The origin may end the programme before it somewhat late. */
const NOT_OWN_END = 60_000;

/**
 * From how many milliseconds after its start on the origin can end an entry; undefined if it does not. It is at least half as long as
 * planned, or a minute.
 */
export const endableAfter = ({ end, endedAt, plannedDuration }: LiveProgramme): number | undefined =>
  end === 'marker' && endedAt === undefined ? Math.min(NOT_OWN_END, plannedDuration * 500) : undefined;

/** The entries without the starts that a live entry before them passes. */
export function withOverruns(entries: readonly PreparedEntry[]): PreparedEntry[] {
  let until = Number.NEGATIVE_INFINITY;
  return entries.map((entry) => {
    const { startsAt, ...rest } = entry;
    const isPassed = startsAt !== undefined && startsAt < until;
    if (entry.overrun !== undefined) until = Math.max(until, entry.plannedAt + (entry.length ?? 0) / FLICKS_PER_MILLI);
    return isPassed ? rest : entry;
  });
}
