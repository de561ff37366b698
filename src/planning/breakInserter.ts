// SPDX-License-Identifier: Apache-2.0
// Watches what operators insert into vod2live channels, and has it put on air when it is due. Every node may run it.
import type { CreativeLibrary } from '../ads/creative/creative.ts';
import type { Channel } from '../channels/channel.ts';
import { type ChannelRef, channelKey } from '../channels/channelKey.ts';
import { type InsertedBreak, isInserted } from '../channels/inserted/breakOrder.ts';
import type { BreakOrderStore } from '../channels/inserted/ports.ts';
import type { ChannelStore } from '../channels/ports.ts';
import { INSERT_AHEAD_MS } from '../channels/schedule/replan.ts';
import { millis } from '../time/units.ts';
import { appendEditions, type InsertDeps, LATEST_MS, type OnAir } from './insertBreaks.ts';
import { type OnAwaited, slateFor } from './slateFor.ts';

type BreakInserterDeps = Omit<InsertDeps, 'orders'> & {
  readonly orders: BreakOrderStore;
  readonly library: CreativeLibrary;
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly onAir: (channel: ChannelRef) => Promise<OnAir | undefined>;
  /** Called when editions were stored. */
  readonly onStored: () => Promise<void>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** What waits for the end of a blackout, or for a channel to go on air, is tried again after this time. */
const RETRY_MS = 5000;
/** What waits for the asset of a blackout. */
const ASSET_RETRY_MS = 1000;
/** What waits for the asset of a blackout that has failed: its preparation may be retried. */
const FAILED_RETRY_MS = 30_000;

const skip: OnAwaited = async () => {};

/** What a channel's orders were when they were last put on air. */
type Applied = { readonly orders: string; readonly retryAt: number };

export function createBreakInserter(deps: BreakInserterDeps) {
  const applied = new Map<string, Applied>();

  /** @returns after how many milliseconds to try again; infinite if everything that is due is on the schedule */
  async function insert(channel: Channel): Promise<number> {
    const onAir = await deps.onAir(channel);
    if (onAir === undefined) return RETRY_MS;
    const { slate } = await slateFor(deps.library, onAir.airing.ladder, channel, skip);
    if (slate === undefined) return RETRY_MS;
    const { outcome, wishes, assets } = await appendEditions(deps, channel, onAir, slate);
    if (outcome === 'taken') return insert(channel);
    if (outcome === 'stored') await deps.onStored();
    const ids = new Set(onAir.lineup.editions.flatMap(({ slots }) => slots[0]?.inserted?.id ?? []));
    if (outcome !== 'stored' && !wishes.inserted.every(({ id }) => ids.has(id))) return RETRY_MS;
    if (assets.includes('preparing')) return ASSET_RETRY_MS;
    return assets.includes('failed') ? FAILED_RETRY_MS : Number.POSITIVE_INFINITY;
  }

  async function apply({ tenant, id }: ChannelRef, orders: string): Promise<void> {
    const key = channelKey({ tenant, id });
    // Before it is done: another call within this time would store the same.
    applied.set(key, { orders, retryAt: deps.now() + RETRY_MS });
    try {
      const channel = await deps.channels.find(tenant, id);
      const isOurs = channel?.type === 'vod2live' && channel.state === 'enabled';
      const wait = isOurs ? await insert(channel) : Number.POSITIVE_INFINITY;
      applied.set(key, { orders, retryAt: deps.now() + wait });
    } catch (error) {
      deps.log('failed to insert breaks into a schedule', { tenant, channelId: id, error });
    }
  }

  async function dueOrders(): Promise<Map<string, InsertedBreak[]>> {
    const now = deps.now();
    const due = new Map<string, InsertedBreak[]>();
    for (const order of await deps.orders.current(millis(now - LATEST_MS))) {
      if (!isInserted(order) || order.startsAt >= now + INSERT_AHEAD_MS) continue;
      const key = channelKey({ tenant: order.tenant, id: order.channelId });
      due.set(key, [...(due.get(key) ?? []), order]);
    }
    return due;
  }

  const textOf = (orders: readonly InsertedBreak[]): string =>
    orders
      .map(({ id, revision }) => `${id} ${revision}`)
      .sort()
      .join();

  return {
    /** Puts on air what is due on any channel. Call it every second. */
    async run(): Promise<void> {
      const due = await dueOrders();
      for (const key of applied.keys()) if (!due.has(key)) applied.delete(key);
      const changed = [...due].filter(([key, orders]) => {
        const last = applied.get(key);
        return last?.orders !== textOf(orders) || deps.now() >= last.retryAt;
      });
      await Promise.all(
        changed.map(async ([, orders]) => {
          const [first] = orders;
          if (first !== undefined) await apply({ tenant: first.tenant, id: first.channelId }, textOf(orders));
        }),
      );
    },
    /** The same for a channel whose orders have just changed. */
    apply: async (channel: ChannelRef): Promise<void> => {
      const orders = (await dueOrders()).get(channelKey(channel));
      if (orders !== undefined) await apply(channel, textOf(orders));
    },
  };
}
