// SPDX-License-Identifier: Apache-2.0
// What operators order by hand for a channel: breaks that they insert, and changes of breaks that the markers of a live origin
// state. This folder decides which orders are valid and what they do. It does not place them on a timeline.
import { type Millis, millis } from '../../time/units.ts';

type Order = {
  readonly tenant: string;
  readonly channelId: string;
  readonly createdAt: Millis;
  /** How often it was changed, from 0. */
  readonly revision: number;
};

export type InsertedBreak = Order & {
  /** Chosen by the client or made of its Idempotency-Key: `[A-Za-z0-9._-]{1,64}`. */
  readonly id: string;
  readonly kind: 'ads' | 'blackout';
  /** When the break takes effect at the end of the timeline, by the clock. */
  readonly startsAt: Millis;
  /** Absent for a blackout that lasts until it is ended. */
  readonly duration?: Millis;
  /** Media that a blackout shows in a loop; the channel's slate when absent. */
  readonly assetUrl?: string;
  /** When it was ended before its time, or without one. */
  readonly endedAt?: Millis;
  readonly cancelledAt?: Millis;
  /** What was requested, as text: the same id with another request is a conflict. */
  readonly request: string;
};

/** The end or the cancellation of a break that the markers of a live origin state. */
export type MarkedChange = Order & {
  /** Contains a space, which ids of inserted breaks do not. */
  readonly id: string;
  readonly kind: 'marked';
  readonly action: 'end' | 'cancel';
  /** The life of the feed, and the id of the break in its timeline. */
  readonly life: string;
  readonly breakId: string;
  /** The id of the break in the scheme of its source. */
  readonly sourceId?: string;
  readonly startsAt: Millis;
};

export type BreakOrder = InsertedBreak | MarkedChange;

export const isInserted = (order: BreakOrder): order is InsertedBreak => order.kind !== 'marked';

/** @param change without what follows from the rest */
export const markedChange = (change: Omit<MarkedChange, 'id' | 'kind' | 'revision'>): MarkedChange => ({
  ...change,
  id: `${change.life} ${change.breakId} ${change.action}`,
  kind: 'marked',
  revision: 0,
});

export type InsertedState = 'scheduled' | 'running' | 'ended' | 'cancelled';

type Times = Pick<InsertedBreak, 'startsAt' | 'duration' | 'endedAt' | 'cancelledAt'>;

/** When a break is over by the clock; undefined if it lasts until it is ended. A cancelled one is over when it was cancelled. */
export function endsAt({ startsAt, duration, endedAt, cancelledAt }: Times): Millis | undefined {
  if (cancelledAt !== undefined) return cancelledAt;
  if (endedAt !== undefined) return endedAt;
  return duration === undefined ? undefined : millis(startsAt + duration);
}

export function insertedState(one: Times, now: Millis): InsertedState {
  if (one.cancelledAt !== undefined) return 'cancelled';
  if (one.endedAt !== undefined) return 'ended';
  if (now < one.startsAt) return 'scheduled';
  const end = endsAt(one);
  return end !== undefined && now >= end ? 'ended' : 'running';
}

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
