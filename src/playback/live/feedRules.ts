// SPDX-License-Identifier: Apache-2.0
// The rules of a live feed, and what an entry is made of. None of them fails: a rule that throws is a defect of Midroll. It is
// reported, and applied to less of what it was given, so that it costs a marker, an order, a slot or a discontinuity, and not
// the channel. All nodes leave out the same (law 8).
import type { LiveFeed } from '../../live/feed.ts';
import type { OriginReading } from '../../live/origin.ts';
import type { EntryFrame, LiveEntry, Slot } from '../../live/slot.ts';
import type { Millis } from '../../time/units.ts';
import type { LiveFeedReading, Standing } from './origins/feedReading.ts';

type ReadingFrame = Pick<EntryFrame, 'readAt' | 'visibleAt' | 'source'>;

export type LiveFeedRules<State, Tail> = {
  readonly initial: (feed: LiveFeed) => State;
  /** The tail of an empty log. */
  readonly startOf: (feed: LiveFeed) => Tail;
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
  /** What is on air at the end of a timeline. */
  readonly standing: (tail: Tail) => Standing;
  /** What a reading adds; undefined if nothing. */
  readonly nextEntry: (
    tail: Tail,
    reading: OriginReading,
    frame: ReadingFrame,
    feed: LiveFeed,
  ) => LiveEntry | undefined;
  /** Continues the log at its end, and compares nothing with it. */
  readonly beginAnew: LiveFeedRules<State, Tail>['nextEntry'];
  /** Slate up to now, by the clock; undefined if the timeline is there. With the reading of an origin that has nothing yet. */
  readonly awayEntry: (
    tail: Tail,
    reading: { readonly reading: OriginReading; readonly source: string | undefined } | undefined,
    frame: ReadingFrame,
    feed: LiveFeed,
    reason: string,
  ) => LiveEntry | undefined;
  /** Adds what operators have ordered to an entry, or makes an entry of it. */
  readonly ordered: (
    tail: Tail,
    read: LiveEntry | undefined,
    frame: Pick<EntryFrame, 'readAt' | 'visibleAt'>,
    feed: LiveFeed,
  ) => LiveEntry | undefined;
  /** Makes what viewers at the edge are shown of a state. It may throw: then they are shown the state before it. */
  readonly list: (state: State) => void;
  /** Milliseconds of the timeline that manifests may need. */
  readonly keepMillis: (feed: LiveFeed) => number;
  /** For how many milliseconds the break at the end of the timeline has been on air; 0 without one. */
  readonly breakMillis: (state: State) => number;
  /** Milliseconds between writing and showing an entry. */
  readonly visibleDelay: number;
};

/** The entry that a reading of the origins adds: content of the first origin that has some, or slate. */
export function entryOf<State, Tail>(
  { standing, nextEntry, awayEntry }: Pick<LiveFeedRules<State, Tail>, 'standing' | 'nextEntry' | 'awayEntry'>,
  feed: LiveFeed,
  tail: Tail,
  { candidates, isTrouble }: LiveFeedReading,
  by: { readonly frameOf: (readAt: Millis) => ReadingFrame; readonly now: Millis; readonly reason: string },
): LiveEntry | undefined {
  const { source } = standing(tail);
  for (const { reading, at, backup } of candidates) {
    const frame = { ...by.frameOf(at), ...(backup === undefined ? {} : { source: backup }) };
    const entry = nextEntry(tail, reading, frame, feed);
    // Markers alone do not bring another origin on air.
    if (entry !== undefined && (entry.slots.length > 0 || backup === source)) return entry;
  }
  if (!isTrouble) return undefined;
  const [first] = candidates;
  const known = first && { reading: first.reading, source: first.backup };
  return awayEntry(tail, known, by.frameOf(by.now), feed, by.reason);
}

type OnDefect = (error: unknown) => void;

/** @throws what the last attempt throws */
function firstOf<Value>(onDefect: OnDefect, attempts: readonly [() => Value, ...(() => Value)[]]): Value {
  const [attempt, next, ...others] = attempts;
  if (next === undefined) return attempt();
  try {
    return attempt();
  } catch (error) {
    onDefect(error);
    return firstOf(onDefect, [next, ...others]);
  }
}

const withoutSignals = (entry: LiveEntry): LiveEntry => ({ ...entry, signals: [] });

const asSlate = ({ number, start, duration, isNewStretch, missed, segments }: Slot): Slot => ({
  number,
  start,
  duration,
  isNewStretch,
  isAway: true,
  segments: segments.map(() => []),
  ...(missed === undefined ? {} : { missed }),
});

/** An entry, and what is left of it that takes the same time and the same numbers. */
const lessAndLess = (entry: LiveEntry): readonly [LiveEntry, LiveEntry, LiveEntry] => [
  entry,
  withoutSignals(entry),
  { ...withoutSignals(entry), slots: entry.slots.map(asSlate) },
];

/** @param onDefect called with what a rule threw */
export function lenientRules<State, Tail>(rules: LiveFeedRules<State, Tail>, onDefect: OnDefect): typeof rules {
  const nothing = () => undefined;
  return {
    ...rules,
    nextEntry: (tail, reading, frame, feed) =>
      firstOf(onDefect, [
        () => rules.nextEntry(tail, reading, frame, feed),
        () => rules.nextEntry(tail, { ...reading, signals: [] }, frame, feed),
        () => rules.beginAnew(tail, reading, frame, feed),
        nothing,
      ]),
    awayEntry: (tail, reading, frame, feed, reason) =>
      firstOf(onDefect, [
        () => rules.awayEntry(tail, reading, frame, feed, reason),
        () => rules.awayEntry(tail, undefined, frame, feed, reason),
        nothing,
      ]),
    ordered: (tail, read, frame, feed) => firstOf(onDefect, [() => rules.ordered(tail, read, frame, feed), () => read]),
    apply(state, entry) {
      const [whole, plain, slate] = lessAndLess(entry);
      const apply = (one: LiveEntry) => () => rules.apply(state, one);
      return firstOf(onDefect, [apply(whole), apply(plain), apply(slate), () => state]);
    },
    tailAfter(tail, entry) {
      const [whole, plain, slate] = lessAndLess(entry);
      const add = (one: LiveEntry) => () => rules.tailAfter(tail, one);
      return firstOf(onDefect, [add(whole), add(plain), add(slate)]);
    },
    split: (tail, entry) => firstOf(onDefect, [() => rules.split(tail, entry), () => [entry]]),
    rejoin: (state, log, entry) => firstOf(onDefect, [() => rules.rejoin(state, log, entry), nothing]),
  };
}
