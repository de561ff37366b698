// SPDX-License-Identifier: Apache-2.0
// What alert rules check, from what this process and the stores know.
import { sqlOldestBeacon } from '../../adapters/sql/tracking/sqlOldestBeacon.ts';
import type { Counts } from '../../alerts/judge.ts';
import type { AlertSources } from '../../alerts/ports.ts';
import type { Channel } from '../../channels/channel.ts';
import type { CreativeJobs } from '../../ingest/creatives/creativeJobs.ts';
import type { ReportName } from '../../reports/catalogue.ts';
import { createChannelSystems } from '../../reports/flush/channelSystems.ts';
import type { StoreQuery } from '../../reports/ports.ts';
import { systemKey } from '../../reports/systemKey.ts';
import type { System } from '../../tenants/system.ts';
import type { OnAirServices } from '../composeOnAir.ts';
import type { Services } from '../openServices.ts';

/** From this many channels on, those of the whole system are read at once. */
const MANY_CHANNELS = 8;
const MAX_CELLS = 100_000;

export function alertSources(
  services: Pick<Services, 'sql' | 'channels' | 'systems' | 'reports' | 'now'>,
  onAir: Pick<OnAirServices, 'cache' | 'stateOf' | 'originHealth'>,
  jobs: Pick<CreativeJobs, 'list'>,
): AlertSources {
  const { channels, systems, reports, now } = services;
  const channelSystems = createChannelSystems({ channels, systems, now });

  /** The system that counts each channel. */
  async function bySystem(report: ReportName, some: readonly Channel[]): Promise<Map<System, Channel[]>> {
    const groups = new Map<string, { system: System; channels: Channel[] }>();
    for (const channel of some) {
      const [system] = await channelSystems.find(channel.id, report, channel.tenant);
      if (system === undefined) continue;
      const group = groups.get(system.id) ?? { system, channels: [] };
      group.channels.push(channel);
      groups.set(system.id, group);
    }
    return new Map([...groups.values()].map((group) => [group.system, group.channels]));
  }

  return {
    channels: () => channels.enabled(),
    async counts(report, some, start, end) {
      const found = new Map<string, Counts>();
      for (const [system, counted] of await bySystem(report, some)) {
        const store = reports.storeFor(system);
        const query: StoreQuery = { system: systemKey(system), report, start, end, interval: end - start };
        if (counted.length >= MANY_CHANNELS) {
          const ids = new Set(counted.map(({ id }) => id));
          for (const { key, amounts } of await store.read({ ...query, by: 'channel' }, MAX_CELLS))
            if (ids.has(key)) found.set(key, amounts);
        } else {
          for (const { id } of counted)
            for (const { row, amounts } of await store.read({ ...query, channel: id }, 2))
              if (row === 0) found.set(id, amounts);
        }
      }
      return found;
    },
    async isOnAir(channel) {
      const status = await onAir.stateOf(channel);
      // A channel without any usable content shows slate, and counts as not on air.
      const isFailed = status?.state === 'failed';
      const isOnAir = !isFailed && (channel.type === 'vod' || onAir.cache.find(channel)?.airing !== undefined);
      const reason = status?.stateReason?.replace(/\.$/, '');
      return { isOnAir, ...(isOnAir || reason === undefined ? {} : { reason }) };
    },
    async origins(channel) {
      const { hls, dash } = await onAir.originHealth(channel);
      return [hls, dash].filter((health) => health !== undefined);
    },
    oldestBeacon: sqlOldestBeacon(services.sql),
    async creativeFailure({ tenant, id }) {
      const { items } = await jobs.list(tenant, { state: 'failed', channelId: id }, { offset: 0, limit: 1 });
      return items[0]?.reason;
    },
  };
}
