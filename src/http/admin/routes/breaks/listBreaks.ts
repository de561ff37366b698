// SPDX-License-Identifier: Apache-2.0
// The list of a channel's breaks: those on the timelines of its origins, and those inserted by hand that are on none.
import type { Channel } from '../../../../channels/channel.ts';
import { endsAt, type InsertedBreak, insertedState } from '../../../../channels/inserted/breakOrder.ts';
import type { Page } from '../../../../channels/ports.ts';
import type { InsertedOnAir } from '../../../../channels/schedule/insertedOnAir.ts';
import type { BreakFact, BreakWarning } from '../../../../live/breaks/breakFact.ts';
import { BY_HAND } from '../../../../live/breaks/insertedFacts.ts';
import type { MarkedBreakState } from '../../../../planning/breaks/breakDesk.ts';
import type { AssetState } from '../../../../planning/live/blackoutMedia.ts';
import type { OriginBreaks } from '../../../../planning/live/readBreaks.ts';
import { flicksToMillis, flicksToSeconds, isoText, type Millis } from '../../../../time/units.ts';
import type { Instant } from '../../../../timeline/programme/span.ts';
import type { OrderedBreak } from '../../../contract/breakContract.ts';
import type { LiveBreaks } from '../../../contract/liveContract.ts';
import type { Sent } from '../../../contract/matching.ts';
import type { TimeRange } from '../../request/readRange.ts';
import type { CoreApi } from '../ports.ts';

type Listed<T> = { readonly origin: OriginBreaks['origin']; readonly of: T };
type ShownBreak = Sent<LiveBreaks>['items'][number];

const isoIfKnown = (time: Millis | undefined) => (time === undefined ? undefined : isoText(time));
const instant = ({ millis, rest }: Instant): string => isoText((millis + flicksToMillis(rest)) as Millis);

const showTimes = (startsAt: Millis, duration: Millis | undefined, end: Millis | undefined) => ({
  startsAt: isoText(startsAt),
  duration: duration === undefined ? undefined : duration / 1000,
  endsAt: isoIfKnown(end),
});
const showAsset = ({ assetUrl }: InsertedBreak, asset: AssetState | undefined) => ({
  asset: assetUrl,
  assetState: asset?.state,
  assetReason: asset?.state === 'failed' ? asset.reason : undefined,
});

/** @param order of a break that was inserted by hand, if it is still stored @param asset of its blackout */
function showFact(
  { origin, of }: Listed<BreakFact>,
  warnings: readonly Listed<BreakWarning>[],
  order: InsertedBreak | undefined,
  asset: AssetState | undefined,
  now: Millis,
): ShownBreak {
  const { id, startsAt, duration, endsAt: end, announcedAt, isInsertionPoint, source, sourceId, upid, raw, line } = of;
  const warning = warnings.find((one) => one.origin === origin && one.of.at === announcedAt && one.of.line === line);
  return {
    id,
    origin,
    kind: of.inserted ?? 'ads',
    startsAt: instant(startsAt),
    ...(order && { state: insertedState(order, now), ...showAsset(order, asset) }),
    duration: duration === undefined ? undefined : flicksToSeconds(duration),
    endsAt: end && instant(end),
    announcedAt: isoText(announcedAt),
    isInsertionPoint: isInsertionPoint || undefined,
    source,
    sourceId,
    upid,
    raw,
    line,
    warning: of.inserted === undefined ? warning?.of.text : undefined,
  };
}

/**
 * A break that is on no timeline of an origin, or not yet.
 * @param placed where it is on the schedule of a vod2live channel
 */
function showOrder(
  order: InsertedBreak,
  asset: AssetState | undefined,
  now: Millis,
  placed?: InsertedOnAir,
): ShownBreak {
  const { id, kind, duration, endedAt, createdAt } = order;
  // The slate of a blackout without an end is planned for a year.
  const hasEnd = duration !== undefined || endedAt !== undefined;
  const end = placed !== undefined && hasEnd ? placed.endsAt : endedAt;
  return {
    id,
    kind,
    state: insertedState(order, now),
    ...showTimes(placed?.startsAt ?? order.startsAt, duration, end),
    ...showAsset(order, asset),
    announcedAt: isoText(createdAt),
    source: BY_HAND,
    sourceId: id,
    raw: kind,
    line: 0,
  };
}

export function showInserted(order: InsertedBreak, now: Millis, asset: AssetState | undefined): Sent<OrderedBreak> {
  const { id, kind, startsAt, duration, createdAt } = order;
  const state = insertedState(order, now);
  const times = showTimes(startsAt, duration, state === 'cancelled' ? undefined : endsAt(order));
  return { id, kind, state, ...times, ...showAsset(order, asset), createdAt: isoText(createdAt) };
}

export const showMarked = (marked: MarkedBreakState): Sent<OrderedBreak> => {
  const { id, state, startsAt, duration, endsAt, createdAt } = marked;
  return { id, kind: 'ads', state, ...showTimes(startsAt, duration, endsAt), createdAt: isoText(createdAt) };
};

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
): Promise<Sent<LiveBreaks>> {
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
  const none = { decided: 0, withAds: 0 };
  const viewers = new Map<string, { readonly decided: number; readonly withAds: number }>();
  for (const { origin, feed } of origins) {
    if (feed === undefined) continue;
    const ids = page.flatMap((one) => (one.origin === origin ? [one.id] : []));
    for (const [id, count] of await breakViewers(feed.life, ids)) viewers.set(keyOf(origin, id), count);
  }
  if (schedule !== undefined) {
    const placed = page.flatMap(({ id }) => {
      const { spanId } = schedule.inserted.get(id) ?? {};
      return spanId === undefined ? [] : [{ id, spanId }];
    });
    const spans = placed.map(({ spanId }) => spanId);
    const counts = await breakViewers(schedule.life, spans, 'schedule');
    for (const { id, spanId } of placed) viewers.set(keyOf(undefined, id), counts.get(spanId) ?? none);
  }
  return {
    total: items.length,
    items: page.map((one) => ({ ...one, viewers: viewers.get(keyOf(one.origin, one.id)) ?? none })),
    warnings: warnings
      .slice(0, MAX_WARNINGS)
      .map(({ origin, of: { line, text, at: readAt } }) => ({ origin, line, text, at: isoText(readAt) })),
  };
}
