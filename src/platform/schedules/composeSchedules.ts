// SPDX-License-Identifier: Apache-2.0
// Composes the schedules of linear channels.
import { sqlSchedules } from '../../adapters/sql/channels/sqlSchedules.ts';
import type { ChannelRef } from '../../channels/channelKey.ts';
import type { PlaylistStore } from '../../channels/ports.ts';
import type { OnAirServices } from '../../composition/composeOnAir.ts';
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { PublicUrls } from '../../http/admin/documentation/documentationRoutes.ts';
import { createGuides, type GuideDeps, type Guides } from '../../planning/schedule/guides.ts';
import { createScheduleDesk } from '../../planning/schedule/scheduleDesk.ts';
import { guideRoute } from './routes/guideRoute.ts';
import { scheduleRoutes } from './routes/scheduleRoutes.ts';

export function composeSchedules(
  { sql, channels, now, timers, warn }: Services,
  onAir: OnAirServices,
  playlists: PlaylistStore,
  shown: GuideDeps['shown'],
  baseUrl: PublicUrls['baseUrl'],
): Part & { readonly guides: Guides } {
  const desk = createScheduleDesk({
    playlists,
    now,
    timers,
    schedules: sqlSchedules(sql),
    assets: onAir.assets,
    findOrigin: onAir.findOrigin,
    onAir: onAir.loadLineup,
    ladderOf: async (channel) => onAir.laddersOf(channel)[0],
    async onChanged(channel) {
      const { tenant, id: channelId } = channel;
      try {
        await onAir.plan(channel, false);
        const record = await channels.find(tenant, channelId);
        if (record?.type === 'vod2live') await onAir.measureSchedule(record);
      } catch (error) {
        warn('planning a changed schedule failed', { tenant, channelId, error });
      }
    },
  });
  const revisionOf = (channel: ChannelRef) => onAir.cache.find(channel)?.airing?.programme.revision;
  const guides = createGuides({ desk, revisionOf, shown, now });
  return { routes: [...scheduleRoutes({ desk, channels, now, baseUrl }), guideRoute(channels, guides)], guides };
}
