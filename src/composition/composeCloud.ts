// The part of the composition that cloud systems need: who publishes, who looks, who is asked where media lie.
import type { Dispatcher } from 'undici';
import { openAzureContainer } from '../adapters/cloud/azureContainer.ts';
import { sqlPublications } from '../adapters/sql/creatives/sqlPublications.ts';
import type { Sql } from '../adapters/sql/sql.ts';
import type { ChannelStore } from '../channels/ports.ts';
import { type CloudMedia, createCloudMedia } from '../cloud/cloudMedia.ts';
import { type CloudState, createCloudState } from '../cloud/cloudState.ts';
import { createCloudSystems } from '../cloud/cloudSystems.ts';
import { createContainerWatch } from '../cloud/containerWatch.ts';
import type { ServedMedia } from '../cloud/ports.ts';
import { createPublisher } from '../cloud/publisher.ts';
import { createStorageCount, type StorageCount } from '../cloud/storageCount.ts';
import type { SystemStore } from '../tenants/ports.ts';
import type { Timers } from '../time/clock.ts';
import type { Millis } from '../time/units.ts';
import { type Chore, repeatedly } from './repeatedly.ts';

type Deps = {
  readonly sql: Sql;
  readonly channels: ChannelStore;
  readonly systems: SystemStore;
  readonly mediaStore: ServedMedia;
  readonly guard: Dispatcher;
  readonly now: () => Millis;
  readonly timers: Timers;
  readonly info: (message: string, facts: Record<string, unknown>) => void;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** What a system's container holds. */
  readonly stored: StorageCount['told'];
};

export type Cloud = {
  readonly media: CloudMedia;
  readonly stateOf: CloudState;
  /** Looks for what has been published, and, where `publishes`, publishes. */
  start(publishes: boolean): Promise<Chore[]>;
};

/** Milliseconds. */
const REFRESH = 1000;
const PUBLISH = 1000;
const PROBE = 5000;
const COUNT = 300_000;
const COUNT_FIRST = 10_000;

export function composeCloud(deps: Deps): Cloud {
  const { sql, channels, mediaStore, guard, now, timers, info, warn } = deps;
  const store = sqlPublications(sql);
  const systems = createCloudSystems({
    channels,
    systems: deps.systems,
    open: (target) => openAzureContainer(target, { dispatcher: guard }),
    warn,
  });
  const media = createCloudMedia({ systems, store, mediaStore, now, warn });
  const storage = createStorageCount(systems, deps.stored, now);
  const publish = createPublisher({ systems, store, mediaStore, now, timers, log: info, stored: storage.add });
  const watch = createContainerWatch({ systems, store, mediaStore, now, log: info, counted: storage.set });
  let countedAt = 0;
  const count = async () => {
    const isNew = systems.all().some(({ target }) => !storage.knows(target.location));
    if (now() - countedAt < (isNew ? COUNT_FIRST : COUNT)) return;
    countedAt = now();
    await watch.count();
  };
  return {
    media,
    stateOf: createCloudState(store, now),
    async start(publishes) {
      await media.refresh().catch((error: unknown) => warn('what is published could not be read', { error }));
      const chores = [repeatedly(timers, 'reading what is published', REFRESH, media.refresh, warn)];
      if (!publishes) return chores;
      return [
        ...chores,
        repeatedly(timers, 'publishing creatives', PUBLISH, publish, warn),
        repeatedly(timers, 'looking at containers', PROBE, watch.probe, warn),
        repeatedly(timers, 'counting what containers hold', COUNT_FIRST / 5, count, warn),
      ];
    },
  };
}
