// SPDX-License-Identifier: Apache-2.0
// Composes what partners read about live events (IAB Tech Lab LEAP).

import type { OnAirServices } from '../../composition/composeOnAir.ts';
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { LeapDeps } from './routes/leapRoutes.ts';
import { leapRoutes } from './routes/leapRoutes.ts';
import type { LeapChannel } from './rules/readOnAir.ts';

export function composeLeap(
  { now }: Pick<Services, 'now'>,
  { cache, knownState }: Pick<OnAirServices, 'cache' | 'knownState'>,
  deps: Pick<LeapDeps, 'desk' | 'counts' | 'viewerCounts'>,
): Part {
  /** As this process last read them: partners count every few seconds. */
  const channelsOf = (tenant: string): LeapChannel[] =>
    [...cache.all()].flatMap(({ channel, airing }): LeapChannel[] => {
      if (channel.tenant !== tenant || channel.type === 'vod') return [];
      if (channel.type === 'vod2live')
        return [{ channel, startedAt: airing?.programme.startedAt, programme: airing?.programme }];
      const live = knownState(channel)?.live;
      return [{ channel, startedAt: (live?.hls ?? live?.dash)?.startedAt }];
    });
  return { routes: leapRoutes({ ...deps, channelsOf, now }) };
}
