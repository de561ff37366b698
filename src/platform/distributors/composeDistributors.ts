// SPDX-License-Identifier: Apache-2.0
// Composes the distributors of channels.
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { Distribution, FindDistribution } from '../../http/live/distributors/distribution.ts';
import { distributorRoutes } from './routes/distributorRoutes.ts';
import type { Distributor } from './rules/distributor.ts';
import { createDistributorKeys } from './rules/distributorKeys.ts';
import { sqlDistributors } from './store/sqlDistributors.ts';

const NOTE_USES_MS = 60_000;

const distributionOf = ({ tenant, channelId, markersOut, markersOutAhead, guide, slateManifestUrl }: Distributor) =>
  ({
    channel: { tenant, id: channelId },
    markersOut,
    markersOutAhead,
    listsFiller: guide?.listFiller ?? false,
    slateManifestUrl,
  }) satisfies Distribution;

export function composeDistributors({ sql, channels, now }: Services): Part & { readonly find: FindDistribution } {
  const distributors = sqlDistributors(sql);
  const keys = createDistributorKeys({ store: distributors, now });
  return {
    find: async (channelId, key) => {
      const distributor = await keys.find(channelId, key);
      return distributor && distributionOf(distributor);
    },
    routes: distributorRoutes({ distributors, channels, now, changed: keys.changed }),
    notices: [{ name: 'reading distributors', topics: ['distributors'], read: async () => keys.changed() }],
    tasks: [{ name: 'storing when distributors made requests', everyMs: NOTE_USES_MS, run: keys.flush, where: 'live' }],
    finalSteps: { storing: { 'storing when distributors made requests': keys.flush } },
  };
}
