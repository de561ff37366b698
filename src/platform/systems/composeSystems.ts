// SPDX-License-Identifier: Apache-2.0
// Composes systems: their records, and what publishes creatives to the containers of some.

import type { Dispatcher } from 'undici';
import type { BlobContainer, SharedContainer } from '../../blobs/ports.ts';
import type { Services } from '../../composition/openServices.ts';
import type { Part } from '../../composition/part.ts';
import type { SystemNames } from '../../http/admin/routes/ports.ts';
import type { DiscardRecord } from '../../http/admin/routes/record.ts';
import { isSystemId } from './contract/systemContract.ts';
import { systemRoutes } from './routes/systemRoutes.ts';
import { createCloudMedia } from './rules/cloudMedia.ts';
import { createCloudSystems } from './rules/cloudSystems.ts';
import type { CloudTarget } from './rules/cloudTarget.ts';
import { createCloudState, createContainerWatch, createStorageCount, type StoredData } from './rules/containerWatch.ts';
import type { ServedMedia, SystemStore } from './rules/ports.ts';
import { createPublisher } from './rules/publisher.ts';
import type { System, SystemState } from './rules/system.ts';
import { sqlPublications } from './store/sqlPublications.ts';

type States = (system: System) => Promise<SystemState | undefined> | SystemState | undefined;

/** @param states each describes the systems that it knows */
export const composeSystems = (
  { now }: Services,
  systems: SystemStore,
  discard: DiscardRecord,
  states: readonly States[],
): Part => ({
  routes: systemRoutes({
    systems,
    async systemState(system) {
      for (const stateOf of states) {
        const state = await stateOf(system);
        if (state !== undefined) return state;
      }
      return undefined;
    },
    discard,
    now,
  }),
});

/** What the routes of channels need of systems. */
export const systemNames = (systems: Pick<SystemStore, 'find' | 'list'>): SystemNames => ({
  has: async (tenant, id) => isSystemId(id) && (await systems.find(tenant, id)) !== undefined,
  list: systems.list,
});

type Core = {
  readonly systems: SystemStore;
  readonly mediaStore: ServedMedia;
  /** The container of the installation, for channels without a system of their own. */
  readonly installation: SharedContainer | undefined;
  /** Receives the size of a system's container. */
  readonly stored: (data: StoredData) => void;
};

const PUBLISH_INTERVAL_MS = 1000;
const PROBE_INTERVAL_MS = 5000;
const COUNT_INTERVAL_MS = 300_000;
/** The interval until the container of every system was counted once. */
const FIRST_COUNT_INTERVAL_MS = 10_000;

/** Loads the client of the storage account when the first system needs it: most installations have none. */
async function openContainer(target: CloudTarget, dispatcher: Dispatcher): Promise<BlobContainer> {
  const { openAzureContainer } = await import('../../adapters/cloud/azureContainer.ts');
  return openAzureContainer(target, { dispatcher });
}

export function composeCloud(
  { sql, channels, guard, log, now, timers, warn }: Services,
  { systems: systemStore, mediaStore, installation, stored }: Core,
) {
  const store = sqlPublications(sql);
  const info = (message: string, facts: Record<string, unknown>) => log.info(facts, message);
  const systems = createCloudSystems({
    channels,
    systems: systemStore,
    open: (target) => openContainer(target, guard),
    installation,
    warn,
  });
  const media = createCloudMedia({ systems, store, mediaStore, now, warn });
  const storage = createStorageCount(systems, stored, now);
  const publish = createPublisher({ systems, store, mediaStore, now, timers, log: info, stored: storage.add });
  const watch = createContainerWatch({ systems, store, mediaStore, now, log: info, counted: storage.set });
  let countedAt = 0;
  const count = async () => {
    const isNew = systems.all().some(({ target }) => !storage.isCounted(target.location));
    if (now() - countedAt < (isNew ? FIRST_COUNT_INTERVAL_MS : COUNT_INTERVAL_MS)) return;
    countedAt = now();
    await watch.count();
  };
  const part: Part = {
    notices: [{ name: 'reading publications', topics: ['channels', 'systems', 'publications'], read: media.refresh }],
    tasks: [
      { name: 'publishing creatives', everyMs: PUBLISH_INTERVAL_MS, run: publish },
      { name: 'checking containers', everyMs: PROBE_INTERVAL_MS, run: watch.probe },
      { name: 'measuring containers', everyMs: FIRST_COUNT_INTERVAL_MS / 5, run: count },
    ],
  };
  /** `media`: the URLs of published media. */
  return { media, stateOf: createCloudState(store, now), part };
}
