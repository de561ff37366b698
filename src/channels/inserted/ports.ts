// SPDX-License-Identifier: Apache-2.0
import type { Millis } from '../../time/units.ts';
import type { ChannelRef } from '../channelKey.ts';
import type { BreakOrder, InsertedBreak } from './breakOrder.ts';

/** `known`: there is one with this id, which is returned. `full`: the channel has `limit` orders that are not over. */
type OrderInsertion<Order> =
  | { readonly outcome: 'inserted' | 'known'; readonly order: Order }
  | { readonly outcome: 'full' };

/** What operators have ordered for channels, for all nodes. Orders are removed with their channel. */
export type BreakOrderStore = {
  /**
   * Stores an order unless its channel has one with this id.
   * @param limit of orders of the channel that are not over at `createdAt`; calls at the same time may exceed it
   */
  insert<Order extends BreakOrder>(order: Order, limit: number): Promise<OrderInsertion<Order>>;
  find(channel: ChannelRef, id: string): Promise<InsertedBreak | undefined>;
  /** Inserted breaks that are over after `from` and start before `to`, in the order of their starts, without cancelled ones. */
  list(channel: ChannelRef, from: Millis, to: Millis): Promise<readonly InsertedBreak[]>;
  /** @param changed with the revision after the one that was read. @returns false if it was changed or removed since */
  replace(changed: InsertedBreak): Promise<boolean>;
  /** Orders of all channels that are not over at an instant, cancelled ones included. Cheap to poll. */
  current(after: Millis): Promise<readonly BreakOrder[]>;
  /** Removes those that were over before an instant. */
  removeBefore(before: Millis): Promise<void>;
};
