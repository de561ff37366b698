// SPDX-License-Identifier: Apache-2.0
// The rules of a feed, none of which fails. A rule that throws is a defect of Midroll: it is reported, and applied to less of what it was
// given, so that it costs a marker, an order, a slot or a discontinuity, and not the channel. All nodes leave out the same (law 8).
import type { LiveFeed } from '../../live/feed.ts';
import type { EntryFrame, LiveEntry, Slot } from '../../live/slot.ts';
import type { EntryRules } from './entryOf.ts';

export type LiveFeedRules<State, Tail> = Pick<EntryRules<Tail>, 'nextEntry' | 'awayEntry'> &
  OrderedEntries<Tail> & {
    readonly apply: (state: State, entry: LiveEntry) => State;
    readonly tailAfter: (tail: Tail, entry: LiveEntry) => Tail;
    readonly rejoin: (state: State, log: Tail, entry: LiveEntry) => State | undefined;
    readonly split: (tail: Tail, entry: LiveEntry) => readonly LiveEntry[];
    /** Continues the log at its end, and compares nothing with it. */
    readonly beginAnew: EntryRules<Tail>['nextEntry'];
  };

/** Called with what a rule threw. */
export type OnDefect = (error: unknown) => void;

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
  ...{ number, start, duration, isNewStretch, isAway: true, segments: segments.map(() => []) },
  ...(missed === undefined ? {} : { missed }),
});

/** An entry, and what is left of it that takes the same time and the same numbers. */
const lessAndLess = (entry: LiveEntry): readonly [LiveEntry, LiveEntry, LiveEntry] => [
  entry,
  withoutSignals(entry),
  { ...withoutSignals(entry), slots: entry.slots.map(asSlate) },
];

export function lenientRules<State, Tail>(
  rules: LiveFeedRules<State, Tail>,
  onDefect: OnDefect,
): Omit<LiveFeedRules<State, Tail>, 'beginAnew'> {
  const { ordered, freshOrders } = rules;
  type Ordered = Parameters<NonNullable<typeof ordered>>;
  const nothing = () => undefined;
  return {
    nextEntry: (tail, reading, frame, feed) =>
      firstOf(onDefect, [
        () => rules.nextEntry(tail, reading, frame, feed),
        () => rules.nextEntry(tail, { ...reading, signals: [] }, frame, feed),
        () => rules.beginAnew(tail, reading, frame, feed),
        nothing,
      ]),
    awayEntry: (tail, reading, frame, feed: LiveFeed, reason) =>
      firstOf(onDefect, [
        () => rules.awayEntry(tail, reading, frame, feed, reason),
        () => rules.awayEntry(tail, undefined, frame, feed, reason),
        nothing,
      ]),
    ...(ordered && {
      ordered: (...[tail, read, frame, feed]: Ordered) =>
        firstOf(onDefect, [() => ordered(tail, read, frame, feed), () => read]),
    }),
    ...(freshOrders && { freshOrders }),
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

/** How what operators order for a feed gets into its log. */
type OrderedEntries<Tail> = {
  /** Adds it to an entry, or makes an entry of it. */
  readonly ordered?: (
    tail: Tail,
    read: LiveEntry | undefined,
    frame: Pick<EntryFrame, 'readAt' | 'visibleAt'>,
    feed: LiveFeed,
  ) => LiveEntry | undefined;
  /** Resolves when it is known. */
  readonly freshOrders?: () => Promise<void>;
};
