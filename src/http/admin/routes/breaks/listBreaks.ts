// SPDX-License-Identifier: Apache-2.0
// The list of a channel's breaks: those on the timelines of its origins, and those inserted by hand that are on none.
import type { Channel } from '../../../../channels/channel.ts';
import type { InsertedBreak } from '../../../../channels/inserted/breakOrder.ts';
import { insertedState } from '../../../../channels/inserted/insertedState.ts';
import type { Page } from '../../../../channels/ports.ts';
import type { BreakFact, BreakWarning } from '../../../../live/breaks/breakFact.ts';
import type { AssetState } from '../../../../planning/live/blackoutMedia.ts';
import type { Millis } from '../../../../time/units.ts';
import type { LiveBreaks } from '../../../contract/liveContract.ts';
import type { DeepReadonly } from '../../../contract/matching.ts';
import type { TimeRange } from '../../request/readRange.ts';
import type { CoreApi } from '../ports.ts';
import { iso, type Listed, type ShownBreak, showFact, showOrder } from './showBreaks.ts';

const MAX_WARNINGS = 100;
const pending: ReadonlySet<string> = new Set(['scheduled', 'running']);

type Deps = Pick<
  CoreApi,
  'liveBreaksOf' | 'scheduledBreaksOf' | 'breakDesk' | 'breakViewers' | 'blackoutAssetOf' | 'now'
>;
const keyOf = (origin: string | undefined, id: string): string => `${origin ?? ''} ${id}`;

type Item = {
  readonly at: Millis;
  readonly order: InsertedBreak | undefined;
  readonly show: (asset: AssetState | undefined) => ShownBreak;
};

export async function listBreaks(
  { liveBreaksOf, scheduledBreaksOf, breakDesk, breakViewers, blackoutAssetOf, now }: Deps,
  channel: Channel,
  { from, to }: TimeRange,
  { offset, limit }: Page,
): Promise<DeepReadonly<LiveBreaks>> {
  const at = now();
  const isInRange = (time: Millis) => time >= from && time < to;
  const [origins, schedule, orders] = await Promise.all([
    channel.type === 'live' ? liveBreaksOf(channel) : [],
    channel.type === 'vod2live' ? scheduledBreaksOf(channel) : undefined,
    breakDesk.list(channel, from, to),
  ]);
  const warnings = origins
    .flatMap(({ origin, warnings: all }) => all.map((of): Listed<BreakWarning> => ({ origin, of })))
    .filter(({ of }) => isInRange(of.at))
    .sort((a, b) => b.of.at - a.of.at);
  const facts = origins.flatMap(({ origin, breaks }) => breaks.map((of): Listed<BreakFact> => ({ origin, of })));
  const byId = new Map(orders.map((order) => [order.id, order]));
  const placed = new Set(facts.flatMap(({ of }) => (of.inserted === undefined ? [] : [of.sourceId])));
  const items: Item[] = [
    ...facts.map((one): Item => {
      const order = one.of.inserted && byId.get(one.of.sourceId ?? '');
      return { at: one.of.startsAt.millis, order, show: (asset) => showFact(one, warnings, order, asset, at) };
    }),
    ...orders
      .filter(({ id }) => !placed.has(id))
      .map(
        (order): Item => ({
          at: order.startsAt,
          order,
          show: (asset) => showOrder(order, asset, at, schedule?.inserted.get(order.id)),
        }),
      ),
  ]
    .filter((one) => isInRange(one.at))
    .sort((a, b) => b.at - a.at);
  // The state of an asset that is not needed any more would cause its preparation.
  const assetOf = async (order: InsertedBreak | undefined) =>
    order !== undefined && pending.has(insertedState(order, at)) ? blackoutAssetOf(order) : undefined;
  const page = await Promise.all(
    items.slice(offset, offset + limit).map(async ({ order, show }) => show(await assetOf(order))),
  );
  const viewers = new Map<string, { readonly decided: number; readonly withAds: number }>();
  for (const { origin, feed } of origins) {
    if (feed === undefined) continue;
    const ids = page.flatMap((one) => (one.origin === origin ? [one.id] : []));
    for (const [id, count] of await breakViewers(feed.life, ids)) viewers.set(keyOf(origin, id), count);
  }
  if (schedule !== undefined) {
    const spans = new Map(
      page.flatMap(({ id }): [string, string][] => {
        const placed = schedule.inserted.get(id);
        return placed === undefined ? [] : [[placed.spanId, id]];
      }),
    );
    for (const [span, count] of await breakViewers(schedule.life, [...spans.keys()], 'schedule'))
      viewers.set(keyOf(undefined, spans.get(span)!), count);
  }
  const none = { decided: 0, withAds: 0 };
  return {
    total: items.length,
    items: page.map((one) => ({ ...one, viewers: viewers.get(keyOf(one.origin, one.id)) ?? none })),
    warnings: warnings
      .slice(0, MAX_WARNINGS)
      .map(({ origin, of: { line, text, at: readAt } }) => ({ origin, line, text, at: iso(readAt) })),
  };
}
