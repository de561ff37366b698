// SPDX-License-Identifier: Apache-2.0
// Composes what puts channels on air: importing assets, planning, and the cache of airings.

import { createHttpOrigin, createReadingsOrigin } from '../adapters/http/httpOrigin.ts';
import { sqlAirings } from '../adapters/sql/channels/sqlAirings.ts';
import { sqlAssets } from '../adapters/sql/channels/sqlAssets.ts';
import { sqlChannelStatuses } from '../adapters/sql/channels/sqlChannelStatuses.ts';
import { sqlExcludedAssets } from '../adapters/sql/channels/sqlExcludedAssets.ts';
import { sqlSchedules } from '../adapters/sql/channels/sqlSchedules.ts';
import { sqlTitles } from '../adapters/sql/channels/sqlTitles.ts';
import { sqlLiveLog } from '../adapters/sql/live/sqlLiveLog.ts';
import { type FindMedia, MissingMedia } from '../ads/placement/breakClips.ts';
import type { ChannelRef } from '../channels/channelKey.ts';
import type { InsertedBreak } from '../channels/inserted/breakOrder.ts';
import type { FindAdSources, PlaylistStore } from '../channels/ports.ts';
import { insertedOnAir } from '../channels/schedule/insertedOnAir.ts';
import { analyseOrigin } from '../ingest/live/analyseOrigin.ts';
import { createDashSampler } from '../ingest/live/dash/sampleDashOrigin.ts';
import { sampleHlsOrigin } from '../ingest/live/hls/sampleHlsOrigin.ts';
import type { Origin } from '../ingest/ports.ts';
import { createTextSource } from '../ingest/text/textSource.ts';
import { createAssetSource } from '../planning/assetSource.ts';
import { createBreakDesk } from '../planning/breaks/breakDesk.ts';
import { createMixChecker } from '../planning/checkMix.ts';
import { createSourceChecker } from '../planning/checkSource.ts';
import { createBreakInserter } from '../planning/insertBreaks.ts';
import { createChannelAnalyser, limitAnalyses } from '../planning/live/analyseChannel.ts';
import type { AnalyseOrigin } from '../planning/live/planLiveChannel.ts';
import { createBreakReader } from '../planning/live/readBreaks.ts';
import { createPlanner, type Planner } from '../planning/planner.ts';
import type { RecordAsRun } from '../planning/ports.ts';
import { describePreparation } from '../planning/preparation.ts';
import { createEndEntry } from '../planning/schedule/endEntry.ts';
import { createEntryOrigins } from '../planning/schedule/entryOrigins.ts';
import { createLiveRecorder } from '../planning/schedule/liveRecorder.ts';
import { createMeasuring } from '../planning/schedule/measureSchedule.ts';
import { scheduledChange } from '../planning/schedule/planSchedule.ts';
import { createScheduleDesk } from '../planning/schedule/scheduleDesk.ts';
import { createScheduleSource } from '../planning/scheduleSource.ts';
import { createSlatePriority, type SlatePriorityDeps } from '../planning/slateFor.ts';
import { createStatusBoard, createStatusMirror } from '../planning/statusBoard.ts';
import { createTitleProgress } from '../planning/vod/titleProgress.ts';
import { createTitleSource } from '../planning/vod/titleSource.ts';
import { createWatch } from '../planning/watch.ts';
import { createAiringCache } from '../playback/onAir/airingCache.ts';
import type { Clock } from '../time/clock.ts';
import { millis } from '../time/units.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { Creatives } from './composeCreatives.ts';
import { composeEntryFeeds } from './composeEntryFeeds.ts';
import { composeLive } from './composeLive.ts';
import { liveDefects } from './metrics/liveMetrics.ts';
import type { Services } from './openServices.ts';

/** Limits for imports that no channel on air uses. */
const UNUSED_IMPORTS_KEPT_MS = 7 * 24 * 3_600_000;
const MAX_UNUSED_IMPORTS = 2000;
/** Breaks that operators have ordered are listed for this long after they are over. */
const ORDERS_KEPT_MS = 7 * 24 * 3_600_000;
const PLANNING_FAILED = 'planning a channel failed';
const EVENTS_KEPT_MS = 7 * 24 * 3_600_000;

/** @param playlists the playlists of channels @param countViewers counts the viewers of a channel */
export function composeOnAir(
  services: Services,
  playlists: PlaylistStore,
  { files, library, jobs }: Creatives,
  countViewers: SlatePriorityDeps['countViewers'],
  { recordAsRun, findAdSources }: { readonly recordAsRun: RecordAsRun; readonly findAdSources: FindAdSources },
) {
  const { sql, guard, config, channels, now, timers, warn } = services;
  const store = sqlAssets(sql);
  const statuses = createStatusMirror(sqlChannelStatuses(sql));
  const airings = sqlAirings(sql);
  const origin = createHttpOrigin(guard, { timers });
  const analyse = composeOrigins(origin, { now, timers }, warn);
  const findMedia: FindMedia = (id) => files.find(id)?.media;
  const loadMedia = files.load;
  const source = createScheduleSource({ airings, assets: store, findMedia, loadMedia });
  const countDefects = liveDefects(services.metrics);
  const readings = createReadingsOrigin(guard, timers);
  const live = composeLive(services, readings, findMedia, library, { loadMedia, countDefects });
  const { feeds } = live;
  const cache = createAiringCache({
    live: live.channels,
    channels,
    source: {
      versions: source.versions,
      async load(channel) {
        const loaded = await source.load(channel);
        recorder.saw(channel, loaded);
        return loaded;
      },
    },
    findMedia,
    offAirReason: (channel) => describePreparation(planner.statusUnderWay(channel) ?? statuses.of(channel)),
    timers,
    log: warn,
  });
  const assets = createAssetSource({ store, excluded: sqlExcludedAssets(sql), origin, now, log: warn });
  const titleStore = sqlTitles(sql);
  const progress = createTitleProgress({ titles: titleStore, now, timers, log: warn });
  const titles = createTitleSource({ assets, store, playlists, progress, now, timers });
  const board = createStatusBoard({ store: statuses.store, now, log: warn });
  const slatePriority = createSlatePriority({ jobs, countViewers, now, log: warn });
  const { orders, blackoutMedia } = live;
  const planning = {
    channels,
    airings,
    library,
    now,
    log: warn,
    orders,
    blackoutMedia,
    recordAsRun,
    findAdSources,
    onAir: source.load,
  };
  const schedules = sqlSchedules(sql);
  /** What viewers of the channel play now. */
  function laddersOf(channel: ChannelRef): readonly Ladder[] {
    const { airing, live: feed } = cache.find(channel) ?? {};
    if (feed !== undefined) return feed.media.map(({ ladder }) => ladder);
    return airing === undefined ? titles.laddersOf(channel).slice(0, 1) : [airing.ladder];
  }
  const ladderOf = async (channel: ChannelRef) => laddersOf(channel)[0];
  const analyseInTurn = limitAnalyses(analyse);
  const entryOrigins = createEntryOrigins({
    analyse: analyseInTurn,
    now,
    timers,
    onChanged: (channel) =>
      void plan(channel, false).catch((error: unknown) =>
        warn(PLANNING_FAILED, { tenant: channel.tenant, channelId: channel.id, error }),
      ),
  });
  const findOrigin = entryOrigins.find;
  const measuring = createMeasuring({ schedules, playlists, assets, findOrigin, ladderOf, now, log: warn });
  const planner: Planner = createPlanner({
    ...planning,
    schedules,
    measuring,
    findOrigin,
    playlists,
    feeds,
    assets,
    board,
    analyse: analyseInTurn,
    onTitle: titles.remember,
    onSlateAwaited: slatePriority.awaited,
    grace: config.OFF_AIR_GRACE * 1000,
  });
  const liveBreaksOf = createBreakReader({ feeds, log: sqlLiveLog(sql) });
  const plan = async (channel: ChannelRef, fresh: boolean) => {
    await planner.plan(channel, { fresh });
    await cache.refresh();
  };
  const editing = {
    ...planning,
    changeOf: scheduledChange({ schedules, playlists, assets, findOrigin, now }),
    onStored: () => cache.refresh(),
  };
  const inserter = createBreakInserter(editing);
  const loadIfMade = (channel: ChannelRef) =>
    source.load(channel).catch((error: unknown) => {
      // The planner makes the slate again.
      if (error instanceof MissingMedia) return undefined;
      throw error;
    });
  const desk = createScheduleDesk({
    schedules,
    playlists,
    assets,
    findOrigin,
    now,
    timers,
    ladderOf,
    onAir: loadIfMade,
    // What the recorder stores next has the end.
    onChanged() {},
  });
  const entryFeeds = composeEntryFeeds(services, readings, findMedia, countDefects);
  const recorder = createLiveRecorder({
    ...editing,
    schedules,
    findOrigin,
    use: entryFeeds.use,
    end: createEndEntry(desk),
    plan: (channel) => plan(channel, false),
  });
  const onOrdered = async (channel: ChannelRef) => {
    inserter
      .apply(channel)
      .catch((error: unknown) => warn('inserting a break failed', { channelId: channel.id, error }));
    await live.onOrdered();
  };
  const deleteUnusedImports = () =>
    store.forgetUnused(millis(now() - UNUSED_IMPORTS_KEPT_MS), MAX_UNUSED_IMPORTS, now());
  /** What another tenant has imported is not shown. */
  const knownAsset = async (tenant: string, url: string) => {
    const known = (await store.isUsedBy(tenant, url)) ? await assets.known(url, 0) : undefined;
    return known?.ok ? known.asset : undefined;
  };
  return {
    cache,
    assets,
    namingPlaylist: schedules.naming,
    loadLineup: loadIfMade,
    /** What linear channels have on air. */
    lives: {
      versions: airings.versions,
      async load(channel: ChannelRef) {
        const [loaded, switches] = await Promise.all([loadIfMade(channel), airings.switches(channel)]);
        return loaded && { ...loaded, ...switches };
      },
    },
    refreshStatuses: statuses.refresh,
    hasFailed: (channel: ChannelRef) => statuses.of(channel)?.state === 'failed',
    live: live.keeper,
    stopLive() {
      live.stop();
      entryFeeds.stop();
    },
    originHealth: live.originHealth,
    recordOriginEvents: live.recordEvents,
    deleteOldOriginEvents: () => live.events.removeBefore(millis(now() - EVENTS_KEPT_MS)),
    deleteUnusedImports,
    deleteOldOrders: () => orders.removeBefore(millis(now() - ORDERS_KEPT_MS)),
    findMedia,
    titles,
    titleImports: titleStore.list,
    origin,
    insertBreaks: inserter.run,
    async recordLive() {
      entryOrigins.repeat();
      await recorder.run();
    },
    findOrigin,
    statusOf: planner.sharedStatus,
    stateOf: planner.sharedState,
    /** As this process last read it. */
    knownState: statuses.of,
    troubledOrigins: live.events.troubled,
    share: planner.share,
    release: planner.release,
    endSwitchedOff: planner.endSwitchedOff,
    onMissing: slatePriority.requested,
    texts: createTextSource({ assets: store, origin, timers, log: warn }),
    knownAsset,
    /** What the routes of channels and sources need. */
    api: {
      checkSource: createSourceChecker({ assets, store, now, timers }),
      checkMix: createMixChecker(knownAsset),
      analyseSources: createChannelAnalyser(analyse, timers),
      liveBreaksOf,
      breakDesk: createBreakDesk({ store: orders, breaksOf: liveBreaksOf, now, onOrdered }),
      scheduledBreaksOf: async (channel: ChannelRef) => {
        const loaded = await loadIfMade(channel);
        return loaded === undefined ? undefined : { life: loaded.life, inserted: insertedOnAir(loaded.lineup) };
      },
      blackoutAssetOf: (order: InsertedBreak) => live.blackoutAssetOf(order, airings.airing),
      originEventsOf: live.events.list,
    },
    laddersOf,
    /** Reads the lengths of the entries of a channel's schedule. */
    measureSchedule: measuring.inBackground,
    /** @param fresh whether to import its assets again */
    plan,
    async planAll() {
      for (const channel of await planner.channelsToPlan()) {
        const { tenant, id: channelId } = channel;
        plan(channel, false).catch((error: unknown) => warn(PLANNING_FAILED, { tenant, channelId, error }));
      }
    },
    watch: createWatch({
      assets,
      planner,
      now,
      enabled: channels.enabled,
      programmeOf: (channel) => {
        const found = cache.find(channel);
        // The reader of a live origin notices what is unavailable.
        return found?.channel.type === 'live' ? undefined : found?.airing?.programme;
      },
    }),
  };
}

export type OnAirServices = ReturnType<typeof composeOnAir>;

export const composeOrigins =
  (origin: Origin, { now }: Clock, log: (message: string, facts: Record<string, unknown>) => void): AnalyseOrigin =>
  (url, segmentationTypes, decode) =>
    analyseOrigin(
      { origin, now, log, sample: { hls: sampleHlsOrigin, dash: createDashSampler(now) } },
      url,
      segmentationTypes,
      decode,
    );
