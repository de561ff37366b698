// SPDX-License-Identifier: Apache-2.0
// Composes what partners read about live events (IAB Tech Lab LEAP).
import { sqlSchedules } from '../../adapters/sql/channels/sqlSchedules.ts';
import type { Core } from '../../composition/composeCore.ts';
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import { projectSchedule } from '../../planning/schedule/projectSchedule.ts';
import { withoutImports } from '../../planning/schedule/scheduleDesk.ts';
import { type LeapDeps, leapRoutes } from './routes/leapRoutes.ts';
import type { LeapChannel } from './rules/readOnAir.ts';

export function composeLeap(
  { sql, now, timers }: Services,
  { onAir: { cache, knownState, assets, loadLineup }, playlists }: Pick<Core, 'onAir' | 'playlists'>,
  counts: Pick<LeapDeps, 'counts' | 'viewerCounts'>,
): Part {
  const { find, byId, entries } = sqlSchedules(sql);
  /** A request of a partner reads no origins. What a live entry shows does not depend on its origin before it is on air. */
  const projecting = {
    assets: withoutImports(assets),
    findOrigin: async () => ({ problem: 'it is not analysed for a forecast' }),
    playlists,
    onAir: loadLineup,
    now,
    timers,
  };
  const project: LeapDeps['desk']['project'] = async (channel, range) => {
    const stored = await find(channel);
    return stored && projectSchedule(projecting, channel, stored.settings, { entries }, range);
  };
  /** The channels as this process last read them. */
  const channelsOf = (tenant: string): LeapChannel[] =>
    [...cache.all()].flatMap(({ channel, airing }): LeapChannel[] => {
      if (channel.tenant !== tenant || channel.type === 'vod') return [];
      if (channel.type === 'vod2live')
        return [{ channel, startedAt: airing?.programme.startedAt, programme: airing?.programme }];
      const live = knownState(channel)?.live;
      return [{ channel, startedAt: (live?.hls ?? live?.dash)?.startedAt }];
    });
  return { routes: leapRoutes({ ...counts, desk: { find, byId, project }, channelsOf, now }) };
}
