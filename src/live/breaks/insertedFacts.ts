// SPDX-License-Identifier: Apache-2.0
// Breaks that operators insert, from the signals of the log. The origin's markers neither end nor move them.
import type { Millis } from '../../time/units.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import type { PlacedSignal } from '../slot.ts';
import type { BreakFact } from './breakFact.ts';

/** The source of signals that operators cause. */
export const BY_HAND = 'api';

/** A signal of an inserted break. */
export type InsertedSignal = PlacedSignal & { readonly inserted: NonNullable<PlacedSignal['inserted']> };

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
    return kind === 'out' || kind === 'continue' ? inOrder([...facts, factOf(signal, readAt, order)]) : facts;
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
    ...{ id: breakId, startsAt, announcedAt: readAt, source, raw, line, start: 'marked', inserted: kind, statedAt: at },
    ...(duration === undefined ? {} : { duration }),
    ...(id === undefined ? {} : { sourceId: id }),
    ...(slateId === undefined ? {} : { slateId }),
  };
}

const compare = (one: Instant, other: Instant): number => one.millis - other.millis || one.rest - other.rest;

const inOrder = (facts: BreakFact[]): BreakFact[] => facts.sort((a, b) => compare(a.startsAt, b.startsAt));
