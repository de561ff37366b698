// SPDX-License-Identifier: Apache-2.0
// What an operator should know of a schedule before it is on air, a sentence each.
import type { ProjectedEntry, Projection } from '../../../planning/schedule/projectSchedule.ts';
import { flicksToSeconds, type Millis } from '../../../time/units.ts';

const MAX_WARNINGS = 200;
const nameOf = ({ entry: { id, title } }: ProjectedEntry): string => (title ? `"${title}" (${id})` : `Entry "${id}"`);
const clock = (at: Millis): string => new Date(at).toISOString();

/** Seconds of an entry that are not shown, because the next one starts or to its duration; 0 if all of it is. */
export function cutSeconds({ outcome, laid }: ProjectedEntry): number {
  if (laid?.isCut !== true || outcome?.ok !== true) return 0;
  const lost = flicksToSeconds(outcome.length) - (laid.endsAt - laid.startsAt) / 1000;
  return lost > 0.1 ? lost : 0;
}

function ofEntry(one: ProjectedEntry): string[] {
  const { outcome, laid, plannedAt, entry } = one;
  const name = nameOf(one);
  if (outcome === undefined) return [];
  if (!outcome.ok) return [`${name} at ${clock(plannedAt)} cannot be played: ${outcome.reason}. Its time is filled.`];
  const texts = [
    ...outcome.warnings.map((text) => `${name}: ${text}.`),
    ...outcome.reports.flatMap(({ spliceTime, reason, warning }) =>
      (reason ?? warning) === undefined ? [] : [`${name}, break at ${spliceTime} s: ${reason ?? warning}.`],
    ),
  ];
  const lost = cutSeconds(one);
  if (laid !== undefined && lost > 0) {
    const why = entry.duration === undefined ? 'because the next entry starts then' : 'to its duration';
    texts.push(`${name} is cut by ${lost.toFixed(1)} s at ${clock(laid.endsAt)}, ${why}.`);
  }
  if (laid !== undefined && entry.start !== undefined && laid.startsAt - plannedAt > 500 && !laid.isJoined)
    texts.push(`${name} starts ${((laid.startsAt - plannedAt) / 1000).toFixed(1)} s late.`);
  return texts;
}

export function scheduleWarnings({ warnings, entries }: Projection): string[] {
  const all = [...warnings, ...entries.flatMap(ofEntry)];
  const more = all.length - MAX_WARNINGS;
  return more <= 0 ? all : [...all.slice(0, MAX_WARNINGS), `There are ${more} more warnings.`];
}
