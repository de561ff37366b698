// SPDX-License-Identifier: Apache-2.0
// Finds the systems that count a channel: the system that the channel names, else the tenant's first system of type ssai. That
// first system also counts what the named system has no report for; a cloud system, for example, has no viewers.
import type { Channel } from '../../../../channels/channel.ts';
import type { ChannelStore } from '../../../../channels/ports.ts';
import type { SystemStore } from '../../../systems/rules/ports.ts';
import { reportNames, type System } from '../../../systems/rules/system.ts';
import type { ReportName } from '../catalogue.ts';

export type ChannelSystems = {
  /** @param tenant the tenant of the channel; undefined: the only tenant that has a channel with this id */
  find(channel: string, report: ReportName, tenant: string | undefined): Promise<readonly System[]>;
};

/** Milliseconds for which a result is cached. */
const CACHE_TTL = 30_000;
const MAX_CACHED = 20_000;

const hasReport = ({ type }: System, report: ReportName): boolean =>
  (reportNames[type] as readonly string[]).includes(report);

export type ChannelSystemsDeps = {
  readonly channels: Pick<ChannelStore, 'find' | 'named'>;
  readonly systems: Pick<SystemStore, 'list'>;
  readonly now: () => number;
};

export function createChannelSystems({ channels, systems, now }: ChannelSystemsDeps): ChannelSystems {
  type Cached = { readonly until: number; readonly candidates: readonly System[] };
  const cache = new Map<string, Cached>();

  async function onlyNamed(channelId: string): Promise<Channel | undefined> {
    const [first, ...others] = await channels.named(channelId);
    return others.length === 0 ? first : undefined;
  }

  async function candidatesFor(channelId: string, hint: string | undefined): Promise<readonly System[]> {
    const name = JSON.stringify([channelId, hint]);
    const cached = cache.get(name);
    if (cached !== undefined && cached.until > now()) return cached.candidates;
    const channel = hint === undefined ? await onlyNamed(channelId) : await channels.find(hint, channelId);
    // Sessions may end after their channel was deleted.
    const tenant = hint ?? channel?.tenant;
    if (tenant === undefined) return [];
    const all = await systems.list(tenant);
    const named = all.find(({ id }) => id === channel?.systemId);
    const own = all.filter(({ type }) => type === 'ssai').at(-1);
    const candidates = [named, own].filter((system) => system !== undefined);
    if (cache.size >= MAX_CACHED) cache.clear();
    cache.set(name, { until: now() + CACHE_TTL, candidates });
    return candidates;
  }

  return {
    async find(channelId, report, tenant) {
      const candidates = (await candidatesFor(channelId, tenant)).filter((system) => hasReport(system, report));
      // Creatives that a cloud system conditions also count for the ssai system.
      const [first] = candidates;
      return first === undefined || first.type === 'ssai' ? candidates.slice(0, 1) : candidates;
    },
  };
}
