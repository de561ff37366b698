// Whose a channel's measurements are: the system that the channel names, else the tenant's own first one of type ssai.
// What the named system has no report for (a cloud system knows of no viewers) is the first one's all the same.
import type { Channel } from '../../channels/channel.ts';
import type { ChannelStore } from '../../channels/ports.ts';
import type { SystemStore } from '../../tenants/ports.ts';
import { reportNames, type System } from '../../tenants/system.ts';
import type { ReportName } from '../catalogue.ts';

export type ChannelSystems = {
  /** @param tenant whose channel it is; undefined: whoever alone has one of this id */
  find(channel: string, report: ReportName, tenant: string | undefined): Promise<readonly System[]>;
};

const KEPT = 30_000;
const MOST = 20_000;

const knows = ({ type }: System, report: ReportName): boolean =>
  (reportNames[type] as readonly string[]).includes(report);

export type ChannelSystemsDeps = {
  readonly channels: Pick<ChannelStore, 'find' | 'named'>;
  readonly systems: Pick<SystemStore, 'list'>;
  readonly now: () => number;
};

export function createChannelSystems({ channels, systems, now }: ChannelSystemsDeps): ChannelSystems {
  type Known = { readonly until: number; readonly candidates: readonly System[] };
  const known = new Map<string, Known>();

  async function onlyNamed(channelId: string): Promise<Channel | undefined> {
    const [first, ...others] = await channels.named(channelId);
    return others.length === 0 ? first : undefined;
  }

  async function look(channelId: string, hint: string | undefined): Promise<readonly System[]> {
    const name = JSON.stringify([channelId, hint]);
    const last = known.get(name);
    if (last !== undefined && last.until > now()) return last.candidates;
    const channel = hint === undefined ? await onlyNamed(channelId) : await channels.find(hint, channelId);
    // A channel that is gone was its tenant's: sessions end a while after it.
    const tenant = hint ?? channel?.tenant;
    if (tenant === undefined) return [];
    const all = await systems.list(tenant);
    const named = all.find(({ id }) => id === channel?.systemId);
    const own = all.filter(({ type }) => type === 'ssai').at(-1);
    const candidates = [named, own].filter((system) => system !== undefined);
    if (known.size >= MOST) known.clear();
    known.set(name, { until: now() + KEPT, candidates });
    return candidates;
  }

  return {
    async find(channelId, report, tenant) {
      const candidates = (await look(channelId, tenant)).filter((system) => knows(system, report));
      // What a cloud system made of creatives is in the installation's report too.
      const [first] = candidates;
      return first === undefined || first.type === 'ssai' ? candidates.slice(0, 1) : candidates;
    },
  };
}
