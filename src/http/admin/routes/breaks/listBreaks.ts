// SPDX-License-Identifier: Apache-2.0
// The list of a channel's breaks: those on the timelines of its origins, and those inserted by hand that are on none.
import type { Channel } from '../../../../channels/channel.ts';
import type { Page } from '../../../../channels/ports.ts';
import type { BreakFact, BreakWarning } from '../../../../live/breaks/breakFact.ts';
import type { Millis } from '../../../../time/units.ts';
import type { LiveBreaks } from '../../../liveContract.ts';
import type { DeepReadonly } from '../../../matching.ts';
import type { TimeRange } from '../../request/readRange.ts';
import type { AdminDeps } from '../ports.ts';
import { iso, type Listed, type ShownBreak, showFact, showOrder } from './showBreaks.ts';

const MAX_WARNINGS = 100;

type Deps = Pick<AdminDeps, 'liveBreaksOf' | 'scheduledBreaksOf' | 'breakDesk' | 'breakViewers' | 'now'>;
const keyOf = (origin: string | undefined, id: string): string => `${origin ?? ''} ${id}`;

type Item = { readonly at: Millis; readonly show: () => ShownBreak };

export async function listBreaks(
  { liveBreaksOf, scheduledBreaksOf, breakDesk, breakViewers, now }: Deps,
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
    ...facts.map((one) => ({
      at: one.of.startsAt.millis,
      show: () => showFact(one, warnings, one.of.inserted && byId.get(one.of.sourceId ?? ''), at),
    })),
    ...orders
      .filter(({ id }) => !placed.has(id))
      .map((order) => ({ at: order.startsAt, show: () => showOrder(order, at, schedule?.inserted.get(order.id)) })),
  ]
    .filter((one) => isInRange(one.at))
    .sort((a, b) => b.at - a.at);
  const page = items.slice(offset, offset + limit).map(({ show }) => show());
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
