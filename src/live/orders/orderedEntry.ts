// SPDX-License-Identifier: Apache-2.0
// Adds what operators have ordered to the next entry of a feed, or makes an entry of it that has no slots.
import { FLICKS_PER_MILLI } from '../../time/units.ts';
import type { Tail } from '../align/tail.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import type { EntryFrame, LiveEntry, PlacedSignal } from '../slot.ts';
import { type KnownOrders, type OrderContext, pendingSignals } from './pendingSignals.ts';

export type Ordering = Pick<OrderContext, 'life' | 'slateOf'> & {
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

const inOrder = (signals: readonly PlacedSignal[]): PlacedSignal[] =>
  [...signals].sort((a, b) => a.at.millis - b.at.millis || (a.at.rest - b.at.rest) / FLICKS_PER_MILLI);

/**
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
  if (read !== undefined) return { ...read, signals: inOrder([...read.signals, ...signals]) };
  const source = tail?.source === undefined ? {} : { source: tail.source };
  return { number: tail?.entries ?? 0, ...frame, ...source, anchor, slots: [], signals };
}
