// SPDX-License-Identifier: Apache-2.0
// Breaks that operators insert, from the signals of the log. The origin's markers neither end nor move them.
import { withoutUndefined } from '../../invariant.ts';
import { isOfBreak } from '../../markers/markerSignal.ts';
import { FLICKS_PER_SECOND, type Millis } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { PlacedSignal } from '../slot.ts';
import { type BreakFact, byStart, endOfFact } from './breakFact.ts';

/** The source of signals that operators cause. */
export const BY_HAND = 'api';

type InsertedSignal = PlacedSignal & { readonly inserted: NonNullable<PlacedSignal['inserted']> };

export const isInsertedSignal = (signal: PlacedSignal): signal is InsertedSignal => signal.inserted !== undefined;

type Batch = { readonly signals: readonly InsertedSignal[]; readonly readAt: Millis; readonly firstOrder: number };

/** @param known those of earlier entries. @returns the same if nothing changes */
export function addInserted(known: readonly BreakFact[], batch: Batch): readonly BreakFact[] {
  const { signals, readAt, firstOrder } = batch;
  return signals.reduce<readonly BreakFact[]>(
    (facts, signal, index) => addSignal(facts, signal, readAt, `${firstOrder + index}`),
    known,
  );
}

function addSignal(
  facts: readonly BreakFact[],
  signal: InsertedSignal,
  readAt: Millis,
  order: string,
): readonly BreakFact[] {
  const { kind, id, at } = signal;
  const index = facts.findIndex(({ sourceId }) => sourceId === id);
  const before = facts[index];
  if (before === undefined)
    return kind === 'out' || kind === 'continue' ? [...facts, factOf(signal, readAt, order)].sort(byStart) : facts;
  if (kind === 'cancel') return facts.filter((one) => one !== before);
  if (kind === 'in') return facts.with(index, { ...before, endsAt: before.endsAt ?? at });
  return kind === 'continue' ? facts.with(index, repeated(before, signal)) : facts;
}

/** What a repetition states is the same as before, but for the media of a blackout, which may be ready later. */
function repeated(before: BreakFact, { at, inserted }: InsertedSignal): BreakFact {
  const { slateId } = inserted;
  return { ...before, statedAt: at, ...(slateId === undefined ? {} : { slateId }) };
}

/** A repetition has the id and the start of the first signal, which may be before what a node has read. */
function factOf(signal: InsertedSignal, readAt: Millis, order: string): BreakFact {
  const { at, id, duration, source, raw, line, inserted } = signal;
  const { kind, slateId, breakId = order, startsAt = at } = inserted;
  return {
    id: breakId,
    startsAt,
    announcedAt: readAt,
    source,
    raw,
    line,
    start: 'marked',
    inserted: kind,
    statedAt: at,
    ...withoutUndefined({ duration, sourceId: id, slateId }),
  };
}

// Breaks of the origin that an operator has cancelled before they started. The origin goes on listing their markers, and may state
// the same break in another spelling when its time comes: these markers are not used.

export type CancelledBreak = { readonly startsAt: Instant; readonly endsAt: Instant };

/** Milliseconds: two spellings of one start differ by less. */
const NEAR = 1000;
const MAX_CANCELLED = 50;

const isCancellation = ({ kind, source, inserted }: PlacedSignal): boolean =>
  kind === 'cancel' && source === BY_HAND && inserted === undefined;

/** @param signals cancellations have the ids of breaks */
export function addCancelled(
  known: readonly CancelledBreak[],
  signals: readonly PlacedSignal[],
  breaks: readonly BreakFact[],
): readonly CancelledBreak[] {
  const added = signals.filter(isCancellation).flatMap(({ id }): CancelledBreak[] => {
    const fact = breaks.find((one) => one.id === id);
    if (fact === undefined) return [];
    const { startsAt } = fact;
    return [{ startsAt, endsAt: endOfFact(fact) ?? after(startsAt, 60 * FLICKS_PER_SECOND) }];
  });
  return added.length === 0 ? known : [...known, ...added].slice(-MAX_CANCELLED);
}

/** Whether a signal is not used: the cancellation itself, and what states the cancelled break. */
export function isCancelled(
  cancelled: readonly CancelledBreak[],
  signal: Pick<PlacedSignal, 'kind' | 'at' | 'source' | 'inserted'>,
): boolean {
  if (signal.source === BY_HAND) return signal.kind === 'cancel';
  if (signal.kind === 'cancel' || !isOfBreak(signal)) return false;
  const { millis } = signal.at;
  return cancelled.some(({ startsAt, endsAt }) => {
    if (millis < startsAt.millis - NEAR) return false;
    return millis <= (signal.kind === 'out' ? startsAt.millis : endsAt.millis) + NEAR;
  });
}
