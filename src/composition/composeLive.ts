// SPDX-License-Identifier: Apache-2.0
// Composes what plays live channels: the readers of their origins, the log, and the feeds that are in use.
import { randomUUID } from 'node:crypto';
import { sqlBreakOrders } from '../adapters/sql/channels/sqlBreakOrders.ts';
import { sqlLiveFeeds } from '../adapters/sql/live/sqlLiveFeeds.ts';
import { sqlLiveLog } from '../adapters/sql/live/sqlLiveLog.ts';
import { sqlOriginEvents } from '../adapters/sql/live/sqlOriginEvents.ts';
import type { FindMedia, LoadMedia } from '../ads/placement/breakClips.ts';
import type { ChannelRef } from '../channels/channelKey.ts';
import type { InsertedBreak } from '../channels/inserted/breakOrder.ts';
import { createOriginReader } from '../ingest/live/createOriginReader.ts';
import type { Origin } from '../ingest/ports.ts';
import { withoutUndefined } from '../invariant.ts';
import { TAIL_MEMORY, type Tail, tailAfter } from '../live/align/tail.ts';
import { backupsFor, type LiveFeed } from '../live/feed.ts';
import { orderedEntry } from '../live/orders/pendingSignals.ts';
import type { BackupHealth, OriginHealth } from '../live/originHealth.ts';
import type { ReaderFor } from '../live/ports.ts';
import type { LiveState } from '../live/programme/liveState.ts';
import type { LiveEntry } from '../live/slot.ts';
import {
  type AssetState,
  type BlackoutMediaDeps,
  createBlackoutMedia,
  type LadderLife,
} from '../planning/live/blackoutMedia.ts';
import type { LiveStatus } from '../planning/live/liveStatus.ts';
import { createLiveFeedKeeper, type LiveFeedKeeper } from '../playback/live/feedKeeper.ts';
import type { LiveFeedStatusDeps } from '../playback/live/feedStatus.ts';
import { createLiveChannels } from '../playback/live/liveChannels.ts';
import { createOrderPoll, type OrderPoll } from '../playback/live/orderPoll.ts';
import type { LiveFeedSource } from '../playback/live/origins/feedSources.ts';
import { createOriginRecorder, onAirOf, troubleOf } from '../playback/live/origins/originRecorder.ts';
import { ENDED, NOTHING_NEW, stalledAfter } from '../playback/live/origins/stallWatch.ts';
import { within } from '../time/clock.ts';
import type { Millis } from '../time/units.ts';
import { type LogTail, liveRules, stamped, standingOf } from './liveRules.ts';
import { type Services, sharesStore } from './openServices.ts';

export type OriginHealths = { readonly [Format in keyof LiveStatus]?: OriginHealth };

/** A node that is started reads this much of a log, and more while a long break is on air. */
const BREAK_MEMORY_MS = 2 * TAIL_MEMORY;

/** Milliseconds between writing an entry and showing it, in which all processes read it. */
const VISIBLE_DELAY_MS = 1000;

/** How long the response to an order waits until the timelines of this process contain it. */
const ORDERING_MS = 1000;

type LiveServices = Pick<Services, 'sql' | 'now' | 'timers' | 'warn' | 'error'> & {
  readonly config: Pick<Services['config'], 'WORKERS'>;
};

/** @param origin reads manifests and media of origins */
export function composeLive(
  { sql, config, now, timers, warn, error }: LiveServices,
  origin: Origin,
  findMedia: FindMedia,
  library: BlackoutMediaDeps['library'],
  { loadMedia, countDefects }: Pick<LiveFeedStatusDeps, 'countDefects'> & { readonly loadMedia?: LoadMedia } = {},
) {
  const feeds = sqlLiveFeeds(sql);
  const log = sqlLiveLog(sql);
  const channels = createLiveChannels({ feeds, states: () => keeper, findMedia, loadMedia });
  const readerFor: ReaderFor = (feed, way) => {
    const starts = channels.startsOf(feed);
    return createOriginReader({ origin, feed, now, way, ...(starts && { starts }) });
  };
  const orders = sqlBreakOrders(sql);
  const poll: OrderPoll = createOrderPoll({
    store: orders,
    timers,
    now,
    isInUse: () => keeper.lives().length > 0,
    onRead: () => {
      ordering = keeper.order();
    },
  });
  let ordering: Promise<void> | undefined;
  const blackoutMedia = createBlackoutMedia({ library, now, onReady: () => void keeper.order() });
  const isShared = sharesStore({ sql, config });
  const framed = stamped(channels);
  const keeper = createLiveFeedKeeper<LiveState, LogTail>({
    log,
    isShared,
    node: randomUUID(),
    now,
    timers,
    warn,
    error,
    countDefects,
    readerFor,
    visibleDelay: isShared ? VISIBLE_DELAY_MS : 0,
    onWake: () => poll.start(),
    freshOrders: () => poll.refresh(),
    ...liveRules(channels),
    ordered({ aligned, state }, read, frame, feed) {
      const known = poll.ordersOf({ tenant: feed.tenant, id: feed.channelId });
      if (known === undefined) return read;
      const breaks = state.breaks?.breaks ?? [];
      const slateOf = (order: InsertedBreak) => blackoutMedia.of(order, feed)?.id;
      return orderedEntry(aligned, read, framed(state, frame, feed), { life: feed.life, slateOf, breaks, known });
    },
    backupsOf: channels.backupsOf,
    keepMillis: (feed) => channels.windowMillis(feed) + BREAK_MEMORY_MS,
  });
  /** The health of the origins of a channel's feeds, as far as this process or the log knows it. */
  async function originHealth(channel: ChannelRef): Promise<OriginHealths> {
    const known = { keeper, now, newest: (life: string) => log.tail(life, 0) };
    const health = async (feed: LiveFeed) =>
      [feed.format, await originHealthOf({ ...known, backups: channels.backupsOf(feed) }, feed)] as const;
    return Object.fromEntries(await Promise.all((await feeds.current(channel)).map(health)));
  }
  /** The asset's state, if possible in a feed that lacks it. @param scheduleOf the life of a vod2live channel */
  async function blackoutAssetOf(
    order: InsertedBreak,
    scheduleOf: (channel: ChannelRef) => Promise<LadderLife | undefined>,
  ): Promise<AssetState | undefined> {
    if (order.assetUrl === undefined) return undefined;
    const channel = { tenant: order.tenant, id: order.channelId };
    const schedule = await scheduleOf(channel);
    const all = schedule === undefined ? await feeds.current(channel) : [schedule];
    const states = all.flatMap((feed) => blackoutMedia.stateOf(order, feed) ?? []);
    return states.find(({ state }) => state !== 'ready') ?? states[0];
  }
  const events = sqlOriginEvents(sql);
  const recordEvents = createOriginRecorder({ store: events, conditions: () => keeper.conditions(), now, warn });
  /** Resolves when the timelines of this process contain what was ordered, or later if the database does not respond. */
  async function onOrdered(): Promise<void> {
    await poll.refresh();
    if (ordering !== undefined) await within(timers, ORDERING_MS, ordering);
  }
  const stop = () => {
    poll.stop();
    keeper.stop();
  };
  const ofOrders = { orders, onOrdered, blackoutMedia, blackoutAssetOf };
  return { feeds, channels, keeper, ...ofOrders, stop, originHealth, events, recordEvents };
}

/** Another process reads the origin if its last entry is not older. */
const IDLE_AFTER_MS = 30_000;

function backupHealth(source: LiveFeedSource, format: LiveFeed['format']): BackupHealth {
  const { url } = source;
  const { readAt, failedAt } = source.health();
  const checkedAt = Math.max(readAt ?? 0, failedAt ?? 0) as Millis;
  if (checkedAt === 0) return { url, state: 'unknown' };
  const reason = faultOf(source, format);
  return reason === undefined ? { url, state: 'ok', checkedAt } : { url, state: 'failing', reason, checkedAt };
}

/** A backup that can be read is of no use if it does not continue. */
function faultOf(source: LiveFeedSource, format: LiveFeed['format']): string | undefined {
  const { failure, readAt } = source.health();
  const last = source.reading();
  if (failure !== undefined || last === undefined || readAt === undefined) return failure?.sentence;
  if (last.reading.isEnded) return ENDED[format];
  return readAt - last.at > stalledAfter(source.targetMs() ?? 0) ? NOTHING_NEW : undefined;
}

type HealthSources = {
  readonly keeper: Pick<LiveFeedKeeper<unknown, unknown>, 'health' | 'origins'>;
  readonly newest: (life: string) => Promise<readonly LiveEntry[]>;
  readonly backups: readonly string[];
  readonly now: () => Millis;
};

/** The health of an origin: as this process reads it, or from the log if another process reads it. */
async function originHealthOf({ keeper, newest, backups, now }: HealthSources, feed: LiveFeed): Promise<OriginHealth> {
  const own = keeper.health(feed.life);
  const known = keeper.origins(feed.life);
  const entries = known?.standing?.since === undefined ? await newest(feed.life) : [];
  const logged = standingOf(entries.reduce<Tail | undefined>(tailAfter, undefined));
  const standing = known?.standing?.since === undefined ? logged : known.standing;
  const onAir = onAirOf(feed, standing);
  const described = known
    ? known.backups.map((one) => backupHealth(one, feed.format))
    : backupsFor(backups, feed.format).map((url): BackupHealth => ({ url, state: 'unknown' }));
  const readAt = own?.readAt ?? entries.at(-1)?.readAt;
  const dated = {
    ...withoutUndefined({ onAir, readAt }),
    ...(described.length === 0 ? {} : { backups: described }),
    ...(own?.warnings?.length ? { warnings: own.warnings } : {}),
  };
  const trouble = own && troubleOf(own);
  if (trouble !== undefined) return { ...trouble, ...dated };
  const isRead = own !== undefined || (readAt !== undefined && now() - readAt < IDLE_AFTER_MS);
  const { since, reason } = standing;
  if (isRead && own === undefined && standing.isAway)
    return { state: 'failing', ...withoutUndefined({ since, reason }), ...dated };
  return { state: isRead ? 'ok' : 'idle', ...dated };
}
