// SPDX-License-Identifier: Apache-2.0
// Installations that publish creatives to a cloud container: conditioned by ffmpeg, uploaded to a real blob server, on
// a clock that the test controls.

import { afterAll, beforeAll, beforeEach } from 'vitest';
import { openAzureContainer } from '../../src/adapters/cloud/azureContainer.ts';
import { createEgressGuard } from '../../src/adapters/http/egressGuard.ts';
import type { Sql } from '../../src/adapters/sql/sql.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import { creativeAsset } from '../../src/ads/creative/conditionedAsset.ts';
import type { ConditionedMedia } from '../../src/ads/creative/creative.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { openSqlite } from '../../src/database.ts';
import { createCloudMedia } from '../../src/platform/systems/rules/cloudMedia.ts';
import { createCloudSystems } from '../../src/platform/systems/rules/cloudSystems.ts';
import {
  createCloudState,
  createContainerWatch,
  createStorageCount,
} from '../../src/platform/systems/rules/containerWatch.ts';
import type { ServedMedia } from '../../src/platform/systems/rules/ports.ts';
import { createPublisher } from '../../src/platform/systems/rules/publisher.ts';
import type { System } from '../../src/platform/systems/rules/system.ts';
import { sqlPublications } from '../../src/platform/systems/store/sqlPublications.ts';
import { millis } from '../../src/time/units.ts';
import { segmentUrl } from '../../src/timeline/asset/segmentUrl.ts';
import { type Conditioning, openConditioning, testLadder, testSource } from '../media/conditioning.ts';
import { type Azurite, startAzurite } from './startAzurite.ts';

const ID = '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11';
const ladder = testLadder({ n: 25, d: 1 }, 48_000);
/** A channel of the system with the container. */
const channel = { id: 'one', tenant: 'acme', systemId: ID } as Channel;

/** Call at the top of a file. The tests share the servers and the creative; each test has its own store. */
export function cloudInstallations() {
  const guard = createEgressGuard({ allow: ['127.0.0.0/8'] });
  let bench: Conditioning;
  let azurite: Azurite;
  let media: ConditionedMedia;
  let sql: Sql;
  let containers = 0;
  beforeAll(async () => {
    [bench, azurite] = await Promise.all([openConditioning(), startAzurite()]);
    await bench.make('spot.mp4', ...testSource(5));
    const conditioned = await bench.condition('spot.mp4', ladder);
    if (conditioned.state !== 'ready') throw new Error(JSON.stringify(conditioned));
    media = conditioned.media;
  });
  afterAll(async () => {
    await Promise.all([bench.close(), azurite.stop(), guard.close()]);
  });
  beforeEach(async () => {
    sql = await openSqlite(':memory:');
    return () => sql.close();
  });

  /** Two processes of one installation, with a manual clock. */
  async function open(mediaStore: ServedMedia = bench.files) {
    containers += 1;
    const settings = { ...azurite.settings, container: `creatives-${containers}` };
    const system = { id: ID, tenant: 'acme', type: 'cloud-media-services', settings } as unknown as System;
    let at = Date.now();
    const now = () => millis(at);
    const store = sqlPublications(sql);
    const logged: string[] = [];
    const log = (message: string, facts: object) => void logged.push(`${message} ${JSON.stringify(facts)}`);
    const makeSystems = () =>
      createCloudSystems({
        channels: { enabled: async () => [{ ...channel, version: 0 }] },
        systems: { find: async (tenant) => (tenant === 'acme' ? { ...system, version: 0 } : undefined) },
        warn: log,
        open: async (target) => openAzureContainer(target, { dispatcher: guard, retryDelayMs: 1, timeoutMs: 60_000 }),
      });
    const [systems, elsewhere] = [makeSystems(), makeSystems()];
    const cloud = createCloudMedia({ systems: elsewhere, store, mediaStore, now, warn: log });
    const counts: { objects: number; bytes: number }[] = [];
    const storage = createStorageCount(systems, ({ objects, bytes }) => counts.push({ objects, bytes }), now);
    const publish = createPublisher({
      systems,
      store,
      mediaStore,
      now,
      timers: systemTimers,
      log,
      stored: storage.add,
    });
    const watch = createContainerWatch({ systems, store, mediaStore, now, log, counted: storage.set });
    await systems.refresh();
    await cloud.refresh();
    return {
      cloud,
      publish,
      watch,
      store,
      counts,
      logged,
      system,
      container: () => systems.all()[0]!.container,
      location: () => systems.all()[0]!.target.location,
      state: createCloudState(store, now),
      pass: (ms: number) => {
        at += ms;
      },
      /** One round of all periodic work. */
      async round() {
        await watch.probe();
        await publish();
        await cloud.refresh();
      },
    };
  }

  /** The URLs that a manifest lists for the creative after content and before content, or after an ad. */
  function listed(frames: number, isAlone = true): string[] {
    const all = (quarters: number) => ladder.rungs.map(() => quarters);
    const sound = isAlone ? { leads: all(4), trails: all(4) } : { leads: all(1) };
    const asset = creativeAsset(media, ladder, frames, '', sound);
    return asset.renditions.flatMap(({ tracks: [track] }) => [
      track!.init!.url,
      ...Array.from({ length: track!.borders.length - 1 }, (_, index) => segmentUrl(track!, index).url),
    ]);
  }

  /** The bytes as this installation serves them. */
  async function servedBytes(path: string): Promise<Uint8Array> {
    const [, , id, frames, rung, file] = path.split('/') as [string, string, string, string, string, string];
    return (await bench.files.openSegment(id, frames, rung, file))!.bytes;
  }

  return { open, listed, servedBytes, channel, ladder, bench: () => bench, azurite: () => azurite, media: () => media };
}
