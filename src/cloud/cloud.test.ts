// Creatives in the container of a system: made by ffmpeg, brought to a real blob server, read as players read them.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Conditioning, openConditioning, testLadder, testSource } from '../../test/conditioning.ts';
import { type Azurite, startAzurite } from '../../test/startAzurite.ts';
import { openAzureContainer } from '../adapters/azureContainer.ts';
import { createEgressGuard } from '../adapters/egressGuard.ts';
import { createMediaFiles } from '../adapters/mediaFiles.ts';
import { openSqlite, type Sql } from '../adapters/sql.ts';
import { sqlPublications } from '../adapters/sqlPublications.ts';
import { creativeAsset } from '../ads/conditionedAsset.ts';
import type { ConditionedMedia } from '../ads/creative.ts';
import type { Channel } from '../channels/channel.ts';
import type { System } from '../tenants/system.ts';
import { millis } from '../time/units.ts';
import { segmentUrl } from '../timeline/segmentUrl.ts';
import { createCloudMedia } from './cloudMedia.ts';
import { createCloudState } from './cloudState.ts';
import { createCloudSystems } from './cloudSystems.ts';
import { createContainerWatch } from './containerWatch.ts';
import type { ShelvedMedia } from './ports.ts';
import { createPublisher } from './publisher.ts';
import { createStorageCount } from './storageCount.ts';

const HOUR = 3_600_000;
const rate = { n: 25, d: 1 };
const guard = createEgressGuard({ allow: ['127.0.0.0/8'] });
let bench: Conditioning;
let azurite: Azurite;
let media: ConditionedMedia;
const ladder = testLadder(rate, 48_000);
beforeAll(async () => {
  [bench, azurite] = await Promise.all([openConditioning(), startAzurite()]);
  await bench.make('spot.mp4', ...testSource(5));
  const made = await bench.condition('spot.mp4', ladder);
  if (made.state !== 'ready') throw new Error(JSON.stringify(made));
  media = made.media;
});
afterAll(async () => {
  await Promise.all([bench.close(), azurite.stop(), guard.close()]);
});

const ID = '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11';
const channel = { id: 'one', tenant: 'acme', systemId: ID } as Channel;
let sql: Sql;
let containers = 0;

/** Two processes of one installation, whose clock the test turns. */
async function open(shelf: ShelvedMedia = bench.files) {
  containers += 1;
  const settings = { ...azurite.settings, container: `films-${containers}` };
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
      open: (target) => openAzureContainer(target, { dispatcher: guard, retryDelayMs: 1, timeoutMs: 5000 }),
    });
  const [systems, elsewhere] = [makeSystems(), makeSystems()];
  const cloud = createCloudMedia({ systems: elsewhere, store, shelf, now, warn: log });
  const told: { objects: number; bytes: number }[] = [];
  const storage = createStorageCount(systems, ({ objects, bytes }) => told.push({ objects, bytes }), now);
  const publish = createPublisher({ systems, store, shelf, now, log, stored: storage.add });
  const watch = createContainerWatch({ systems, store, shelf, now, log, counted: storage.set });
  await systems.refresh();
  await cloud.refresh();
  return {
    cloud,
    publish,
    watch,
    store,
    told,
    logged,
    system,
    container: () => systems.all()[0]!.container,
    location: () => systems.all()[0]!.target.location,
    state: createCloudState(store, now),
    pass: (ms: number) => {
      at += ms;
    },
    /** One round of everything that is done again and again. */
    async round() {
      await watch.probe();
      await publish();
      await cloud.refresh();
    },
  };
}
beforeEach(async () => {
  sql = await openSqlite(':memory:');
  return () => sql.close();
});

/** What a manifest lists of the creative, init sections first. */
function listed(frames: number): string[] {
  const asset = creativeAsset(media, ladder, frames, '');
  return asset.renditions.flatMap(({ tracks: [track] }) => [
    track!.init!.url,
    ...Array.from({ length: track!.borders.length - 1 }, (_, index) => segmentUrl(track!, index).url),
  ]);
}

async function bytesHere(path: string): Promise<Uint8Array> {
  const [, , id, frames, rung, file] = path.split('/') as [string, string, string, string, string, string];
  return (await bench.files.openSegment(id, frames, rung, file))!.bytes;
}

describe('a creative', () => {
  test('is served from here until all of it is in the container, then from there, byte for byte, at every length', async () => {
    const here = await open();
    const lengths = [media.frames, media.frames + 7, media.frames - 3];
    const paths = lengths.flatMap(listed);
    expect(paths.map((path) => here.cloud.urlOf(channel, path)).filter(Boolean)).toEqual([]);
    await here.watch.probe();
    await here.watch.count();
    await here.round();
    await here.round();
    for (const path of paths) {
      const url = here.cloud.urlOf(channel, path);
      expect(url, path).toMatch(/\/films-\d+\/m\/.*sig=/);
      const answer = await fetch(url!, { headers: { origin: 'https://page.example' } });
      expect(answer.status, path).toBe(200);
      expect(answer.headers.get('content-type')).toBe(path.includes('/a0/') ? 'audio/mp4' : 'video/mp4');
      expect(Buffer.compare(new Uint8Array(await answer.arrayBuffer()), await bytesHere(path)), path).toBe(0);
    }
    // Lengths share all but the last segment of each rung; a probe lies beside them.
    const listing = await here.container().list('m/');
    if (!listing.ok) throw new Error(listing.reason);
    const [whole] = lengths.map((frames) => listed(frames).length);
    expect(listing.value).toHaveLength(whole! + 2 * ladder.rungs.length + 1);
    expect(here.told.at(-1)).toEqual({
      objects: listing.value.length,
      bytes: listing.value.reduce((sum, { bytes }) => sum + bytes, 0),
    });
    expect(await here.state(here.system)).toEqual({
      state: 'working',
      stateReason: 'Creatives: 3 published, 0 waiting.',
    });
  });

  test('is published as soon as it is decided, and only for channels of the system', async () => {
    const here = await open();
    here.cloud.want({ ...channel, systemId: undefined } as unknown as Channel, [
      { mediaId: media.id, frames: media.frames },
    ]);
    here.cloud.want({ ...channel, tenant: 'globex' }, [{ mediaId: media.id, frames: media.frames }]);
    await here.round();
    expect(await here.store.all(here.location())).toEqual([]);
    here.cloud.want(channel, [
      { mediaId: media.id, frames: media.frames },
      { mediaId: 'f'.repeat(32), frames: 1 },
    ]);
    await expect.poll(() => here.store.all(here.location()), { timeout: 20_000 }).toHaveLength(1);
    await here.round();
    const [path] = listed(media.frames);
    expect(here.cloud.urlOf(channel, path!)).toBeDefined();
    expect(here.cloud.urlOf(channel, `../../..${path}`)).toBe(here.cloud.urlOf(channel, path!));
    expect(here.cloud.urlOf({ ...channel, tenant: 'globex' }, listed(media.frames)[0]!)).toBeUndefined();
    for (const odd of [
      'https://cdn.example/a.m4s',
      '/m/x',
      `/m/${media.id}/1/../0.m4s`,
      `/m/${'f'.repeat(32)}/1/v0/0.m4s`,
    ])
      expect(here.cloud.urlOf(channel, odd), odd).toBeUndefined();
  });

  test('half of it in the container is none of it; two who bring it do not disturb each other', async () => {
    let failAfter = 3;
    const shelf: ShelvedMedia = {
      ...bench.files,
      openSegment: async (...asked) => {
        failAfter -= 1;
        if (failAfter === 0) throw new Error('the disk is gone');
        return bench.files.openSegment(...asked);
      },
    };
    const here = await open(shelf);
    const [first] = listed(media.frames);
    here.cloud.urlOf(channel, first!);
    await here.watch.probe();
    await here.publish();
    expect(here.logged.some((line) => line.startsWith('a creative could not be worked on'))).toBe(true);
    await here.cloud.refresh();
    expect(here.cloud.urlOf(channel, first!)).toBeUndefined();
    here.pass(60_000); // the claim of the one that died
    await Promise.all([here.publish(), here.publish(), here.publish()]);
    await here.round();
    expect(here.cloud.urlOf(channel, first!)).toBeDefined();
    expect(here.logged.filter((line) => line.startsWith('a creative was published'))).toHaveLength(1);
  });
});

describe('a cloud that is away', () => {
  test('is not sent to, is said to be away without secrets, and takes up where it was', async () => {
    const here = await open();
    const [path] = listed(media.frames);
    here.cloud.urlOf(channel, path!);
    await here.round();
    expect(here.cloud.urlOf(channel, path!)).toBeDefined();
    await azurite.leave();
    here.cloud.want(channel, [{ mediaId: media.id, frames: media.frames + 1 }]);
    await expect.poll(() => here.store.all(here.location()), { timeout: 20_000 }).toHaveLength(2);
    await here.round();
    expect(here.cloud.urlOf(channel, path!)).toBeUndefined();
    expect(await here.state(here.system)).toEqual({
      state: 'failing',
      stateReason:
        'Creatives are served from here (1 published, 1 waiting): the storage account refused the connection.',
    });
    expect(here.logged.join()).not.toContain(azurite.settings.storageKey);
    await azurite.comeBack();
    here.pass(10_000);
    await here.round();
    await here.round();
    expect((await fetch(here.cloud.urlOf(channel, path!)!)).status).toBe(200);
    expect(here.cloud.urlOf(channel, listed(media.frames + 1).at(-1)!)).toBeDefined();
  });

  test('nobody is sent to a container that nobody has looked at lately', async () => {
    const here = await open();
    const [path] = listed(media.frames);
    here.cloud.urlOf(channel, path!);
    await here.round();
    here.pass(50_000);
    await here.cloud.refresh();
    expect(here.cloud.urlOf(channel, path!)).toBeUndefined();
    expect((await here.state({ ...here.system, settings: {} })) ?? {}).toMatchObject({
      state: 'failing',
      stateReason: expect.stringMatching(/storageAccount .*storageKey .*container /),
    });
  });
});

describe('what lies there', () => {
  test('is published again when somebody has removed a part of it', async () => {
    const here = await open();
    const [path] = listed(media.frames);
    here.cloud.urlOf(channel, path!);
    await here.round();
    const listing = await here.container().list('m/');
    if (!listing.ok) throw new Error(listing.reason);
    await here.container().remove(listing.value.find(({ name }) => name.endsWith('/0.m4s'))!.name);
    await here.watch.count();
    await here.cloud.refresh();
    expect(here.cloud.urlOf(channel, path!)).toBeUndefined();
    await here.round();
    expect(here.cloud.urlOf(channel, path!)).toBeDefined();
    expect(await here.container().list('m/')).toEqual(listing);
  });

  test('leaves when the shelf has dropped it and nobody plays it, but for what another length still needs', async () => {
    await bench.make('gone.mp4', ...testSource(2));
    const made = await bench.condition('gone.mp4', ladder);
    if (made.state !== 'ready') throw new Error(JSON.stringify(made));
    const { id, frames } = made.media;
    const files = createMediaFiles({ dataDir: bench.folder });
    const here = await open({
      ...files,
      find: (mediaId) => (isGone && mediaId === id ? undefined : files.find(mediaId)),
    });
    let isGone = false;
    here.cloud.want(channel, [
      { mediaId: id, frames },
      { mediaId: id, frames: frames + 2 },
    ]);
    await expect.poll(() => here.store.all(here.location()), { timeout: 20_000 }).toHaveLength(2);
    await here.round();
    await rm(join(bench.folder, 'media', id), { recursive: true });
    isGone = true;
    here.pass(25 * HOUR);
    await here.watch.count();
    expect((await here.store.all(here.location())).map(({ state }) => state)).toEqual(['published', 'published']);
    const [longer] = (await here.store.all(here.location())).filter((row) => row.frames === frames + 2);
    await here.store.want(longer!, millis(Date.now() + 25 * HOUR));
    here.pass(2 * HOUR);
    await here.watch.count();
    here.pass(HOUR);
    await here.round();
    expect((await here.store.all(here.location())).map((row) => row.frames)).toEqual([frames + 2]);
    const left = await here.container().list('m/');
    expect(left.ok && left.value.filter(({ name }) => name.includes(`/${frames}/`))).toEqual([]);
    here.pass(27 * HOUR);
    await here.watch.count();
    here.pass(HOUR);
    await here.round();
    expect(await here.store.all(here.location())).toEqual([]);
    expect(await here.container().list('m/')).toMatchObject({ ok: true, value: [{ name: 'm/ready.txt' }] });
  });
});
