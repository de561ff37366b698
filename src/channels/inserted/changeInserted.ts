// SPDX-License-Identifier: Apache-2.0
// What the end and the cancellation of an inserted break do. Repeating either has no further effect.
import type { Millis } from '../../time/units.ts';
import type { InsertedBreak } from './breakOrder.ts';
import { insertedState } from './insertedState.ts';

export type Change =
  | { readonly outcome: 'changed'; readonly to: InsertedBreak }
  | { readonly outcome: 'unchanged' }
  | { readonly outcome: 'conflict'; readonly reason: string };

const conflict = (reason: string): Change => ({ outcome: 'conflict', reason });

export function endInserted(one: InsertedBreak, now: Millis): Change {
  const state = insertedState(one, now);
  if (state === 'ended') return { outcome: 'unchanged' };
  if (state === 'scheduled') return conflict(`Break "${one.id}" has not started; cancel it.`);
  if (state === 'cancelled') return conflict(`Break "${one.id}" was cancelled; it cannot be ended.`);
  return { outcome: 'changed', to: { ...one, endedAt: now, revision: one.revision + 1 } };
}

export function cancelInserted(one: InsertedBreak, now: Millis): Change {
  const state = insertedState(one, now);
  if (state === 'cancelled') return { outcome: 'unchanged' };
  if (state === 'running') return conflict(`Break "${one.id}" is running; end it.`);
  if (state === 'ended') return conflict(`Break "${one.id}" has ended; it cannot be cancelled.`);
  return { outcome: 'changed', to: { ...one, cancelledAt: now, revision: one.revision + 1 } };
}
