// SPDX-License-Identifier: Apache-2.0
// The timeline of one feed in this process: what is in the log, what this process read and could not store yet, and the state
// that results from the entries that are shown. Without effects; the clock is the caller's.
// An entry is shown when other processes have had the opportunity to read it, or else, if the store becomes unavailable before
// that, when those who have not read it show its slots, too (docs/decisions/025-live-timelines.md).
import { defined } from '../../invariant.ts';
import type { LiveEntry } from '../../live/slot.ts';
import { type Millis, millis } from '../../time/units.ts';
import { continueAfter, type Divergence, endOf, type ShownEnd, signalKey } from './continueAfter.ts';
import { createUsualDelay } from './usualDelay.ts';

export type TimelineRules<State, Tail> = {
  readonly initial: State;
  /** The tail of an empty log. */
  readonly start: Tail;
  readonly apply: (state: State, entry: LiveEntry) => State;
  readonly tailAfter: (tail: Tail, entry: LiveEntry) => Tail;
  /**
   * The state with which a process that has shown something else follows the log again.
   * @param log of the entries before `entry`
   * @returns undefined if the log has other numbers there than what was shown
   */
  readonly rejoin: (state: State, log: Tail, entry: LiveEntry) => State | undefined;
  /** An entry of a process that cannot read the log, for each slot, with the checkpoints of `tail`. @param tail before the entry */
  readonly split: (tail: Tail, entry: LiveEntry) => readonly LiveEntry[];
  /** Milliseconds between writing and showing an entry. */
  readonly visibleDelay: number;
};

/** What is read back is equal to what was written, and two processes do not read the same slots in the same millisecond. */
const isSame = (one: LiveEntry, other: LiveEntry): boolean =>
  one.number === other.number &&
  one.readAt === other.readAt &&
  one.slots.length === other.slots.length &&
  one.signals.length === other.signals.length &&
  // The ids of breaks that begin in it.
  (one.signals.length === 0 || one.isApart === other.isApart) &&
  one.slots[0]?.number === other.slots[0]?.number;

export function createLiveFeedTimeline<State, Tail>(rules: TimelineRules<State, Tail>) {
  let state = rules.initial;
  /** After the entries in the log. */
  let logged = rules.start;
  /** After own entries, too. */
  let tail = rules.start;
  let next = 0;
  let newest: Pick<LiveEntry, 'readAt' | 'slots'> | undefined;
  /** In the log, but other processes may not have read them; each with the tail before it. */
  const unread: { readonly entry: LiveEntry; readonly before: Tail }[] = [];
  /** In the log, and not shown yet. */
  const due: { readonly entry: LiveEntry; readonly at: Millis }[] = [];
  /** Not known to be in the log; the first `shown` of them are shown. */
  let own: LiveEntry[] = [];
  let shown = 0;
  let isOutage = false;
  /** When the newest outage ended. */
  let availableAt = Number.NEGATIVE_INFINITY;
  const delays = createUsualDelay();
  let end: ShownEnd | undefined;
  let divergence: Divergence | undefined;
  /** While they differ: after the entries of the log that have become visible. */
  let unseen = rules.start;

  function show(entry: LiveEntry): void {
    const visible = divergence === undefined ? entry : continued(divergence, entry);
    if (visible === undefined) return;
    const last = visible.slots.at(-1);
    if (last !== undefined) end = endOf(last);
    state = rules.apply(state, visible);
  }

  /** To show the log's numbers where they differ would change what viewers have read (laws 1 and 3). */
  function continued(from: Divergence, entry: LiveEntry): LiveEntry | undefined {
    const { entry: visible, divergence: next, isAligned } = continueAfter(from, entry);
    const rejoined = isAligned ? rules.rejoin(state, unseen, entry) : undefined;
    unseen = rules.tailAfter(unseen, entry);
    divergence = rejoined === undefined ? next : undefined;
    if (rejoined === undefined) return visible.slots.length + visible.signals.length > 0 ? visible : undefined;
    state = rejoined;
    return entry;
  }

  const isRead = ({ number }: LiveEntry): boolean => unread[0] === undefined || number < unread[0].entry.number;
  /** No other process showed the feed when it was written. */
  const isAlone = ({ readAt, visibleAt }: LiveEntry): boolean => visibleAt < readAt + rules.visibleDelay;
  /** Those who have not read it show it at the same instant. */
  const isForAll = (entry: LiveEntry): boolean => isRead(entry) || entry.isApart === true || isAlone(entry);

  function showDue(now: Millis): void {
    for (let first = due[0]; first !== undefined && first.at <= now && isForAll(first.entry); first = due[0]) {
      due.shift();
      show(first.entry);
    }
    if (due.length > 0) return;
    for (let first = own[shown]; first !== undefined && first.visibleAt <= now; first = own[shown]) {
      if (!isOutage && first.isApart === undefined) return;
      show(first);
      shown += 1;
    }
  }

  function know(entry: LiveEntry): void {
    if (entry.slots.length > 0) newest = { readAt: entry.readAt, slots: entry.slots.slice(-1) };
  }

  function take(entry: LiveEntry, isShown: boolean, now: Millis): void {
    if (rules.visibleDelay > 0) unread.push({ entry, before: logged });
    logged = rules.tailAfter(logged, entry);
    next = entry.number + 1;
    know(entry);
    // A writer whose clock is ahead does not delay what this process shows.
    const latest = entry.isApart ? entry.visibleAt : now + rules.visibleDelay;
    const at = millis(Math.min(entry.visibleAt, latest));
    if (!isShown) due.push({ entry, at });
  }

  function takeOwn(entry: LiveEntry, now: Millis): void {
    own.shift();
    const isShown = shown > 0;
    if (isShown) shown -= 1;
    take(entry, isShown, now);
  }

  /** Other processes show what they read themselves, too. */
  const isApart = (): boolean => isOutage && rules.visibleDelay > 0;

  function add(entry: LiveEntry): void {
    own.push(entry);
    tail = rules.tailAfter(tail, entry);
  }

  function addApart(entry: LiveEntry): void {
    for (const one of rules.split(tail, { ...entry, isApart: true })) {
      const numbered = { ...one, number: next + own.length };
      add(entry.isApart ? numbered : delays.apart(numbered));
    }
  }

  /** What others cannot have read is treated as if it was not stored. @returns these entries */
  function withdraw(): LiveEntry[] {
    const first = due.find(({ entry }) => !isRead(entry))?.entry.number;
    if (first === undefined) return [];
    next = first;
    const index = unread.findIndex(({ entry }) => entry.number === first);
    logged = defined(unread[index], 'what others may not have read is remembered').before;
    unread.length = index;
    return due.splice(due.findIndex(({ entry }) => entry.number === first)).map(({ entry }) => entry);
  }

  /** The log has another entry under the number of the first own one. */
  function diverge(): void {
    const signals = own.slice(0, shown).flatMap((entry) => entry.signals.map(signalKey));
    if (shown > 0 && end !== undefined) {
      divergence = { end, signals: new Set(signals) };
      unseen = logged;
    }
    own = [];
    shown = 0;
  }

  return {
    /** The state at an instant. Applies, in order, the entries that are visible by then. */
    stateAt(now: Millis): State {
      showDue(now);
      return state;
    },
    /** A slot is shown. */
    hasSlots: (): boolean => end !== undefined,
    /** Entries of the log are not shown yet. */
    hasDue: (): boolean => due.length > 0,
    /** When the next entry is shown; undefined if all are. */
    nextShownAt(): Millis | undefined {
      const first = own[shown];
      return due[0]?.at ?? (isOutage || first?.isApart ? first?.visibleAt : undefined);
    },
    /** The number after the last entry that is known to be in the log. */
    next: (): number => next,
    /** The tail after all entries, also those that are not stored or not shown yet. */
    tail: (): Tail => tail,
    /** The newest entry with a slot. */
    newest: (): Pick<LiveEntry, 'readAt' | 'slots'> | undefined => newest,
    /** Takes entries that were read from the log, in order; those that are known already are ignored. */
    follow(entries: readonly LiveEntry[], now: Millis) {
      for (const entry of entries) {
        if (entry.number < next) continue;
        if (own[0] !== undefined && isSame(own[0], entry)) {
          takeOwn(entry, now);
          continue;
        }
        if (own.length > 0) diverge();
        take(entry, false, now);
      }
      if (own.length === 0) tail = logged;
    },
    /** Other processes have had the opportunity to read the entries of the log before this number. */
    confirm(before: number) {
      for (let first = unread[0]; first !== undefined && first.entry.number < before; first = unread[0]) {
        unread.shift();
        delays.note(first.entry);
      }
    },
    /** Takes an entry that this process has read and is about to store. */
    propose(entry: LiveEntry) {
      // What other processes may have read before the outage ended, they show like this.
      const wasApart = rules.visibleDelay > 0 && delays.mayBeReadBy(entry, availableAt + rules.visibleDelay);
      if (isApart() || wasApart) addApart(entry);
      else add(entry);
      know(entry);
    },
    /** Entries of this process that are not known to be stored. */
    unstored: (): readonly LiveEntry[] => own,
    /** Some of them are in the log. */
    stored(entries: readonly LiveEntry[], now: Millis) {
      for (const entry of entries) if (own[0] !== undefined && isSame(own[0], entry)) takeOwn(entry, now);
    },
    /** During an outage of the store, entries that others cannot have read are shown when they are due. */
    showUnstored(outage: boolean, now: Millis) {
      const wasApart = isApart();
      if (isOutage && !outage) availableAt = now;
      isOutage = outage;
      const withdrawn = isApart() ? withdraw() : [];
      if (!isApart() || (wasApart && withdrawn.length === 0)) return;
      const all = [...withdrawn, ...own];
      own = [];
      tail = logged;
      for (const [index, entry] of all.entries()) {
        if (index < shown) add({ ...entry, number: next + own.length });
        else addApart(entry);
      }
    },
  };
}

export type LiveFeedTimeline<State, Tail> = ReturnType<typeof createLiveFeedTimeline<State, Tail>>;
