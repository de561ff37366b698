// SPDX-License-Identifier: Apache-2.0
// What operators order by hand for a channel: breaks that they insert, and changes of breaks that the markers of a live origin
// state. This folder decides which orders are valid and what they do. It does not place them on a timeline.
import type { Millis } from '../../time/units.ts';

type Order = {
  readonly tenant: string;
  readonly channelId: string;
  readonly createdAt: Millis;
  /** How often it was changed, from 0. */
  readonly revision: number;
};

/** A break that an operator has inserted. */
export type InsertedBreak = Order & {
  /** Chosen by the client or made of its Idempotency-Key: `[A-Za-z0-9._-]{1,64}`. */
  readonly id: string;
  readonly kind: 'ads' | 'blackout';
  /** By the clock: when it takes effect at the end of the timeline. */
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
  /** Its id in the scheme of its source. */
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
