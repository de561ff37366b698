// SPDX-License-Identifier: Apache-2.0
// What operators order for the channels of the soak, at random: breaks and blackouts that they insert now or ahead, end and
// cancel, also while breaks of the origin are on air.
import {
  cancelInserted,
  endInserted,
  type InsertedBreak,
  insertedState,
} from '../../../src/channels/inserted/breakOrder.ts';
import type { BreakOrderStore } from '../../../src/channels/inserted/ports.ts';
import { type Millis, millis } from '../../../src/time/units.ts';
import { pick } from '../../live/origin/model/syntheticRuns.ts';
import type { SoakBreaks } from './soakBreaks.ts';

const MAX_ORDERS = 100;

export function createSoakOrders(
  store: Pick<BreakOrderStore, 'insert' | 'replace'>,
  channels: readonly { readonly tenant: string; readonly id: string }[],
  random: () => number,
  now: () => Millis,
): SoakBreaks {
  const counts = new Map<string, number>();
  const nextAt = new Map(channels.map(({ id }) => [id, now() + 60_000 * random()]));
  let orders: InsertedBreak[] = [];
  let number = 0;
  const count = (kind: string) => void counts.set(kind, (counts.get(kind) ?? 0) + 1);

  function insert({ tenant, id: channelId }: (typeof channels)[number]): void {
    const kind = pick(random, ['ads', 'ads', 'blackout'] as const);
    const isOpen = kind === 'blackout' && random() < 0.4;
    const startsAt = millis(now() + (random() < 0.5 ? 0 : Math.floor(30_000 * random())));
    const order: InsertedBreak = {
      ...{ tenant, channelId, kind, startsAt, createdAt: now(), revision: 0, request: '', id: `o${number++}` },
      ...(isOpen ? {} : { duration: millis(2000 + Math.floor(40_000 * random() ** 2)) }),
      ...(kind === 'blackout' && random() < 0.5 ? { assetUrl: 'https://c.example/blackout.mp4' } : {}),
    };
    orders.push(order);
    void store.insert(order, MAX_ORDERS);
    count(`inserted ${kind}`);
  }

  function change(order: InsertedBreak): void {
    const isRunning = insertedState(order, now()) === 'running';
    const change = isRunning ? endInserted(order, now()) : cancelInserted(order, now());
    if (change.outcome !== 'changed') return;
    orders = orders.map((one) => (one === order ? change.to : one));
    void store.replace(change.to);
    count(isRunning ? 'ended by hand' : 'cancelled by hand');
  }

  return {
    counts,
    tick() {
      orders = orders.filter((one) => ['running', 'scheduled'].includes(insertedState(one, now())));
      for (const order of orders) if (random() < 0.02) change(order);
      for (const channel of channels) {
        if (now() < nextAt.get(channel.id)!) continue;
        insert(channel);
        nextAt.set(channel.id, now() + 20_000 + 150_000 * random());
      }
    },
  };
}
