// SPDX-License-Identifier: Apache-2.0
// A programme that is shown again: as a rule, or as copies.
import { addDays, fromLocalText, localText } from '../format/zonedTime.ts';
import { type Weekday, weekdays } from './DaysField.tsx';
import type { Entry, Rule } from './programmeDraft.ts';

export type Repetition = {
  readonly days: readonly Weekday[];
  /** `HH:MM:SS` in the time zone. */
  readonly at: string;
  readonly timeZone: string;
  /** The last day, `YYYY-MM-DD`; empty for no end. */
  readonly until: string;
  /** Days without it. */
  readonly except: readonly string[];
};

/** Copies are of one year at most. */
const MAX_DAYS = 366;

/** @param start of the entry, milliseconds */
export function ruleOf(entry: Entry, start: number, id: string, repetition: Repetition): Rule {
  const { days, at, timeZone, until, except } = repetition;
  const { start: _, ...fields } = entry;
  return {
    id,
    at,
    timeZone,
    from: localText(start, timeZone).slice(0, 10),
    ...(days.length === weekdays.length ? {} : { days: [...days] }),
    ...(until === '' ? {} : { until }),
    ...(except.length === 0 ? {} : { except: [...except] }),
    // Ids within rules are shorter, and have no @.
    entries: [{ ...fields, id: entry.id.replaceAll('@', '-').slice(0, 40) }],
  };
}

/** The starts of the copies, milliseconds: on each of the days after the first showing. None without an end. */
export function copyStarts(start: number, { days, at, timeZone, until, except }: Repetition): number[] {
  const first = localText(start, timeZone).slice(0, 10);
  const starts: number[] = [];
  for (let day = 1; day <= MAX_DAYS; day += 1) {
    const date = addDays(first, day);
    if (date > until) break;
    const weekday = weekdays[(new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7];
    if (weekday === undefined || !days.includes(weekday) || except.includes(date)) continue;
    const time = fromLocalText(`${date}T${at}`, timeZone);
    if (time !== undefined) starts.push(time);
  }
  return starts;
}
