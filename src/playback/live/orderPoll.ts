// SPDX-License-Identifier: Apache-2.0
// What operators have ordered for channels, read periodically while feeds are in use: one query for all of them.
import { type ChannelRef, channelKey } from '../../channels/channelKey.ts';
import type { BreakOrder } from '../../channels/inserted/breakOrder.ts';
import type { BreakOrderStore } from '../../channels/inserted/ports.ts';
import type { KnownOrders } from '../../live/orders/pendingSignals.ts';
import { type Clock, type Timer, within } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';

type OrderPollDeps = Clock & {
  readonly store: Pick<BreakOrderStore, 'current'>;
  readonly isInUse: () => boolean;
  readonly onRead: () => void;
};

/** Milliseconds. */
const POLL_MS = 500;
const TIMEOUT_MS = 2000;
/** Milliseconds. What is over is returned for this long, so that its end gets into every timeline. */
const OVER_MS = 3_600_000;

export function createOrderPoll({ store, timers, now, isInUse, onRead }: OrderPollDeps) {
  let known: { readonly at: Millis; readonly byChannel: ReadonlyMap<string, readonly BreakOrder[]> } | undefined;
  let timer: Timer | undefined;
  let reading: Promise<void> | undefined;
  let isStopped = false;

  async function readOnce(): Promise<void> {
    const at = now();
    const read = store.current(millis(at - OVER_MS)).catch(() => undefined);
    // During an outage, what was read last stays valid.
    const orders = await within(timers, TIMEOUT_MS, read);
    reading = undefined;
    if (orders === undefined || isStopped) return;
    const byChannel = new Map<string, BreakOrder[]>();
    for (const order of orders) {
      const key = channelKey({ tenant: order.tenant, id: order.channelId });
      byChannel.set(key, [...(byChannel.get(key) ?? []), order]);
    }
    known = { at, byChannel };
    onRead();
  }

  /** What is stored after a reading has begun may not be in it. */
  async function refresh(): Promise<void> {
    await reading;
    reading ??= readOnce();
    await reading;
  }

  function schedule(): void {
    if (timer !== undefined || isStopped || !isInUse()) return;
    timer = timers.after(POLL_MS, async () => {
      await refresh();
      timer = undefined;
      schedule();
    });
  }

  return {
    /** What was read last; undefined if nothing was. */
    ordersOf: (channel: ChannelRef): KnownOrders | undefined =>
      known && { at: known.at, orders: known.byChannel.get(channelKey(channel)) ?? [] },
    /** Reads them now. Resolves when they are known, or the store does not respond. */
    refresh,
    /** Reads periodically from now on, for as long as feeds are in use. */
    start: schedule,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}

export type OrderPoll = ReturnType<typeof createOrderPoll>;
