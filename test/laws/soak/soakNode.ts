// SPDX-License-Identifier: Apache-2.0
// A node of the soak: the parts of Midroll that play live channels, as the program composes them, without its ports.
import { createFileSpool } from '../../../src/adapters/spool/fileSpool.ts';
import { createShownBreakSpool } from '../../../src/adapters/spool/shownBreakSpool.ts';
import { sqlChannels } from '../../../src/adapters/sql/channels/sqlChannels.ts';
import { sqlSessions } from '../../../src/adapters/sql/sessions/sqlSessions.ts';
import type { FindMedia } from '../../../src/ads/placement/breakClips.ts';
import { composeLive } from '../../../src/composition/composeLive.ts';
import type { Origin } from '../../../src/ingest/ports.ts';
import { uncounted } from '../../../src/playback/decide/countedChoice.ts';
import { createBreakDecider, type DeciderDeps } from '../../../src/playback/decide/decideBreak.ts';
import { createPrefetcher } from '../../../src/playback/decide/prefetcher.ts';
import { createShownBreaks } from '../../../src/playback/decide/shownBreaks.ts';
import { createAiringCache } from '../../../src/playback/onAir/airingCache.ts';
import { type AdRequestDeps, createAdRequests } from '../../../src/playback/request/adRequests.ts';
import { createDemands } from '../../../src/playback/request/demand.ts';
import { openSession } from '../../../src/playback/view/openSession.ts';
import { beginUpcoming, type View, viewAt } from '../../../src/playback/view/view.ts';
import { createStoreHealth, monitoredSessions } from '../../../src/playback/viewers/storeHealth.ts';
import { createViewers } from '../../../src/playback/viewers/viewers.ts';
import { airingOf, createViewings } from '../../../src/playback/viewings.ts';
import type { Session } from '../../../src/sessions/session.ts';
import { millis } from '../../../src/time/units.ts';
import { noVod } from '../../servers/noVod.ts';
import type { SoakProcess } from './soakProcess.ts';

export type SoakNode = {
  readonly process: SoakProcess;
  /** Opens a session. @throws {AppError} */
  open(channelId: string, format: Session['format']): Promise<Opened>;
  /** @returns undefined if the session does not exist. @throws {AppError} */
  view(channelId: string, sessionId: string): Promise<View | undefined>;
  /** Reads the channels that have changed. */
  refresh(): Promise<void>;
};

export type Opened = { readonly session: string; readonly rungs: readonly string[] };

export type SoakNodeDeps = Pick<AdRequestDeps, 'requestAds'> &
  Pick<DeciderDeps, 'library' | 'onRecorded'> & {
    readonly process: SoakProcess;
    readonly origin: Origin;
    readonly folder: string;
    readonly findMedia: FindMedia;
    readonly warn: (message: string, facts: Record<string, unknown>) => void;
  };

/** Seconds, as by default. */
const SESSION_TTL_MS = 300_000;

export function startSoakNode(deps: SoakNodeDeps): SoakNode {
  const { process, origin, folder, findMedia, warn, requestAds, library, onRecorded } = deps;
  const { sql, clock, received } = process;
  const { now, timers } = clock;
  const services = { sql, now, timers, warn, error: warn, config: { WORKERS: 3 } };
  const heard: Origin = { ...origin, read: (...all) => received(origin.read(...all)) };
  const live = composeLive(services, heard, findMedia, library);
  const health = createStoreHealth(timers, warn);
  const sessions = monitoredSessions(sqlSessions(sql), health);
  const viewers = createViewers(sessions, health, 1000, () => {});
  const spool = createShownBreakSpool(createFileSpool(folder, { maxBytes: 1e6 }), () => {});
  const shown = createShownBreaks({ spool, sessions, log: warn });
  const requests = createAdRequests({ requestAds, sessions, now, timers, log: warn });
  const demandOf = createDemands(async () => new Map());
  const prefetcher = createPrefetcher({
    ...{ requests, requestAds, demandOf, sessions, library, health, now, log: warn },
    onStep: () => {},
  });
  const decider = createBreakDecider({
    ...{
      ...{ requests, prefetcher, demandOf },
      sessions,
      viewers,
      health,
      shown,
    },
    ...{
      library,
      now,
      timers,
      log: warn,
      chooseCounted: uncounted,
      readCounts: async () => undefined,
      callErrorUrls: () => {},
      callNotices: () => {},
      ...(onRecorded && { onRecorded }),
    },
  });
  const cache = createAiringCache({
    ...{ live: live.channels, channels: sqlChannels(sql), findMedia, timers, log: warn },
    source: { versions: async () => [], load: async () => undefined },
    offAirReason: () => 'The channel is not on air.',
  });
  const viewings = createViewings({ airings: cache, viewers, sessions, decider, vod: noVod });
  const ignore = () => {};
  const tasks = [
    [1000, () => health.track(cache.refresh)],
    [2000, () => shown.record()],
    [15_000, () => viewers.flushSeen(now())],
    [2000, () => viewers.flushStarted(now())],
    [15_000, () => (health.availableFor() > 45_000 ? sessions.expire(millis(now() - SESSION_TTL_MS)) : undefined)],
  ] as const;
  for (const [every, task] of tasks) {
    let isRunning = false;
    timers.every(every, () => {
      if (isRunning) return;
      isRunning = true;
      const end = () => {
        isRunning = false;
      };
      Promise.resolve(task()).then(end, end).catch(ignore);
    });
  }

  return {
    process,
    refresh: () => cache.refresh(),
    async open(channelId, format) {
      const [enabled] = cache.named(channelId);
      const life = enabled?.live?.lifeFor(format);
      if (life !== undefined) await enabled!.live!.use(life);
      const airing = airingOf(enabled!, format);
      const opening = { format, parameters: {}, viewer: { address: '', userAgent: '' } };
      const viewer = await openSession(airing, opening, sessions, viewers, now());
      beginUpcoming(airing, viewer, decider, now());
      return { session: viewer.session.id, rungs: airing.ladder.rungs.map(({ id }) => id) };
    },
    async view(channelId, sessionId) {
      const at = now();
      const found = await viewings.find(channelId, sessionId, at);
      if (found === undefined || found.kind === 'film') return undefined;
      const { viewer, airing } = found;
      if (!(await viewers.watch(viewer, at))) return undefined;
      return viewAt(airing, viewer, decider, at);
    },
  };
}
