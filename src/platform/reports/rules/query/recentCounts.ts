// SPDX-License-Identifier: Apache-2.0
// Sums of a report over a time range, by channel or by creative, from the systems that count them.
import type { Channel } from '../../../../channels/channel.ts';
import type { ChannelRef } from '../../../../channels/channelKey.ts';
import { type Millis, millis } from '../../../../time/units.ts';
import type { SystemStore } from '../../../systems/rules/ports.ts';
import { reportNames, type System, systemKey } from '../../../systems/rules/system.ts';
import type { Dimension, ReportName } from '../catalogue.ts';
import type { ChannelSystems } from '../flush/channelSystems.ts';
import type { ReportStore, StoreQuery } from '../ports.ts';
import { addCells, type MutableRollup } from '../rollup.ts';

/** The amounts of a report by name (catalogue.ts). */
export type Counts = Readonly<Record<string, number>>;
type TimeRange = { readonly start: Millis; readonly end: Millis };

type Deps = {
  readonly channelSystems: ChannelSystems;
  readonly systems: Pick<SystemStore, 'list'>;
  readonly reportStore: (system: System) => ReportStore;
};

const MAX_CELLS = 100_000;

const amountsOf = (sums: ReadonlyMap<string, MutableRollup>): Map<string, Counts> =>
  new Map([...sums].map(([key, { amounts }]) => [key, amounts]));

export type RecentCounts = ReturnType<typeof createRecentCounts>;

export function createRecentCounts({ channelSystems, systems, reportStore }: Deps) {
  type Selected = TimeRange & Pick<StoreQuery, 'report' | 'by' | 'channels'>;
  const read = (system: System, selected: Selected) =>
    reportStore(system).read(
      { ...selected, system: systemKey(system), interval: selected.end - selected.start },
      MAX_CELLS,
    );

  return {
    /** Channels without counts are absent. */
    async byChannel(
      report: ReportName,
      some: readonly Channel[],
      range: TimeRange,
    ): Promise<ReadonlyMap<string, Counts>> {
      const groups = new Map<string, { readonly system: System; readonly channels: string[] }>();
      for (const channel of some) {
        const [system] = await channelSystems.find(channel, report);
        if (system === undefined) continue;
        const group = groups.get(system.id) ?? { system, channels: [] };
        group.channels.push(channel.id);
        groups.set(system.id, group);
      }
      const sums = new Map<string, MutableRollup>();
      for (const { system, channels } of groups.values())
        addCells(sums, await read(system, { ...range, report, by: 'channel', channels }));
      return amountsOf(sums);
    },
    /**
     * The maximum of an amount in each interval of a range, by its start. Intervals without one are absent.
     * @param range multiples of an hour
     */
    async peaks(
      channel: ChannelRef,
      report: ReportName,
      amount: string,
      range: TimeRange & Pick<StoreQuery, 'interval'>,
    ): Promise<ReadonlyMap<Millis, number>> {
      const [system] = await channelSystems.find(channel, report);
      if (system === undefined) return new Map();
      const query = { ...range, system: systemKey(system), report, channels: [channel.id] };
      const cells = await reportStore(system).read(query, MAX_CELLS);
      return new Map(
        cells.flatMap(({ row, peaks: { [amount]: peak } }) =>
          peak === undefined ? [] : [[millis(range.start + row * range.interval), peak]],
        ),
      );
    },
    /** Of all systems of a tenant that have the report. */
    async by(
      dimension: Dimension,
      tenant: string,
      report: ReportName,
      range: TimeRange,
    ): Promise<ReadonlyMap<string, Counts>> {
      const sums = new Map<string, MutableRollup>();
      for (const system of await systems.list(tenant))
        if ((reportNames[system.type] as readonly string[]).includes(report))
          addCells(sums, await read(system, { ...range, report, by: dimension }));
      return amountsOf(sums);
    },
  };
}
