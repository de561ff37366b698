// SPDX-License-Identifier: Apache-2.0
// Sums of a report over a time range, by channel or by creative, from the systems that count them.
import type { Channel } from '../../../../channels/channel.ts';
import type { Millis } from '../../../../time/units.ts';
import type { SystemStore } from '../../../systems/rules/ports.ts';
import { reportNames, type System, systemKey } from '../../../systems/rules/system.ts';
import type { Dimension, ReportName } from '../catalogue.ts';
import type { ChannelSystems } from '../flush/channelSystems.ts';
import type { ReportStore, StoreQuery } from '../ports.ts';

/** The amounts of a report by name (catalogue.ts). */
export type Counts = Readonly<Record<string, number>>;
export type TimeRange = { readonly start: Millis; readonly end: Millis };

type Deps = {
  readonly channelSystems: ChannelSystems;
  readonly systems: Pick<SystemStore, 'list'>;
  readonly reportStore: (system: System) => ReportStore;
};

/** From this many channels on, those of the whole system are read at once. */
const MANY_CHANNELS = 8;
const MAX_CELLS = 100_000;

export type RecentCounts = ReturnType<typeof createRecentCounts>;

export function createRecentCounts({ channelSystems, systems, reportStore }: Deps) {
  /** The system that counts each channel. */
  async function bySystem(report: ReportName, some: readonly Channel[]) {
    const groups = new Map<string, { system: System; channels: Channel[] }>();
    for (const channel of some) {
      const [system] = await channelSystems.find(channel, report);
      if (system === undefined) continue;
      const group = groups.get(system.id) ?? { system, channels: [] };
      group.channels.push(channel);
      groups.set(system.id, group);
    }
    return [...groups.values()];
  }

  const queryOf = (system: System, report: ReportName, { start, end }: TimeRange): StoreQuery => ({
    system: systemKey(system),
    report,
    start,
    end,
    interval: end - start,
  });

  return {
    /** Channels without counts are absent. */
    async byChannel(
      report: ReportName,
      some: readonly Channel[],
      range: TimeRange,
    ): Promise<ReadonlyMap<string, Counts>> {
      const found = new Map<string, Counts>();
      for (const { system, channels: counted } of await bySystem(report, some)) {
        const store = reportStore(system);
        const query = queryOf(system, report, range);
        if (counted.length >= MANY_CHANNELS) {
          const ids = new Set(counted.map(({ id }) => id));
          for (const { key, amounts } of await store.read({ ...query, by: 'channel' }, MAX_CELLS))
            if (ids.has(key)) found.set(key, amounts);
        } else {
          for (const { id } of counted)
            for (const { row, amounts } of await store.read({ ...query, channels: [id] }, 2))
              if (row === 0) found.set(id, amounts);
        }
      }
      return found;
    },
    /** Of all systems of a tenant that have the report. */
    async by(
      dimension: Dimension,
      tenant: string,
      report: ReportName,
      range: TimeRange,
    ): Promise<ReadonlyMap<string, Counts>> {
      const found = new Map<string, Record<string, number>>();
      for (const system of await systems.list(tenant)) {
        if (!(reportNames[system.type] as readonly string[]).includes(report)) continue;
        const cells = await reportStore(system).read({ ...queryOf(system, report, range), by: dimension }, MAX_CELLS);
        for (const { key, amounts } of cells) {
          const sums = found.get(key) ?? {};
          for (const [name, amount] of Object.entries(amounts)) sums[name] = (sums[name] ?? 0) + amount;
          found.set(key, sums);
        }
      }
      return found;
    },
  };
}
