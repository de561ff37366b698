// The part of the composition that puts channels on air: what they play is imported, planned and kept in memory.
import { createHttpOrigin } from '../adapters/http/httpOrigin.ts';
import { sqlAirings } from '../adapters/sql/channels/sqlAirings.ts';
import { sqlAssets } from '../adapters/sql/channels/sqlAssets.ts';
import { sqlChannelStatuses } from '../adapters/sql/channels/sqlChannelStatuses.ts';
import { sqlExcludedAssets } from '../adapters/sql/channels/sqlExcludedAssets.ts';
import type { FindMedia } from '../ads/placement/clipMaker.ts';
import type { ChannelRef } from '../channels/channelKey.ts';
import type { PlaylistStore } from '../channels/ports.ts';
import { createTextSource } from '../ingest/text/textSource.ts';
import { createAssetSource } from '../planning/assetSource.ts';
import { createSourceChecker } from '../planning/checkSource.ts';
import { createPlanner, type Planner } from '../planning/planner.ts';
import { describePreparation } from '../planning/preparation.ts';
import { createScheduleSource } from '../planning/scheduleSource.ts';
import { createSlatePriority, type SlatePriorityDeps } from '../planning/slatePriority.ts';
import { createStatusBoard } from '../planning/statusBoard.ts';
import { createWatch } from '../planning/watch.ts';
import { createAiringCache } from '../playback/onAir/airingCache.ts';
import { millis } from '../time/units.ts';
import type { composeCreatives } from './composeCreatives.ts';
import type { Ground } from './openGround.ts';

/** Milliseconds for which imports are kept that no channel on air shows, and how many of them at most. */
const IMPORTS_KEPT = 7 * 24 * 3_600_000;
const MOST_UNUSED = 2000;

/**
 * @param playlists that channels play
 * @param watching how many watch a channel
 */
export function composeAir(
  { sql, guard, config, channels, now, timers, warn }: Ground,
  playlists: PlaylistStore,
  { files, library, jobs }: ReturnType<typeof composeCreatives>,
  watching: SlatePriorityDeps['watching'],
) {
  const store = sqlAssets(sql);
  const airings = sqlAirings(sql);
  const origin = createHttpOrigin(guard, { timers });
  const findMedia: FindMedia = (id) => files.find(id)?.media;
  const source = createScheduleSource({ airings, assets: store, findMedia });
  const cache = createAiringCache({
    channels,
    source,
    findMedia,
    offAirReason: (channel) => describePreparation(planner.status(channel)),
    timers,
    log: warn,
  });
  const assets = createAssetSource({ store, excluded: sqlExcludedAssets(sql), origin, now });
  const board = createStatusBoard({ store: sqlChannelStatuses(sql), now, log: warn });
  const slatePriority = createSlatePriority({ jobs, watching, now, log: warn });
  const planner: Planner = createPlanner({
    ...{ channels, playlists, airings, assets, library, board, now, log: warn },
    onAir: source.load,
    onSlateAwaited: slatePriority.awaited,
    grace: config.OFF_AIR_GRACE * 1000,
  });
  const plan = async (channel: ChannelRef, fresh: boolean) => {
    await planner.plan(channel, { fresh });
    await cache.refresh();
  };
  /** What nobody needs any more. */
  const forget = () => store.forgetUnused(millis(now() - IMPORTS_KEPT), MOST_UNUSED, now());
  return {
    cache,
    forget,
    origin,
    statusOf: planner.sharedStatus,
    stateOf: planner.sharedState,
    share: planner.share,
    endSwitchedOff: planner.endSwitchedOff,
    onMissing: slatePriority.requested,
    texts: createTextSource({ assets: store, origin, timers, log: warn }),
    checkSource: createSourceChecker({ assets, now, timers }),
    /** @param fresh whether its assets are read again */
    plan,
    async planAll() {
      for (const channel of await planner.channelsToPlan()) {
        const { tenant, id: channelId } = channel;
        plan(channel, false).catch((error: unknown) => warn('planning a channel failed', { tenant, channelId, error }));
      }
    },
    watch: createWatch({
      ...{ assets, planner, now },
      enabled: channels.enabled,
      programmeOf: (channel) => cache.find(channel)?.airing?.programme,
    }),
  };
}

export type Air = ReturnType<typeof composeAir>;
