// SPDX-License-Identifier: Apache-2.0
// Breaks of the origin that an operator has cancelled before they started. The origin goes on listing their markers, and may state
// the same break in another spelling when its time comes: these markers are not used.
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import { after, type Instant } from '../../timeline/programme/span.ts';
import type { PlacedSignal } from '../slot.ts';
import type { BreakFact } from './breakFact.ts';
import { BY_HAND } from './insertedFacts.ts';

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
    const { startsAt, endsAt, duration = 60 * FLICKS_PER_SECOND } = fact;
    return [{ startsAt, endsAt: endsAt ?? after(startsAt, duration) }];
  });
  return added.length === 0 ? known : [...known, ...added].slice(-MAX_CANCELLED);
}

/** Whether a signal is not used: the cancellation itself, and what states the cancelled break. */
export function isCancelled(
  cancelled: readonly CancelledBreak[],
  signal: Pick<PlacedSignal, 'kind' | 'at' | 'source' | 'inserted'>,
): boolean {
  if (signal.source === BY_HAND) return signal.kind === 'cancel';
  if (signal.kind === 'cancel' || signal.kind === 'unread') return false;
  const { millis } = signal.at;
  return cancelled.some(({ startsAt, endsAt }) => {
    if (millis < startsAt.millis - NEAR) return false;
    return millis <= (signal.kind === 'out' ? startsAt.millis : endsAt.millis) + NEAR;
  });
}
