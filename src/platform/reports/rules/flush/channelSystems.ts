// SPDX-License-Identifier: Apache-2.0
// Finds the systems that count a channel: the system that the channel names, else the tenant's first system of type ssai. That
// first system also counts what the named system has no report for; a cloud system, for example, has no viewers.
import { type ChannelRef, channelKey } from '../../../../channels/channelKey.ts';
import type { ChannelStore } from '../../../../channels/ports.ts';
import type { SystemStore } from '../../../systems/rules/ports.ts';
import { reportNames, type System } from '../../../systems/rules/system.ts';
import type { ReportName } from '../catalogue.ts';

export type ChannelSystems = ReturnType<typeof createChannelSystems>;

/** Milliseconds for which a result is cached. */
const CACHE_TTL = 30_000;
const MAX_CACHED = 20_000;

type Deps = {
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly systems: Pick<SystemStore, 'list'>;
  readonly now: () => number;
};

export function createChannelSystems({ channels, systems, now }: Deps) {
  const cache = new Map<string, { readonly until: number; readonly candidates: readonly System[] }>();

  async function candidatesFor({ tenant, id }: ChannelRef): Promise<readonly System[]> {
    const name = channelKey({ tenant, id });
    const cached = cache.get(name);
    if (cached !== undefined && cached.until > now()) return cached.candidates;
    // Sessions may end after their channel was deleted.
    const channel = await channels.find(tenant, id);
    const all = await systems.list(tenant);
    const named = all.find((system) => system.id === channel?.systemId);
    const own = all.filter(({ type }) => type === 'ssai').at(-1);
    const candidates = [named, own].filter((system) => system !== undefined);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(name, { until: now() + CACHE_TTL, candidates });
    return candidates;
  }

  return {
    async find(channel: ChannelRef, report: ReportName): Promise<readonly System[]> {
      const known = await candidatesFor(channel);
      const candidates = known.filter(({ type }) => (reportNames[type] as readonly string[]).includes(report));
      // Creatives that a cloud system conditions also count for the ssai system.
      return candidates[0]?.type === 'ssai' ? candidates.slice(0, 1) : candidates;
    },
  };
}
