// SPDX-License-Identifier: Apache-2.0
// The cloud systems of the channels on air. They are read from the stores periodically, so that lookups never wait.
import type { Channel } from '../channels/channel.ts';
import type { ChannelStore } from '../channels/ports.ts';
import type { SystemStore } from '../tenants/ports.ts';
import type { System } from '../tenants/system.ts';
import { type CloudTarget, readCloudTarget } from './cloudTarget.ts';
import type { BlobContainer, OpenContainer } from './ports.ts';

export type CloudSystem = { readonly system: System; readonly target: CloudTarget; readonly container: BlobContainer };

export type CloudSystems = {
  /** The system of a channel on air. @returns undefined if it has none, or if the settings of the system are invalid */
  of(channel: Pick<Channel, 'tenant' | 'systemId'>): CloudSystem | undefined;
  /** The systems of all channels on air. */
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

  async function read(system: System, before: CloudSystem | undefined): Promise<CloudSystem | undefined> {
    const reading = readCloudTarget(system.settings);
    if (!reading.ok) return undefined;
    const { target } = reading;
    const isSame = before?.target.location === target.location && before.target.key === target.key;
    return { system, target, container: isSame ? before.container : await open(target) };
  }

  /** Returns the previous value if the system cannot be read. */
  async function find(tenant: string, systemId: string): Promise<CloudSystem | undefined> {
    const before = known.get(keyOf(tenant, systemId));
    try {
      const system = await systems.find(tenant, systemId);
      return system?.type === 'cloud-media-services' ? await read(system, before) : undefined;
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
        const found = await find(tenant, systemId!);
        if (found !== undefined) next.set(key, found);
      }
      known = next;
    },
  };
}
