// SPDX-License-Identifier: Apache-2.0
// The entries that the rules of a schedule expand into. An occurrence depends on its day and the rules only, so each window
// expands into the same entries as any window that contains it.
import type { Sliced } from '../time/sliced.ts';
import { type Flicks, flicksToMillis, isoText, type Millis } from '../time/units.ts';
import { DAY_MS, instantIn } from '../time/zone.ts';
import { type Entry, isLiveSource, type Rule, type RuleEntry, weekdays } from './schedule.ts';

export type ExpandedEntry = {
  /** Its `start` is that of the occurrence, in UTC. Entries without one follow the entry before them. */
  readonly entry: Entry;
  /** The id of its rule. */
  readonly rule: string;
  /** When it ends at the latest, in a rule with `repeatUntil`. */
  readonly endsBy?: Millis;
};

export type Expansion = {
  /** By the start of their occurrences; of two at the same time, in the order of the rules. */
  readonly entries: readonly ExpandedEntry[];
  /** One sentence for each rule that would have too many entries. */
  readonly warnings: readonly string[];
};

/**
 * Entries of a day. One every 30 seconds, which is shorter than anything that a guide lists. The rules that repeat on a day share
 * them, in proportion to how long they run.
 */
export const MAX_REPEATED = DAY_MS / 30_000;
/** Entries. */
const SLICE = 200;
/** How long before a window an occurrence may have started that still runs in it. */
const MAX_RUN_DAYS = 366;

type LengthOf = (entry: RuleEntry) => Flicks | undefined;
type Occurrence = { readonly rule: Rule; readonly day: number; readonly start: Millis };

/**
 * The occurrences that start in a window, and those that started before it and still run when it begins: until
 * `repeatUntil`, for the sum of the lengths that are known, and not longer than until the rule's next occurrence.
 * @param to the end of the window, which does not belong to it
 * @param lengthOf undefined if it is not known
 */
export function* expandRules(rules: readonly Rule[], from: Millis, to: Millis, lengthOf: LengthOf): Sliced<Expansion> {
  const occurrences = rules
    .flatMap((rule) => occurrencesOf(rule, from, to, lengthOf))
    .sort((a, b) => a.start - b.start);
  const limitOn = limitsOf(rules);
  const endless = new Map<Rule, number>();
  const entries: ExpandedEntry[] = [];
  let yielded = 0;
  for (const occurrence of occurrences) {
    const limit = limitOn(occurrence);
    const expanded = expand(occurrence, lengthOf, limit + 1);
    if (expanded.length > limit) endless.set(occurrence.rule, limit);
    for (const one of expanded.slice(0, limit)) entries.push(one);
    if (entries.length - yielded < SLICE) continue;
    yielded = entries.length;
    yield;
  }
  const warnings = [...endless].map(
    ([{ id }, limit]) =>
      `rule "${id}" must have at most ${limit} entries a day; its entries are so short that it ends before its repeatUntil`,
  );
  return { entries, warnings };
}

/** How many entries an occurrence has at most. */
function limitsOf(rules: readonly Rule[]) {
  const totals = new Map<number, number>();
  const totalOn = (day: number): number => {
    const known = totals.get(day);
    if (known !== undefined) return known;
    const total = rules.reduce((sum, rule) => sum + (isOn(rule, day) ? repeatedTime(rule) : 0), 0);
    totals.set(day, total);
    return total;
  };
  return ({ rule, day }: Occurrence): number => {
    const { entries } = rule;
    const run = repeatedTime(rule);
    return run === 0 ? entries.length : Math.max(entries.length, Math.floor((MAX_REPEATED * run) / totalOn(day)));
  };
}

/** Milliseconds by the local clock. */
function repeatedTime({ at, repeatUntil }: Rule): number {
  if (repeatUntil === undefined) return 0;
  const time = timeOfDay(repeatUntil) - timeOfDay(at);
  return time > 0 ? time : time + DAY_MS;
}

// Days are counted from 1970-01-01, a Thursday.

const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
const isOneOf = (days: readonly string[], day: number): boolean => days.includes(weekdays[(day + 10) % 7] ?? '');

function isOn({ days = weekdays, from, until, except }: Rule, day: number): boolean {
  const date = dateOf(day);
  return (
    isOneOf(days, day) &&
    (from === undefined || date >= from) &&
    (until === undefined || date <= until) &&
    except?.includes(date) !== true
  );
}

/** @param time `HH:MM` or `HH:MM:SS` */
function timeOfDay(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000;
}

const instantOn = ({ timeZone = 'UTC' }: Rule, day: number, time: number): Millis =>
  instantIn(timeZone, day * DAY_MS + time);

function occurrencesOf(rule: Rule, from: Millis, to: Millis, lengthOf: LengthOf): Occurrence[] {
  const occurrences: Occurrence[] = [];
  // A local date is at most a day from that of UTC, or two where a zone skipped a day.
  const earliest =
    Math.floor(from / DAY_MS) - 2 - Math.min(Math.ceil(longestRun(rule, lengthOf) / DAY_MS), MAX_RUN_DAYS);
  for (let day = Math.floor(to / DAY_MS) + 1; day >= earliest; day -= 1) {
    if (!isOn(rule, day)) continue;
    const occurrence = { rule, day, start: instantOn(rule, day, timeOfDay(rule.at)) };
    if (occurrence.start >= to) continue;
    if (occurrence.start >= from || endOf(occurrence, lengthOf) > from) occurrences.push(occurrence);
    if (occurrence.start < from) break;
  }
  return occurrences;
}

const longestRun = ({ repeatUntil, entries }: Rule, lengthOf: LengthOf): number =>
  repeatUntil === undefined ? runOf(entries, lengthOf) : DAY_MS;

const runOf = (entries: readonly RuleEntry[], lengthOf: LengthOf): number =>
  entries.reduce((sum, entry) => sum + flicksToMillis(lengthOf(entry) ?? 0), 0);

function endOf(occurrence: Occurrence, lengthOf: LengthOf): number {
  return repeatEnd(occurrence) ?? occurrence.start + runOf(entriesOn(occurrence), lengthOf);
}

function repeatEnd({ rule, day }: Occurrence): Millis | undefined {
  if (rule.repeatUntil === undefined) return undefined;
  const [at, until] = [timeOfDay(rule.at), timeOfDay(rule.repeatUntil)];
  return instantOn(rule, until > at ? day : day + 1, until);
}

function entriesOn({ rule, day }: Occurrence): readonly RuleEntry[] {
  const { order, entries } = rule;
  if (order !== 'alternate' || entries.length === 0) return entries;
  const turn = turnOf(rule, day) % entries.length;
  return entries.slice(turn, turn + 1);
}

/**
 * How many of the rule's weekdays there were since its first day, or since 1970. Exceptions count, so that one more or less
 * changes nothing on other days.
 */
function turnOf({ days = weekdays, from = '1970-01-01' }: Rule, day: number): number {
  const first = Date.parse(from) / DAY_MS;
  const weeks = Math.floor((day - first) / 7);
  const rest = Array.from({ length: day - first - weeks * 7 }, (_, i) => day - 1 - i);
  return weeks * new Set(days).size + rest.filter((each) => isOneOf(days, each)).length;
}

/** The entry of a rule that has expanded into an id; undefined if no rule has, as they are now. */
export function ruleEntryOf(rules: readonly Rule[], id: string): RuleEntry | undefined {
  const rule = rules.find((one) => id.startsWith(`${one.id}@`));
  const own = id.slice(id.indexOf('.', id.indexOf('@')) + 1);
  const first = rule?.entries.find((entry) => entry.id === own);
  return first ?? rule?.entries.find((entry) => own === `${entry.id}.${/\d+$/.exec(own)?.[0]}`);
}

function asEnded(entry: Entry, { ended = [] }: Rule): Entry {
  const { id, source } = entry;
  const endedAt = ended.find(({ entryId }) => entryId === id)?.at;
  if (endedAt === undefined || !isLiveSource(source)) return entry;
  return { ...entry, source: { live: { ...source.live, endedAt } } };
}

/** @param limit the most entries that are returned */
function expand(occurrence: Occurrence, lengthOf: LengthOf, limit: number): ExpandedEntry[] {
  const { rule, day, start } = occurrence;
  const endsBy = repeatEnd(occurrence);
  const expanded: ExpandedEntry[] = [];
  let round = entriesOn(occurrence).map((entry) => ({ entry, length: Math.max(lengthOf(entry) ?? 0, 0) }));
  let [count, run] = [1, 0];
  do {
    for (const { entry, length } of round) {
      if (expanded.length === limit || (endsBy !== undefined && start + flicksToMillis(run) >= endsBy)) return expanded;
      const id = `${rule.id}@${dateOf(day)}.${entry.id}${count === 1 ? '' : `.${count}`}`;
      const its = asEnded({ ...entry, id, ...(expanded.length === 0 ? { start: isoText(start) } : {}) }, rule);
      expanded.push({ entry: its, rule: rule.id, ...(endsBy === undefined ? {} : { endsBy }) });
      run += length;
    }
    // Nothing can be placed after an entry whose length is not known, so it is not repeated.
    round = round.filter(({ length }) => length > 0);
    count += 1;
  } while (endsBy !== undefined && round.length > 0);
  return expanded;
}
