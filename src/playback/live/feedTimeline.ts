// SPDX-License-Identifier: Apache-2.0
// The timeline of one feed in this process: what is in the log, what this process read and could not store yet, and the state
// that results from the entries that are shown. Without effects; the clock is the caller's.
// An entry is shown when other processes have had the opportunity to read it, or else, if the store becomes unavailable before
// that, when those who have not read it show its slots, too (docs/decisions/025-live-timelines.md).
import { defined } from '../../invariant.ts';
import type { LiveFeed } from '../../live/feed.ts';
import type { LiveLog } from '../../live/ports.ts';
import type { LiveEntry, Slot } from '../../live/slot.ts';
import { flicksToMillis, type Millis, millis } from '../../time/units.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import { continueAfter, type Divergence, endOf, type ShownEnd, signalKey } from './continueAfter.ts';
import type { LiveFeedRules } from './feedRules.ts';
import { readInterval } from './pacing.ts';

type TimelineRules<State, Tail> = Pick<
  LiveFeedRules<State, Tail>,
  'apply' | 'tailAfter' | 'rejoin' | 'split' | 'visibleDelay'
> & {
  readonly initial: State;
  readonly start: Tail;
};

/** What is read back is equal to what was written, and two processes do not read the same slots in the same millisecond. */
const isReadBack = (one: LiveEntry, other: LiveEntry): boolean =>
  one.readAt === other.readAt &&
  one.slots.length === other.slots.length &&
  one.signals.length === other.signals.length &&
  // The ids of breaks that begin in it.
  (one.signals.length === 0 || one.isApart === other.isApart) &&
  one.slots[0]?.number === other.slots[0]?.number;

const shownOf = ({ slots, checkpoint, anchor }: LiveEntry): string => JSON.stringify([slots, checkpoint, anchor]);
/** Another process has stored the same just before an outage. What follows is kept: the origin may not list it any more. */
const isReadTwice = (one: LiveEntry, other: LiveEntry): boolean =>
  one.slots.length > 0 && one.signals.length + other.signals.length === 0 && shownOf(one) === shownOf(other);

const isSame = (one: LiveEntry, other: LiveEntry): boolean =>
  one.number === other.number && (isReadBack(one, other) || isReadTwice(one, other));

const NOTED = 21;
/** Milliseconds that an entry may wait longer than in the log. A longer delay results from a timeline that has jumped ahead. */
const LONGEST_WAIT = 5000;

/** How much later another process may read a slot. */
const slackOf = ({ duration }: Slot): number => readInterval(flicksToMillis(duration));
const endAt = ({ start, duration }: Slot): number => clockAt(start, duration);

/**
 * When a process shows what it has read itself while the store is unavailable: as long after the end of the segment as the log has
 * shown others, and as much later as another process may read it. So processes that read at different times show the same.
 */
function createUsualDelay() {
  let delays: readonly number[] = [];
  const usual = () => delays.toSorted((one, other) => one - other)[delays.length >> 1];
  return {
    /** Whether the first slot of an entry is shown, as usual, at an instant or before, or little later. */
    mayBeReadBy({ slots: [first] }: LiveEntry, shownAt: number): boolean {
      const delay = usual();
      return first !== undefined && delay !== undefined && endAt(first) + delay - slackOf(first) < shownAt;
    },
    /** An entry of the log that all processes can read, in the order of the log: all of them note the same. */
    note({ slots, visibleAt, isApart }: LiveEntry) {
      const last = slots.at(-1);
      if (last === undefined || last.isAway) return;
      delays = [...delays, visibleAt - endAt(last) - (isApart ? slackOf(last) : 0)].slice(-NOTED);
    },
    /** An entry that is not. */
    apart(entry: LiveEntry): LiveEntry {
      const last = entry.slots.at(-1);
      const delay = usual();
      if (last === undefined || last.isAway || delay === undefined) return { ...entry, isApart: true };
      const at = Math.min(endAt(last) + delay + slackOf(last), entry.visibleAt + LONGEST_WAIT);
      return { ...entry, isApart: true, visibleAt: millis(Math.round(at)) };
    },
  };
}

export function createLiveFeedTimeline<State, Tail>(rules: TimelineRules<State, Tail>) {
  let state = rules.initial;
  let logged = rules.start;
  /** The tail after own entries, too. */
  let tail = rules.start;
  let next = 0;
  let newest: Pick<LiveEntry, 'readAt' | 'slots'> | undefined;
  /** Entries in the log that other processes may not have read; each with the tail before it. */
  const unread: { readonly entry: LiveEntry; readonly before: Tail }[] = [];
  /** Entries in the log that are not shown yet. */
  const due: { readonly entry: LiveEntry; readonly at: Millis }[] = [];
  /** Entries that are not known to be in the log; the first `shown` of them are shown. */
  let own: LiveEntry[] = [];
  let shown = 0;
  let isOutage = false;
  /** When the newest outage ended. */
  let availableAt = Number.NEGATIVE_INFINITY;
  const delays = createUsualDelay();
  let end: ShownEnd | undefined;
  let divergence: Divergence | undefined;
  /** During a divergence, the tail after the entries of the log that have become visible. */
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
  /** Whether no other process showed the feed when the entry was written. */
  const isAlone = ({ readAt, visibleAt }: LiveEntry): boolean => visibleAt < readAt + rules.visibleDelay;
  /** Whether every process shows the entry at the same instant, even one that has not read it. */
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

/** The error because of which the store has not returned the log. */
type Unavailable = { readonly unavailable: unknown };

/** The timeline of a feed from the end of its log. */
export async function loadTimeline<State, Tail>(
  rules: LiveFeedRules<State, Tail>,
  feed: LiveFeed,
  { log, now }: { readonly log: Pick<LiveLog, 'tail'>; readonly now: () => Millis },
): Promise<LiveFeedTimeline<State, Tail> | Unavailable> {
  async function loadTail(length: number): Promise<LiveFeedTimeline<State, Tail> | Unavailable> {
    const entries = await log.tail(feed.life, length).catch((error: unknown): Unavailable => ({ unavailable: error }));
    if ('unavailable' in entries) return entries;
    const [initial, start] = [rules.initial(feed), rules.startOf(feed)];
    const loaded = createLiveFeedTimeline<State, Tail>({ ...rules, initial, start });
    loaded.follow(entries, now());
    loaded.confirm(Number.POSITIVE_INFINITY);
    return loaded;
  }
  const length = rules.keepMillis(feed);
  const loaded = await loadTail(length);
  if ('unavailable' in loaded) return loaded;
  const onAir = rules.breakMillis(loaded.stateAt(now()));
  // The markers of a long break are before that; it may have been announced ahead.
  return onAir > length / 2 ? loadTail(length + onAir) : loaded;
}
