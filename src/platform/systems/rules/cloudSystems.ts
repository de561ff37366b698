// SPDX-License-Identifier: Apache-2.0
// The cloud systems of the channels on air. They are read from the stores periodically, so that lookups never wait.

import type { BlobContainer, SharedContainer } from '../../../blobs/ports.ts';
import type { Channel } from '../../../channels/channel.ts';
import type { ChannelStore } from '../../../channels/ports.ts';
import type { Millis } from '../../../time/units.ts';
import { type CloudTarget, readCloudTarget } from './cloudTarget.ts';
import type { PublicationStore, ServedMedia, SystemStore } from './ports.ts';
import type { System } from './system.ts';

export type CloudSystem = SharedContainer & {
  /** Absent for the container of the installation, which all channels without a system of their own use. */
  readonly system?: Pick<System, 'id' | 'tenant'>;
};

export type CloudSystems = {
  /**
   * The system of a channel on air, or else the container of the installation.
   * @returns undefined if there is neither, or if the settings of the system are invalid
   */
  of(channel: Pick<Channel, 'tenant' | 'systemId'>): CloudSystem | undefined;
  /** The systems of all channels on air, and the container of the installation. */
  all(): readonly CloudSystem[];
  refresh(): Promise<void>;
};

/** What all that works on containers needs. */
export type CloudDeps = {
  readonly systems: CloudSystems;
  readonly store: PublicationStore;
  readonly mediaStore: ServedMedia;
  readonly now: () => Millis;
};

type Deps = {
  readonly channels: Pick<ChannelStore, 'enabled'>;
  readonly systems: Pick<SystemStore, 'find'>;
  readonly open: (target: CloudTarget) => Promise<BlobContainer>;
  /** MEDIA_URL, if players are redirected there. */
  readonly installation?: CloudSystem | undefined;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

const keyOf = (tenant: string, systemId: string): string => `${tenant} ${systemId}`;

type OwnSystem = CloudSystem & { readonly target: CloudTarget };

export function createCloudSystems({ channels, systems, open, installation, warn }: Deps): CloudSystems {
  let known = new Map<string, OwnSystem>();

  async function read(system: System, before: OwnSystem | undefined): Promise<OwnSystem | undefined> {
    const reading = readCloudTarget(system.settings);
    if (!reading.ok) return undefined;
    const { target } = reading;
    const isSame = before?.target.location === target.location && before.target.key === target.key;
    return { system, target, container: isSame ? before.container : await open(target) };
  }

  /** Returns the previous value if the system cannot be read. */
  async function find(tenant: string, systemId: string): Promise<OwnSystem | undefined> {
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
    of: ({ tenant, systemId }) => (systemId && known.get(keyOf(tenant, systemId))) || installation,
    all: () => [...known.values(), ...(installation ? [installation] : [])],
    async refresh() {
      const next = new Map<string, OwnSystem>();
      const seen = new Set<string>();
      for (const { tenant, systemId = '' } of await channels.enabled()) {
        const key = keyOf(tenant, systemId);
        if (systemId === '' || seen.has(key)) continue;
        seen.add(key);
        const found = await find(tenant, systemId);
        if (found !== undefined) next.set(key, found);
      }
      known = next;
    },
  };
}
