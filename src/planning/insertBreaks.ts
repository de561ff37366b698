// SPDX-License-Identifier: Apache-2.0
// Puts on the schedule of a vod2live channel what operators insert, and takes off what they end and cancel. What is stored of
// both says what is left to do, so any node may do it, and the first one that stores editions decides.

import type { CreativeLibrary } from '../ads/creative/creative.ts';
import { slateClip } from '../ads/placement/breakClips.ts';
import type { Channel, LinearChannel } from '../channels/channel.ts';
import { type ChannelRef, channelKey } from '../channels/channelKey.ts';
import { type InsertedBreak, isInserted } from '../channels/inserted/breakOrder.ts';
import type { BreakOrderStore } from '../channels/inserted/ports.ts';
import type { ChannelStore } from '../channels/ports.ts';
import { type AiringRecord, type EditionRecord, slotRecord } from '../channels/schedule/airing.ts';
import type { Lineup } from '../channels/schedule/edition.ts';
import { insertionOf } from '../channels/schedule/insertionOf.ts';
import { inForceAt, insertedIn, type LeavingOf } from '../channels/schedule/leaveLineup.ts';
import { type Current, type InsertedPlan, playlistSchedule, type Schedule } from '../channels/schedule/nextEditions.ts';
import type { Slate } from '../channels/schedule/planSlots.ts';
import type { AiringStore } from '../channels/schedule/ports.ts';
import { INSERT_AHEAD_MS, replan, type Wishes } from '../channels/schedule/replan.ts';
import { defined, groupBy } from '../invariant.ts';
import { type Millis, millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset/asset.ts';
import { MEDIA_BASE } from '../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { AssetState, BlackoutMedia } from './live/blackoutMedia.ts';
import type { RecordAsRun } from './ports.ts';
import { type OnAwaited, slateFor } from './slateFor.ts';

/** The current life of a channel: its records, and the lineup compiled from them. */
export type OnAir = {
  readonly airing: AiringRecord;
  readonly records: readonly EditionRecord[];
  readonly lineup: Lineup;
};

export type InsertDeps = {
  readonly airings: Pick<AiringStore, 'append'>;
  readonly blackoutMedia: BlackoutMedia;
  readonly orders: Pick<BreakOrderStore, 'list' | 'find'>;
  readonly recordAsRun: RecordAsRun;
  readonly now: () => Millis;
};

/** An edition with a new list takes effect this long after it was stored, so that every node has read it by then (law 8). */
export const EDITION_LEAD_MS = 8000;
/** The same for what operators insert, end and cancel. Nodes read the editions within a second. */
export const INSERT_LEAD_MS = 3000;
/** Editions that ended longer ago are removed: no window reaches back further than a day. */
const EDITION_TTL_MS = 26 * 3600 * 1000;
/** A break that no node has put on air for this long after its end is left out. */
const LATEST_MS = 60_000;

export const currentOf = ({ records, lineup }: OnAir): Current[] =>
  records.map((record, index) => ({ record, edition: defined(lineup.editions[index], 'each record is an edition') }));

/** The list on air: the last edition is its cycle. */
function listOnAir(onAir: OnAir): Schedule {
  const keys = new Map<Asset, string>();
  const all = currentOf(onAir);
  for (const { record, edition } of all) {
    for (const [at, { clip }] of edition.slots.entries()) {
      const slot = record.slots[at];
      if (slot?.kind === 'content') keys.set(clip.asset, slot.asset);
    }
  }
  const { record, edition } = defined(all.at(-1), 'a channel on air has an edition');
  const keyOf = (asset: Asset): string => defined(keys.get(asset), 'an asset on air has a key');
  return playlistSchedule({ plans: edition.slots, items: record.items, record: (plan) => slotRecord(plan, keyOf) });
}

/** A break as planned, with the media of a blackout once they are ready. */
function plannedOf(deps: InsertDeps, { airing }: OnAir, order: InsertedBreak, slate: Slate): InsertedPlan {
  const { ladder } = airing;
  const { id, kind, startsAt, duration: length } = order;
  const media = deps.blackoutMedia.of(order, airing);
  const shown: Slate =
    media === undefined ? slate : { id: media.id, clip: (frames) => slateClip(media, ladder, { frames }, MEDIA_BASE) };
  const request = { id, kind, startsAt, showsAsset: media !== undefined, ...(length === undefined ? {} : { length }) };
  return insertionOf(request, shown, ladder.frameRate);
}

const isOver = (order: InsertedBreak | undefined): boolean =>
  order === undefined || order.endedAt !== undefined || order.cancelledAt !== undefined;

type Wished = { readonly wishes: Wishes; readonly assets: readonly AssetState['state'][] };

async function wishesOf(deps: InsertDeps, channel: Channel, onAir: OnAir, slate: Slate | undefined): Promise<Wished> {
  const { ladder } = onAir.airing;
  const now = deps.now();
  const due = await deps.orders.list(channel, millis(now - LATEST_MS), millis(now + INSERT_AHEAD_MS));
  const orders = new Map(due.map((order): [string, InsertedBreak | undefined] => [order.id, order]));
  const lineup = currentOf(onAir);
  for (const one of lineup.slice(inForceAt(lineup, now))) {
    const id = insertedIn(one);
    if (id !== undefined && !orders.has(id)) orders.set(id, await deps.orders.find(channel, id));
  }
  const wanted = due.filter((order) => !isOver(order));
  // Whatever becomes ready after this line is reported as not ready, and planned the next time.
  const assets = wanted.flatMap((order) => deps.blackoutMedia.stateOf(order, onAir.airing)?.state ?? []);
  const inserted = slate === undefined ? [] : wanted.map((order) => plannedOf(deps, onAir, order, slate));
  const longestSegment = ladder.targetDuration * 1000;
  return { wishes: { inserted, isOver: (id) => isOver(orders.get(id)), longestSegment }, assets };
}

/** Whether something was stored, nothing had to be, or another node was faster. */
type Appended = Wished & { readonly outcome: 'stored' | 'unchanged' | 'taken' };

/** A list, which may have changed since it was put on air. */
export type Change = {
  readonly schedule: Schedule;
  /** Where the lineup has to be left for it; undefined if it shows what the list says. */
  readonly leave: (lineup: readonly Current[], earliest: Millis) => LeavingOf | undefined;
};

/** @param change the list; the one on air by default */
export async function appendEditions(
  deps: InsertDeps,
  channel: Channel,
  onAir: OnAir,
  slate: Slate | undefined,
  change?: Change,
): Promise<Appended> {
  const { records } = onAir;
  const wished = await wishesOf(deps, channel, onAir, slate);
  const { wishes } = wished;
  const current = currentOf(onAir);
  const changedAt = millis(deps.now() + EDITION_LEAD_MS);
  const leave = change?.leave(current, changedAt);
  const earliest = leave === undefined ? millis(deps.now() + INSERT_LEAD_MS) : changedAt;
  const list = change?.schedule ?? listOnAir(onAir);
  const planned = replan(current, list, { ...wishes, ...(leave && { leave }) }, earliest);
  if (planned === undefined) return { ...wished, outcome: 'unchanged' };
  const { lineup, kept } = planned;
  const isOld = (_: EditionRecord, index: number): boolean =>
    (records[index + 1]?.from ?? earliest) < earliest - EDITION_TTL_MS;
  const old = records.slice(0, kept).filter(isOld);
  // What is not in the as-run log stays until it is.
  const isRecorded = old.length === 0 || (await deps.recordAsRun(channel));
  const dropped = [...(isRecorded ? old : []), ...records.slice(kept)];
  const isStored = await deps.airings.append(
    lineup.slice(kept).map(({ record }) => record),
    dropped.map(({ number }) => number),
  );
  return { ...wished, outcome: isStored ? 'stored' : 'taken' };
}

type BreakInserterDeps = Omit<InsertDeps, 'orders'> & {
  readonly orders: BreakOrderStore;
  readonly library: CreativeLibrary;
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly onAir: (channel: ChannelRef) => Promise<OnAir | undefined>;
  /** The schedule of a channel; undefined if it plays a playlist. */
  readonly changeOf: (channel: LinearChannel, ladder: Ladder, slate: Slate) => Promise<Change | undefined>;
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

/** Watches what operators insert, and has it put on air when it is due. Every node may run it. */
export function createBreakInserter(deps: BreakInserterDeps) {
  const applied = new Map<string, Applied>();

  /** @returns after how many milliseconds to try again; infinite if everything that is due is on the schedule */
  async function insert(channel: LinearChannel): Promise<number> {
    const onAir = await deps.onAir(channel);
    if (onAir === undefined) return RETRY_MS;
    const { slate } = await slateFor(deps.library, onAir.airing.ladder, channel, skip);
    if (slate === undefined) return RETRY_MS;
    const change = await deps.changeOf(channel, onAir.airing.ladder, slate);
    const { outcome, wishes, assets } = await appendEditions(deps, channel, onAir, slate, change);
    if (outcome === 'taken') return insert(channel);
    if (outcome === 'stored') await deps.onStored();
    const ids = new Set(onAir.lineup.editions.flatMap(({ slots }) => slots[0]?.inserted?.id ?? []));
    if (outcome !== 'stored' && !wishes.inserted.every(({ id }) => ids.has(id))) return RETRY_MS;
    if (assets.includes('preparing')) return ASSET_RETRY_MS;
    return assets.includes('failed') ? FAILED_RETRY_MS : Number.POSITIVE_INFINITY;
  }

  async function apply({ tenant, id }: ChannelRef, orders: string): Promise<void> {
    const key = channelKey({ tenant, id });
    // Set before the work is done: another call within this time would store the same.
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

  async function dueOrders() {
    const now = deps.now();
    const inserted = (await deps.orders.current(millis(now - LATEST_MS))).filter(isInserted);
    const due = inserted.filter(({ startsAt }) => startsAt < now + INSERT_AHEAD_MS);
    return groupBy(due, ({ tenant, channelId: id }) => channelKey({ tenant, id }));
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
        changed.map(([, orders]) => apply({ tenant: orders[0].tenant, id: orders[0].channelId }, textOf(orders))),
      );
    },
    /** The same for a channel whose orders have just changed. */
    apply: async (channel: ChannelRef): Promise<void> => {
      const orders = (await dueOrders()).get(channelKey(channel));
      if (orders !== undefined) await apply(channel, textOf(orders));
    },
  };
}
