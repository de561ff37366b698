// SPDX-License-Identifier: Apache-2.0
// The breaks of a live feed, kept up to date while signals are read. Breaks are announced ahead, moved and cancelled, so the
// signals of the last half hour are kept and collected again with each reading; what is older is settled.
import { isNonEmpty, lastOf, withoutUndefined } from '../../invariant.ts';
import { addSignal, type BreakFold, copyFold, newFold } from '../../markers/breakFold.ts';
import { markedBreak } from '../../markers/closedBreak.ts';
import type { MarkedBreak } from '../../markers/markerSignal.ts';
import { finish, type Sliced } from '../../time/sliced.ts';
import { FLICKS_PER_MILLI, type Flicks, flicks, type Millis, millis, secondsToFlicks } from '../../time/units.ts';
import { after, flicksBetween, type Instant } from '../../timeline/programme/span.ts';
import type { LiveEntry, PlacedSignal } from '../slot.ts';
import { type BreakFact, type BreakWarning, byStart } from './breakFact.ts';
import { addHeard, type Heard } from './heardSignals.ts';
import { addCancelled, addInserted, type CancelledBreak, isCancelled, isInsertedSignal } from './insertedFacts.ts';

export type BreakList = {
  /** In the order of their starts. */
  readonly breaks: readonly BreakFact[];
  /** The newest ones. */
  readonly warnings: readonly BreakWarning[];
  readonly memory: Memory;
};

type Memory = {
  /** The instant that times are counted from. It moves, because a length must not exceed 147 days. */
  readonly base: Instant;
  readonly start: Instant;
  readonly edge: Instant;
  readonly nextOrder: number;
  readonly settled: BreakFold;
  /** The time up to which signals are settled. */
  readonly settledUntil: Flicks;
  readonly settledBreaks: readonly BreakFact[];
  readonly settledWarnings: readonly BreakWarning[];
  readonly heard: readonly Heard[];
  readonly inserted: readonly BreakFact[];
  /** Breaks of the origin that an operator has cancelled. */
  readonly cancelled: readonly CancelledBreak[];
};

type SignalContext = {
  /** The start of the timeline. Default: the first signal. */
  readonly start?: Instant;
  /** The end of the timeline so far. Default: the time of the reading. */
  readonly edge?: Instant;
  /** The number of the log entry, from which ids are made that all nodes agree on. Default: signals are counted. */
  readonly entry?: number;
  /** Nodes number the entry differently, and agree on the times of its signals only: ids are made from them. */
  readonly isApart?: true;
};

const KEPT_MILLIS = 30 * 60_000;
/** The most signals of one feed; a reading of a window of 12 hours may contain more, which are settled at once. */
const MAX_HEARD = 2000;
const MAX_WARNINGS = 100;
/** Breaks are forgotten after this time, except the newest ones. */
const FORGOTTEN_MILLIS = 26 * 3_600_000;
const MIN_BREAKS = 1000;
/** More signals than one entry has. */
const ENTRY_ORDERS = 100_000;
/** Orders from times: later than those from any number of entries, and less than 2 ** 53. */
const FIRST_APART = 1e15;
const APART_ORDERS = 1000;
/** The first order of signals that operators cause. */
const FIRST_INSERTED = 90_000;
const MAX_OFFSET_MILLIS = 30 * 86_400_000;

/** Adds what an entry of the log contains. */
export function addEntryBreaks(list: BreakList | undefined, entry: LiveEntry): BreakList {
  const { number, anchor, readAt, slots, signals, isApart } = entry;
  const last = slots.at(-1);
  const edge = last === undefined ? list?.memory.edge : after(last.start, last.duration);
  return addSignals(list, signals, readAt, {
    start: anchor.start,
    ...(isApart ? { isApart } : { entry: number }),
    ...(edge === undefined ? {} : { edge }),
  });
}

/** @param signals of one reading, in the order of their times; they may be before or after those of earlier readings */
export const addSignals = (...reading: Parameters<typeof addingSignals>): BreakList =>
  finish(addingSignals(...reading));

export function* addingSignals(
  list: BreakList | undefined,
  signals: readonly PlacedSignal[],
  readAt: Millis,
  context: SignalContext = {},
): Sliced<BreakList> {
  const clock: Instant = { millis: readAt, rest: flicks(0) };
  const { edge = clock, entry, isApart } = context;
  if (list !== undefined && signals.length === 0)
    return context.edge === undefined ? list : { ...list, memory: { ...list.memory, edge } };
  const before = rebased(list?.memory ?? emptyMemory(context.start ?? signals[0]?.at ?? edge, edge), edge);
  const firstOrder = entry === undefined ? before.nextOrder : entry * ENTRY_ORDERS;
  const offset = (instant: Instant): Flicks => flicksBetween(before.base, instant);
  const isNear = ({ at }: PlacedSignal): boolean => Math.abs(at.millis - before.base.millis) < 2 * MAX_OFFSET_MILLIS;
  const inserted = addInserted(before.inserted, {
    signals: signals.filter(isInsertedSignal),
    readAt,
    firstOrder: firstOrder + FIRST_INSERTED,
  });
  const cancelled = addCancelled(before.cancelled, signals, list?.breaks ?? []);
  const isOfOrigin = (each: PlacedSignal): boolean => !isInsertedSignal(each) && !isCancelled(cancelled, each);
  const placed = signals
    .filter((each) => isNear(each) && isOfOrigin(each))
    .map((each, index, all) => {
      // What is settled has its order.
      const at = flicks(Math.max(offset(each.at), each.kind === 'cancel' ? offset(each.at) : before.settledUntil));
      const order = isApart ? orderApart(each, all) : firstOrder + index;
      return { ...each, at, order };
    });
  yield;
  const isUsed = ({ signal }: Heard) => !isCancelled(cancelled, { ...signal, at: after(before.base, signal.at) });
  const heard = addHeard(cancelled === before.cancelled ? before.heard : before.heard.filter(isUsed), {
    signals: placed,
    readAt,
    lastEdge: offset(before.edge),
    edge: offset(edge),
  });
  yield;
  const known = new Map(list?.breaks.map((fact) => [fact.id, fact.announcedAt]));
  const changed = { inserted, cancelled, edge, heard, nextOrder: firstOrder + signals.length };
  const memory = settle({ ...before, ...changed }, readAt, known);
  yield;
  return listOf(memory, readAt, known);
}

/** The same on nodes that have read the signal with others. */
const orderApart = (one: PlacedSignal, all: readonly PlacedSignal[]): number => {
  const atOnce = all.filter(({ at }) => at.millis === one.at.millis);
  return FIRST_APART + one.at.millis * APART_ORDERS + atOnce.indexOf(one);
};

/** Where the origin has ended a programme, as far as that is not settled, in order. It concerns no break. */
export const programmeEnds = ({ memory: { base, heard } }: BreakList): Instant[] =>
  heard.flatMap(({ signal }) => (signal.kind === 'programmeEnd' ? [after(base, signal.at)] : []));

const emptyMemory = (start: Instant, edge: Instant): Memory => ({
  base: start,
  start,
  edge,
  nextOrder: 0,
  heard: [],
  settledBreaks: [],
  settledWarnings: [],
  inserted: [],
  cancelled: [],
  settled: newFold(flicks(0), true),
  settledUntil: secondsToFlicks(-MAX_OFFSET_MILLIS / 1000),
});

/** Counts from a later base when the timeline has become long. */
function rebased(memory: Memory, edge: Instant): Memory {
  const passed = edge.millis - memory.base.millis;
  if (Math.abs(passed) < MAX_OFFSET_MILLIS) return memory;
  // The timeline jumped: nothing that was read before belongs to what follows.
  if (Math.abs(passed) > 2 * MAX_OFFSET_MILLIS) {
    const { nextOrder, settledBreaks, settledWarnings, inserted } = memory;
    return { ...emptyMemory(edge, edge), nextOrder, settledBreaks, settledWarnings, inserted };
  }
  const by = -flicksBetween(memory.base, edge);
  return {
    ...memory,
    base: edge,
    settled: copyFold(memory.settled, by),
    settledUntil: flicks(memory.settledUntil + by),
    heard: memory.heard.map((each) => ({ ...each, signal: { ...each.signal, at: flicks(each.signal.at + by) } })),
  };
}

type Announced = ReadonlyMap<string, Millis>;

/** Adds signals to the settled ones that no later reading can change. */
function settle(memory: Memory, readAt: Millis, known: Announced): Memory {
  const edge = flicksBetween(memory.base, memory.edge);
  const oldest = edge - KEPT_MILLIS * FLICKS_PER_MILLI;
  const excess = memory.heard.length - MAX_HEARD;
  const isSettled = (each: Heard, index: number): boolean =>
    index < excess ? each.signal.at < edge : each.signal.at < oldest && each.readAt < readAt - KEPT_MILLIS;
  const found = memory.heard.findIndex((each, index) => !isSettled(each, index));
  const count = found < 0 ? memory.heard.length : found;
  const passed = memory.heard.slice(0, count);
  if (!isNonEmpty(passed)) return memory;
  const settled = copyFold(memory.settled);
  const warnings = applyAll(settled, passed);
  return {
    ...memory,
    settled,
    settledUntil: lastOf(passed).signal.at,
    settledBreaks: [...memory.settledBreaks, ...factsOf(settled.breaks, memory, readAt, known)],
    settledWarnings: [...memory.settledWarnings, ...warnings].slice(-MAX_WARNINGS),
    heard: memory.heard.slice(count),
  };
}

function applyAll(fold: BreakFold, heard: readonly Heard[]): BreakWarning[] {
  const warnings: BreakWarning[] = [];
  for (const { signal, readAt } of heard) {
    addSignal(fold, signal);
    for (const warning of fold.warnings.splice(0)) warnings.push({ ...warning, at: readAt });
  }
  return warnings;
}

function listOf(memory: Memory, readAt: Millis, known: Announced): BreakList {
  const fold = copyFold(memory.settled);
  const warnings = applyAll(fold, memory.heard);
  const recent = [...fold.breaks, ...(fold.open === undefined ? [] : [markedBreak(fold.open)])];
  const settledBreaks = withoutOld(memory.settledBreaks, memory.edge);
  const inserted = withoutOld(memory.inserted, memory.edge);
  return {
    breaks: merged([...settledBreaks, ...factsOf(recent, memory, readAt, known)], inserted),
    warnings: [...memory.settledWarnings, ...warnings].slice(-MAX_WARNINGS),
    memory: { ...memory, settledBreaks, inserted },
  };
}

/** Breaks of the origin and inserted breaks, both in the order of their starts. */
const merged = (ofOrigin: readonly BreakFact[], inserted: readonly BreakFact[]): readonly BreakFact[] =>
  inserted.length === 0 ? ofOrigin : [...ofOrigin, ...inserted].sort(byStart);

function withoutOld(facts: readonly BreakFact[], edge: Instant): readonly BreakFact[] {
  const oldest = edge.millis - FORGOTTEN_MILLIS;
  const first = facts.findIndex(
    ({ startsAt }, index) => startsAt.millis >= oldest || index >= facts.length - MIN_BREAKS,
  );
  return first > 0 ? facts.slice(first) : facts;
}

function factsOf(
  marked: readonly MarkedBreak[],
  { base, start }: Memory,
  readAt: Millis,
  known: Announced,
): BreakFact[] {
  const limit = 2 * MAX_OFFSET_MILLIS;
  const near = Math.min(Math.max(start.millis, base.millis - limit), base.millis + limit);
  const from = flicksBetween(base, { ...start, millis: millis(near) });
  return marked.map((each) => factOf(each, base, from, known, readAt));
}

const MAX_RAW = 300;

/**
 * @param base from which the break's times are counted
 * @param start of the timeline; a break that began before it is shown from there
 * @param announcedAt of the breaks that are known already, by id
 * @param readAt of the others
 */
function factOf(
  marked: MarkedBreak,
  base: Instant,
  start: Flicks,
  announcedAt: ReadonlyMap<string, Millis>,
  readAt: Millis,
): BreakFact {
  const { source, raw, line, upid, sourceId, until, continuesUntil } = marked;
  const id = `${marked.order ?? 0}`;
  const at = Math.max(marked.at, Math.min(start, until ?? start));
  const duration = marked.duration ? flicks(Math.max(0, marked.duration - (at - marked.at))) : undefined;
  const isInsertionPoint =
    until === undefined ? marked.duration === 0 && continuesUntil === undefined : until === marked.at;
  return {
    id,
    startsAt: after(base, at),
    ...(duration === undefined ? {} : { duration }),
    ...(until === undefined ? {} : { endsAt: after(base, until) }),
    ...(continuesUntil === undefined ? {} : { continuesUntil: after(base, continuesUntil) }),
    announcedAt: announcedAt.get(id) ?? readAt,
    source,
    line,
    start: marked.start,
    raw: raw.length > MAX_RAW ? `${raw.slice(0, MAX_RAW)}…` : raw,
    ...withoutUndefined({ upid, sourceId }),
    ...(isInsertionPoint ? { isInsertionPoint } : {}),
  };
}
