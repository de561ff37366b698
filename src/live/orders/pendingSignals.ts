// SPDX-License-Identifier: Apache-2.0
// The signals with which orders of operators enter the log of a feed: those that it does not contain yet. All nodes derive the
// same from an order, and the first one that writes it decides where it is.
import {
  type BreakOrder,
  endsAt,
  type InsertedBreak,
  isInserted,
  type MarkedChange,
} from '../../channels/inserted/breakOrder.ts';
import { FLICKS_PER_MILLI, flicks, type Millis, millis } from '../../time/units.ts';
import { compareInstants, type Instant } from '../../timeline/programme/span.ts';
import { millisBetween } from '../align/originDates.ts';
import type { Tail } from '../align/tail.ts';
import { type BreakFact, endOfFact } from '../breaks/breakFact.ts';
import { BY_HAND } from '../breaks/insertedFacts.ts';
import type { EntryFrame, LiveEntry, PlacedSignal } from '../slot.ts';

export type OrderContext = {
  readonly life: string;
  /** The first border that is not in the log. */
  readonly edge: Instant;
  /** Milliseconds by which the timeline is behind the clock. */
  readonly lag: number;
  readonly now: Millis;
  /** The feed was idle: what begins at the edge was not on air until now. */
  readonly isResumed: boolean;
  readonly breaks: readonly BreakFact[];
  /** The newest signals of the log. */
  readonly logged: readonly PlacedSignal[];
  /** The media that a blackout shows instead of the slate of the feed, once it is ready. */
  readonly slateOf: (order: InsertedBreak) => string | undefined;
};

export type KnownOrders = {
  readonly at: Millis;
  /** The orders of the channel that are not over, or ended a short time ago. */
  readonly orders: readonly BreakOrder[];
};

/** Milliseconds. Breaks are announced on the timeline so far ahead. */
const AHEAD = 600_000;
/** Milliseconds. On a running timeline, a break that takes effect so late keeps its length. */
const LATE = 10_000;
/** Milliseconds. What is left of a break and shorter is not shown. */
const SHORTEST = 1000;
/** Milliseconds. A blackout is stated again, so that nodes which read the end of the log find it. */
const REPEATED = 300_000;
/** Milliseconds. Orders are read more often. */
const FORGOTTEN = 600_000;

const later = (one: Instant, other: Instant): Instant => (millisBetween(one, other) > 0 ? other : one);

export function pendingSignals(context: OrderContext, { at, orders }: KnownOrders): PlacedSignal[] {
  const inserted = context.breaks.filter((fact) => fact.inserted !== undefined);
  const named = new Map(inserted.map((fact) => [fact.sourceId, fact]));
  const known = new Set(orders.map(({ id }) => id));
  const signals = orders.flatMap((order) =>
    isInserted(order) ? ofInserted(context, order, named.get(order.id)) : ofMarked(context, order),
  );
  // An order that is not current any more is over, also if no node was there to write that.
  const forgotten = inserted
    .filter((fact) => !(fact.sourceId !== undefined && known.has(fact.sourceId)) && fact.announcedAt < at - FORGOTTEN)
    .flatMap((fact) => ending(context, fact));
  return [...signals, ...forgotten]
    .filter((one) => !isLogged(context, one))
    .sort((a, b) => compareInstants(a.at, b.at));
}

/** A break ends once. */
const isLogged = ({ logged }: OrderContext, { kind, id, inserted }: PlacedSignal): boolean =>
  (kind === 'in' || kind === 'cancel') &&
  logged.some(
    (one) =>
      one.source === BY_HAND &&
      one.kind === kind &&
      one.id === id &&
      (one.inserted === undefined) === (inserted === undefined),
  );

const common = (id: string, at: Instant) => ({ source: BY_HAND, line: 0, id, at });

function ofInserted(context: OrderContext, order: InsertedBreak, fact: BreakFact | undefined): PlacedSignal[] {
  const isOff = order.cancelledAt !== undefined || order.endedAt !== undefined;
  if (fact === undefined) return isOff ? [] : starting(context, order);
  if (isOff) return ending(context, fact);
  return fact.inserted === 'blackout' ? repeating(context, order, fact) : [];
}

function starting({ edge, lag, now, isResumed, slateOf }: OrderContext, order: InsertedBreak): PlacedSignal[] {
  const place: Instant = { millis: millis(order.startsAt - lag), rest: flicks(0) };
  const isDue = order.startsAt <= now;
  if (millisBetween(edge, place) > AHEAD) return [];
  // A running timeline is where it is, even if it is not exactly so far behind the clock.
  const at = isDue && !isResumed ? edge : later(edge, place);
  const late = isResumed ? Math.max(0, millisBetween(place, at)) : Math.max(0, now - order.startsAt);
  const passed = isDue && (isResumed || late > LATE) ? late : 0;
  const { id, kind, duration } = order;
  if (duration !== undefined && duration - passed < SHORTEST) return [];
  const slateId = kind === 'blackout' ? slateOf(order) : undefined;
  const end = endsAt(order);
  const length = duration === undefined ? '' : ` ${duration / 1000} s`;
  return [
    {
      ...common(id, at),
      kind: 'out',
      raw: `${kind}${length}`,
      ...(end === undefined || duration === undefined
        ? {}
        : { duration: flicks((duration - passed) * FLICKS_PER_MILLI) }),
      inserted: { kind, ...(slateId === undefined ? {} : { slateId }) },
    },
  ];
}

/** Ends a break at the edge, or cancels it if it has not begun. */
function ending({ edge }: OrderContext, fact: BreakFact): PlacedSignal[] {
  const { inserted: kind, sourceId: id = '', startsAt } = fact;
  const end = endOfFact(fact);
  if (kind === undefined || fact.endsAt !== undefined || (end !== undefined && millisBetween(edge, end) <= 0))
    return [];
  const isAhead = millisBetween(edge, startsAt) >= 0;
  return [
    { ...common(id, edge), kind: isAhead ? 'cancel' : 'in', raw: isAhead ? 'cancel' : 'end', inserted: { kind } },
  ];
}

function repeating({ edge, slateOf }: OrderContext, order: InsertedBreak, fact: BreakFact): PlacedSignal[] {
  const { id: breakId, startsAt, duration, statedAt = startsAt, slateId } = fact;
  const over = endOfFact(fact);
  if (over !== undefined && millisBetween(edge, over) <= 0) return [];
  const media = slateOf(order);
  const isNew = media !== undefined && media !== slateId;
  if (!isNew && millisBetween(statedAt, edge) < REPEATED) return [];
  return [
    {
      ...common(order.id, edge),
      kind: 'continue',
      raw: 'blackout',
      ...(duration === undefined ? {} : { duration }),
      inserted: { kind: 'blackout', breakId, startsAt, ...(media === undefined ? {} : { slateId: media }) },
    },
  ];
}

/** The end or the cancellation of a break of the origin. */
function ofMarked({ life, edge, breaks }: OrderContext, { life: own, breakId, action }: MarkedChange): PlacedSignal[] {
  const fact = breaks.find(({ id, inserted }) => id === breakId && inserted === undefined);
  if (life !== own || fact === undefined) return [];
  const isAhead = millisBetween(edge, fact.startsAt) >= 0;
  if (isAhead) return action === 'cancel' ? [{ ...common(breakId, edge), kind: 'cancel', raw: 'cancel' }] : [];
  if (fact.endsAt !== undefined && millisBetween(edge, fact.endsAt) <= 0) return [];
  return [{ ...common(breakId, edge), kind: 'in', raw: 'end', isByHand: true }];
}

type Ordering = Pick<OrderContext, 'life' | 'slateOf'> & {
  readonly breaks: readonly BreakFact[];
  readonly known: KnownOrders;
};

/** Milliseconds between two entries of a feed that was idle. While it is read, there is slate if there is nothing else. */
const IDLE = 30_000;

/** Slots with which a timeline begins, or begins again, were not on air before: orders are placed in them by the clock. */
const isResumption = (tail: Tail | undefined, { slots, readAt }: LiveEntry): boolean =>
  tail === undefined ||
  (slots.length > 0 && readAt - tail.readAt > IDLE) ||
  slots.some(({ missed }) => missed !== undefined && missed > 0);

/**
 * Adds what operators have ordered to the next entry of a feed, or makes an entry of it that has no slots.
 * @param tail absent for the first entry of a life
 * @param read what the reading of the origin adds; undefined if nothing
 * @returns undefined if there is nothing to add
 */
export function orderedEntry(
  tail: Tail | undefined,
  read: LiveEntry | undefined,
  frame: EntryFrame,
  { life, slateOf, breaks, known }: Ordering,
): LiveEntry | undefined {
  const edge = read?.slots[0]?.start ?? tail?.end;
  const anchor = read?.anchor ?? tail?.anchor;
  if (edge === undefined || anchor === undefined) return read;
  const isResumed = read !== undefined && isResumption(tail, read);
  const logged = tail?.signals ?? [];
  const context = { life, slateOf, breaks, logged, edge, lag: anchor.lag, now: frame.readAt, isResumed };
  const signals = pendingSignals(context, known);
  if (signals.length === 0) return read;
  if (read !== undefined)
    return { ...read, signals: [...read.signals, ...signals].sort((a, b) => compareInstants(a.at, b.at)) };
  const source = tail?.source === undefined ? {} : { source: tail.source };
  return { number: tail?.entries ?? 0, ...frame, ...source, anchor, slots: [], signals };
}
