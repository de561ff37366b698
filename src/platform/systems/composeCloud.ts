// SPDX-License-Identifier: Apache-2.0
// Composes cloud systems: publishing creatives to containers, checking containers, and the URLs of published media.
import type { Dispatcher } from 'undici';
import { sqlPublications } from './store/sqlPublications.ts';
import type { Sql } from '../../adapters/sql/sql.ts';
import type { ChannelStore } from '../../channels/ports.ts';
import { type CloudMedia, createCloudMedia } from './cloud/cloudMedia.ts';
import { type CloudState, createCloudState } from './cloud/cloudState.ts';
import { type CloudSystem, createCloudSystems } from './cloud/cloudSystems.ts';
import type { CloudTarget } from './cloud/cloudTarget.ts';
import { createContainerWatch } from './cloud/containerWatch.ts';
import type { BlobContainer, ServedMedia } from './cloud/ports.ts';
import { createPublisher } from './cloud/publisher.ts';
import { createStorageCount, type StoredData } from './cloud/storageCount.ts';
import type { SystemStore } from '../access/rules/ports.ts';
import type { Timers } from '../../time/clock.ts';
import type { Millis } from '../../time/units.ts';
import { type PeriodicTask, startPeriodicTask } from '../../composition/periodicTask.ts';

type Deps = {
  readonly sql: Sql;
  readonly channels: ChannelStore;
  readonly systems: SystemStore;
  readonly mediaStore: ServedMedia;
  /** The container of the installation, for channels without a system of their own. */
  readonly installation?: CloudSystem | undefined;
  readonly guard: Dispatcher;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly info: (message: string, facts: Record<string, unknown>) => void;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Receives the size of a system's container. */
  readonly stored: (data: StoredData) => void;
};

export type Cloud = {
  readonly media: CloudMedia;
  readonly stateOf: CloudState;
  /** @param publishes whether this process also publishes and checks containers */
  start(publishes: boolean): Promise<PeriodicTask[]>;
};

const PUBLISH_INTERVAL_MS = 1000;
const PROBE_INTERVAL_MS = 5000;
const COUNT_INTERVAL_MS = 300_000;
/** Until the container of every system was counted once. */
const FIRST_COUNT_INTERVAL_MS = 10_000;

/** Loads the client of the storage account when the first system needs it: most installations have none. */
async function openContainer(target: CloudTarget, dispatcher: Dispatcher): Promise<BlobContainer> {
  const { openAzureContainer } = await import('../../adapters/cloud/azureContainer.ts');
  return openAzureContainer(target, { dispatcher });
}

export function composeCloud(deps: Deps): Cloud {
  const { sql, channels, mediaStore, guard, now, timers, info, warn } = deps;
  const store = sqlPublications(sql);
  const systems = createCloudSystems({
    channels,
    systems: deps.systems,
    open: (target) => openContainer(target, guard),
    installation: deps.installation,
    warn,
  });
  const media = createCloudMedia({ systems, store, mediaStore, now, warn });
  const storage = createStorageCount(systems, deps.stored, now);
  const publish = createPublisher({ systems, store, mediaStore, now, timers, log: info, stored: storage.add });
  const watch = createContainerWatch({ systems, store, mediaStore, now, log: info, counted: storage.set });
  let countedAt = 0;
  const count = async () => {
    const isNew = systems.all().some(({ target }) => !storage.isCounted(target.location));
    if (now() - countedAt < (isNew ? FIRST_COUNT_INTERVAL_MS : COUNT_INTERVAL_MS)) return;
    countedAt = now();
    await watch.count();
  };
  return {
    media,
    stateOf: createCloudState(store, now),
    async start(publishes) {
      await media.refresh().catch((error: unknown) => warn('reading publications failed', { error }));
      if (!publishes) return [];
      return [
        startPeriodicTask(timers, 'publishing creatives', PUBLISH_INTERVAL_MS, publish, warn),
        startPeriodicTask(timers, 'checking containers', PROBE_INTERVAL_MS, watch.probe, warn),
        startPeriodicTask(timers, 'measuring containers', FIRST_COUNT_INTERVAL_MS / 5, count, warn),
      ];
    },
  };
}
