// Whose a channel's measurements are: the system that the channel names, else the tenant's own first one of type ssai.
// What the named system has no report for (a cloud system knows of no viewers) is the first one's all the same.
import type { ChannelStore } from '../channels/ports.ts';
import type { SystemStore } from '../tenants/ports.ts';
import { reportNames, type System } from '../tenants/system.ts';
import type { ReportName } from './catalogue.ts';

export type SystemsOfChannel = {
  /** None when nobody knows whose the channel was. */
  find(channel: string, report: ReportName, tenant: string | undefined): Promise<readonly System[]>;
};

const KEPT = 30_000;
const MOST = 20_000;

const knows = ({ type }: System, report: ReportName): boolean =>
  (reportNames[type] as readonly string[]).includes(report);

export type SystemsDeps = {
  readonly channels: Pick<ChannelStore, 'find'>;
  readonly systems: Pick<SystemStore, 'list'>;
  readonly now: () => number;
};

export function createSystemsOf({ channels, systems, now }: SystemsDeps): SystemsOfChannel {
  type Known = { readonly until: number; readonly candidates: readonly System[] };
  const known = new Map<string, Known>();
  const lastTenants = new Map<string, string>();

  async function look(channelId: string, hint: string | undefined): Promise<readonly System[]> {
    const name = JSON.stringify([channelId, hint]);
    const last = known.get(name);
    if (last !== undefined && last.until > now()) return last.candidates;
    const channel = await channels.find(channelId);
    // A channel that is gone was its tenant's, also when its id is another's by now: sessions end a while after it.
    const tenant = hint ?? channel?.tenant ?? lastTenants.get(channelId);
    if (tenant === undefined) return [];
    const all = await systems.list(tenant);
    const named = channel?.tenant === tenant ? all.find(({ id }) => id === channel.systemId) : undefined;
    const own = all.filter(({ type }) => type === 'ssai').at(-1);
    const candidates = [named, own].filter((system) => system !== undefined);
    if (known.size >= MOST) {
      known.clear();
      lastTenants.clear();
    }
    known.set(name, { until: now() + KEPT, candidates });
    lastTenants.set(channelId, tenant);
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
