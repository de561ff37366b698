// Which channels keep their creatives in whose container: read from the stores now and then, and never waited for.
import type { Channel } from '../channels/channel.ts';
import type { ChannelStore } from '../channels/ports.ts';
import type { SystemStore } from '../tenants/ports.ts';
import type { System } from '../tenants/system.ts';
import { type CloudTarget, readCloudTarget } from './cloudTarget.ts';
import type { BlobContainer, OpenContainer } from './ports.ts';

export type CloudSystem = { readonly system: System; readonly target: CloudTarget; readonly container: BlobContainer };

export type CloudSystems = {
  /** Of a channel on air; undefined when it has none, or one whose settings cannot be meant. */
  of(channel: Pick<Channel, 'tenant' | 'systemId'>): CloudSystem | undefined;
  /** Those that a channel on air names. */
  all(): readonly CloudSystem[];
  refresh(): Promise<void>;
};

type Deps = {
  readonly channels: Pick<ChannelStore, 'enabled'>;
  readonly systems: Pick<SystemStore, 'find'>;
  readonly open: OpenContainer;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

const keyOf = (tenant: string, systemId: string): string => `${tenant} ${systemId}`;

export function createCloudSystems({ channels, systems, open, warn }: Deps): CloudSystems {
  let known = new Map<string, CloudSystem>();

  function read(system: System, before: CloudSystem | undefined): CloudSystem | undefined {
    const reading = readCloudTarget(system.settings);
    if (!reading.ok) return undefined;
    const { target } = reading;
    const isSame = before?.target.location === target.location && before.target.key === target.key;
    return { system, target, container: isSame ? before.container : open(target) };
  }

  /** One that cannot be read just now is believed to be as it was. */
  async function look(tenant: string, systemId: string): Promise<CloudSystem | undefined> {
    const before = known.get(keyOf(tenant, systemId));
    try {
      const system = await systems.find(tenant, systemId);
      return system?.type === 'cloud-media-services' ? read(system, before) : undefined;
    } catch (error) {
      warn('a system could not be read', { systemId, error });
      return before;
    }
  }

  return {
    of: ({ tenant, systemId }) => (systemId === undefined ? undefined : known.get(keyOf(tenant, systemId))),
    all: () => [...known.values()],
    async refresh() {
      const next = new Map<string, CloudSystem>();
      const seen = new Set<string>();
      for (const { tenant, systemId } of await channels.enabled()) {
        const key = systemId === undefined ? undefined : keyOf(tenant, systemId);
        if (key === undefined || seen.has(key)) continue;
        seen.add(key);
        const found = await look(tenant, systemId!);
        if (found !== undefined) next.set(key, found);
      }
      known = next;
    },
  };
}
