// SPDX-License-Identifier: Apache-2.0
// Two serving nodes and workers that share PostgreSQL and an object store, and no disk. A viewer whose requests go to any node
// sees ads that a worker has made, while workers are killed and the object store is unavailable.

import type { ChildProcess } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openBlobStore } from '../../src/adapters/cloud/openBlobStore.ts';
import { readMediaUrl } from '../../src/blobs/mediaLocation.ts';
import type { BlobStore } from '../../src/blobs/ports.ts';
import { sendToAnyOf } from '../live/anyNode.ts';
import { type MidrollProcess, startMidroll } from '../live/midroll.ts';
import { adSource, item, openStageOf, titlesOf } from '../live/stage.ts';
import type { Viewer } from '../live/viewer.ts';
import { opened, scratchFolder } from '../opened.ts';
import { seededRandom } from '../seededRandom.ts';
import { endProcess } from '../servers/endProcess.ts';
import { startHoldingProxy } from '../servers/holdingProxy.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';
import { S3_CREDENTIALS, startS3 } from '../servers/startS3.ts';
import { startWorker } from './startWorker.ts';

const scratch = scratchFolder();
const AWAY = 'the object store of media cannot be read; media in the local cache are served';
const BACK = 'the object store of media can be read again';
/** The path of an ad segment, relative to a session. */
const TRACKED = /(^|\/)\d+-\d+-\d+\//;

let blobs: BlobStore;
const workers: ChildProcess[] = [];

const [database, s3] = await Promise.all([opened(createDatabase()), opened(startS3())]);
// Descriptions of media are uploaded last.
const proxy = await opened(
  startHoldingProxy(s3.port, (method, path) => method === 'PUT' && path.includes('/midroll/meta/')),
);
const MEDIA_URL = s3.urlOf('conditioned');
const settings: Record<string, string> = {
  ...S3_CREDENTIALS,
  MEDIA_URL,
  DATABASE_URL: database.url,
  SECRET_KEY: 'the key of all nodes of the test',
};
const first = await opened(startMidroll({ ...settings, ROLE: 'serve' }));
const nodes = [first, await opened(startMidroll({ ...settings, ROLE: 'serve' }))] as const;
const stage = await opened(openStageOf(first));
beforeAll(async () => {
  Object.assign(process.env, S3_CREDENTIALS);
  const reading = readMediaUrl(MEDIA_URL);
  if (!reading.ok) throw new Error(reading.expected);
  ({ blobs } = await openBlobStore(reading.location, { azureKey: undefined }));
});
afterAll(async () => {
  s3.thaw();
  for (const worker of workers) await end(worker);
});

const addWorker = (changes: Readonly<Record<string, string>> = {}): Promise<ChildProcess> =>
  startWorker(workers, { DATA_DIR: mkdtempSync(join(scratch, 'worker-')), ...settings, ...changes });

/** With its encoders. */
const end = (worker: ChildProcess): Promise<void> => endProcess(worker, 'SIGKILL', true);

async function objects(prefix: string): Promise<string[]> {
  const listed = await blobs.list(prefix);
  if (!listed.ok) throw new Error(listed.reason);
  return listed.value.map(({ name }) => name);
}
const assets = async () => (await stage.midroll.api('GET', '/assets?channel=c')).json;
const readyOf = async ({ liveUrl }: MidrollProcess) => {
  const response = await fetch(`${liveUrl}/ready`);
  return { status: response.status, body: (await response.json()) as { readonly degraded?: string } };
};
const statesOf = (node: MidrollProcess) => [node.logged(AWAY).length, node.logged(BACK).length];
const metricsOf = async ({ adminUrl }: MidrollProcess) => (await fetch(`${adminUrl}/metrics`)).text();
const edgeOf = (viewer: Viewer) => Math.max(...viewer.listed.get(viewer.rungs[0]!)!.keys());
const adsOf = (viewer: Viewer) =>
  [...viewer.listed.get(viewer.rungs[0]!)!.values()].map(({ uri }) => uri).filter((uri) => TRACKED.test(uri));
/** Every listed segment has been downloaded, so ads play. */
async function plays(viewer: Viewer, segments: number): Promise<void> {
  const before = edgeOf(viewer);
  const ads = adsOf(viewer).length;
  await viewer.until('the stream continues', () => edgeOf(viewer) >= before + segments);
  await viewer.until('more ads are on air', () => adsOf(viewer).length > ads);
}

test('ads play on nodes without a shared disk, whatever happens to workers and to the object store', async () => {
  const video = await stage.video({ seconds: 8 });
  const [short, late] = await Promise.all([stage.spot(3), stage.spot(4)]);
  let offered = short;
  stage.adHost.offer('/c', () => [{ id: 'spot', seconds: 3, url: offered }]);
  await addWorker();
  await stage.air('c', [item(video, { spliceTime: 4, maxDuration: 4 })], { adSource: adSource(stage.adHost, '/c') });
  const send = sendToAnyOf(nodes, seededRandom(7));
  const viewer = await stage.watch('c', { send, isTimed: false, fetches: 'ours' });
  await viewer.until('the first ad is on air', async () =>
    (await stage.breaks(viewer)).some((one) => titlesOf(one).length > 0),
  );
  await plays(viewer, 4);
  expect(await metricsOf(nodes[0])).toMatch(/midroll_media_store_available 1\n/);
  expect(await metricsOf(nodes[0])).toMatch(/midroll_media_cache_bytes [1-9]/);

  // A worker is killed when it has uploaded the files of a creative, and not its description.
  await Promise.all(workers.map(end));
  const complete = await objects('meta/');
  const held = await addWorker({ MEDIA_URL: s3.urlOf('conditioned', proxy.port) });
  offered = late;
  await expect.poll(() => proxy.held()).toBeGreaterThan(0);
  const uploaded = await objects('media/');
  await end(held);
  expect(await objects('meta/')).toEqual(complete);
  const known = new Set(complete.map((name) => name.split('/')[1]));
  const unfinished = uploaded.filter((name) => !known.has(name.split('/')[1]));
  expect(unfinished.length).toBeGreaterThan(1);
  expect((await assets()).map(({ source, state }: Record<string, string>) => [source, state])).toContainEqual([
    late,
    'preparing',
  ]);
  await addWorker();
  await expect.poll(async () => (await assets()).every(({ state }: { state: string }) => state === 'ready')).toBe(true);
  expect((await objects('meta/')).length).toBe(complete.length + 1);
  await viewer.until('the second ad is on air', async () => {
    const played = await stage.breaks(viewer);
    return played.some((one) => one.ads.some(({ duration, outcome }) => outcome === 'stitched' && duration > 3.5));
  });
  await plays(viewer, 4);

  for (const [begin, finish] of [
    [() => s3.pause(), () => s3.resume()],
    [async () => s3.freeze(), async () => s3.thaw()],
  ] as const) {
    const before = nodes.map(statesOf);
    await begin();
    for (const node of nodes) {
      await expect.poll(() => readyOf(node)).toMatchObject({ status: 200, body: { degraded: expect.any(String) } });
      expect(await metricsOf(node)).toMatch(/midroll_media_store_available 0\n/);
    }
    await plays(viewer, 6);
    // Media that this node does not know may be in the store.
    const unknown = await fetch(`${nodes[0].liveUrl}/m/${'0'.repeat(32)}/75/v0/0.m4s`);
    expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([503, '2']);
    await finish();
    for (const node of nodes) {
      await expect.poll(() => readyOf(node)).toMatchObject({ status: 200, body: { status: 'ok' } });
      await expect.poll(async () => (await readyOf(node)).body.degraded).toBeUndefined();
    }
    expect(nodes.map(statesOf)).toEqual(before.map(([away, back]) => [away! + 1, back! + 1]));
    await plays(viewer, 4);
  }
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  for (const node of nodes) expect(node.bugs()).toEqual([]);
});
