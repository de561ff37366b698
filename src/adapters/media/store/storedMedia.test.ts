// SPDX-License-Identifier: Apache-2.0
// Nodes with separate disks and one store, a folder here: what the kinds of stores have in common is tested by their contract
// (adapters/cloud/blobStore.test.ts). The creative is conditioned by ffmpeg.
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Conditioning, openConditioning, testLadder, testSource } from '../../../../test/media/conditioning.ts';
import { naming } from '../../../../test/naming.ts';
import type { BlobStore } from '../../../blobs/ports.ts';
import type { PackagedMedia } from '../../../ingest/package/packagedMedia.ts';
import { sleep } from '../../../time/clock.ts';
import { millis } from '../../../time/units.ts';
import { openFolderStore } from '../../cloud/folderStore.ts';
import { systemTimers } from '../../systemClock.ts';
import type { MediaSegment } from '../readMediaSegment.ts';
import { createStoredMedia, type StoredMediaOptions } from './storedMedia.ts';
import { gateStore } from './storeGate.ts';
import { ABANDONED_MS } from './storeObjects.ts';

const ladder = testLadder({ n: 25, d: 1 }, 48_000);
const DAY_MS = 86_400_000;
let bench: Conditioning;
let packaged: PackagedMedia;
let root: string;
beforeAll(async () => {
  bench = await openConditioning();
  await bench.make('spot.mp4', ...testSource(5));
  const state = await bench.condition('spot.mp4', ladder);
  if (state.state !== 'ready') throw new Error(JSON.stringify(state));
  packaged = bench.files.find(state.media.id)!;
});
afterAll(() => bench.close());
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'midroll-stored-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** After this, the client of a store gives up. */
const SILENCE_MS = 8000;
const away = { ok: false, reason: 'refused the connection' } as const;

/** A node with its own disk. `fault` replaces the results of the store. */
function openNode(name: string, options: Partial<StoredMediaOptions> = {}) {
  const folder = openFolderStore(join(root, 'store'));
  const requests: string[] = [];
  const logged: string[] = [];
  const node = { fault: 'none' as 'none' | 'refused' | 'silent' | 'puts' };
  const sent = <Result>(request: string, work: () => Promise<Result>): Promise<Result> => {
    requests.push(request);
    if (node.fault === 'silent') return sleep(systemTimers, SILENCE_MS).then(() => away as Result);
    const isAway = node.fault === 'refused' || (node.fault === 'puts' && request.startsWith('put'));
    return isAway ? Promise.resolve(away as Result) : work();
  };
  const blobs: BlobStore = {
    create: folder.create,
    get: (blob) => sent(`get ${blob}`, () => folder.get(blob)),
    list: (prefix) => sent(`list ${prefix}`, () => folder.list(prefix)),
    put: (blob, bytes, type) => sent(`put ${blob}`, () => folder.put(blob, bytes, type)),
    remove: (blob) => sent(`remove ${blob}`, () => folder.remove(blob)),
  };
  const warn = (message: string) => void logged.push(message);
  const store = gateStore(blobs, { timers: systemTimers, warn });
  const dataDir = join(root, name);
  const media = createStoredMedia({
    store,
    dataDir,
    timers: systemTimers,
    now: () => millis(Date.now()),
    warn,
    serves: true,
    maxBytes: 2 ** 30,
    cacheBytes: 2 ** 30,
    unusedMs: DAY_MS,
    ...options,
  });
  return Object.assign(node, { media, store, requests, logged, dataDir, folder });
}
type Node = ReturnType<typeof openNode>;

async function publish({ media }: Pick<Node, 'media'>, as = packaged): Promise<void> {
  const draft = await media.open(as.media.id);
  for (const { file } of packaged.tracks) {
    const target = await draft.create(file);
    const bytes = await bench.files.inFolder(packaged.media.id, [file], (folder) =>
      import('node:fs/promises').then(({ readFile }) => readFile(join(folder, file))),
    );
    await target.write(bytes!);
    await target.close();
  }
  await draft.publish(as);
}
const segments = () =>
  packaged.rungs.flatMap(({ id }) => [
    [id, 'init.mp4'],
    [id, '0.m4s'],
    [id, '1.m4s'],
  ]) as [string, string][];
const frames = () => String(packaged.media.frames);
/** The pieces are in the cache afterwards. */
async function readAll({ media }: Node, id = packaged.media.id) {
  const found = await Promise.all(segments().map(([rung, name]) => media.openSegment(id, frames(), rung, name)));
  await media.written();
  return found;
}
const piecesOf = ({ dataDir }: Node): string[] => readdirSync(join(dataDir, 'media-cache/pieces'));
const named = (id: string): PackagedMedia => ({ ...packaged, media: { ...packaged.media, id } });
const idOf = (digit: string): string => digit.repeat(32);

beforeEach(async () => {
  await openFolderStore(join(root, 'store')).create();
});

describe('media in an object store', () => {
  test('are found by other nodes once they are complete, with the same bytes', async () => {
    const [worker, node] = [openNode('worker', { serves: false }), openNode('node')];
    const { id } = packaged.media;
    expect(await node.media.load([id])).toBe(true);
    expect(node.media.find(id)).toBeUndefined();
    await publish(worker);
    await worker.media.name(idOf('a'), id);
    expect(readdirSync(join(worker.dataDir, 'media'))).toEqual([]);
    await expect.poll(async () => (await node.media.load([id])) && node.media.find(id)).toEqual(packaged);
    await expect.poll(async () => (await node.media.load([idOf('a')])) && node.media.find(idOf('a'))).toEqual(packaged);
    const expected = await Promise.all(segments().map((of) => bench.files.openSegment(id, frames(), ...of)));
    expect(expected.filter(Boolean).length).toBeGreaterThan(6);
    const asBuffer = (segment: MediaSegment | undefined) =>
      segment && { ...segment, bytes: Buffer.from(segment.bytes) };
    expect((await readAll(node)).map(asBuffer)).toEqual(expected.map(asBuffer));
    const thumbnail = await node.media.inFolder(id, ['0.mp4'], async (folder) => statSync(join(folder, '0.mp4')).size);
    expect(thumbnail).toBeGreaterThan(1000);
  });

  test('are found at once when another node has announced them, although they did not exist', async () => {
    const [worker, node] = [openNode('worker', { serves: false }), openNode('node')];
    const { id } = packaged.media;
    await node.media.load([id, idOf('a')]);
    await publish(worker);
    await worker.media.name(idOf('a'), id);
    node.media.forgetAbsent(new Set([id]));
    await node.media.load([id]);
    expect(node.media.find(id)).toEqual(packaged);
    node.media.forgetAbsent();
    await node.media.load([idOf('a')]);
    expect(node.media.find(idOf('a'))).toEqual(packaged);
  });

  test('are read from the store once, however many requests wait for them', async () => {
    const [worker, node] = [openNode('worker', { serves: false }), openNode('node')];
    await publish(worker);
    const other = openNode('node');
    await node.media.load([packaged.media.id]);
    await Promise.all(Array.from({ length: 20 }, () => readAll(node)));
    const reads = node.requests.filter((request) => request.startsWith('get media/'));
    expect(reads.length).toBeGreaterThan(0);
    expect(new Set(reads).size).toBe(reads.length);
    // Another process with the same disk, for example after a restart.
    await other.media.load([packaged.media.id]);
    await readAll(other);
    expect(other.requests.filter((request) => request.startsWith('get media/'))).toEqual([]);
  });

  test('lists and descriptions of the store make media known in advance', async () => {
    const [worker, node] = [openNode('worker'), openNode('node')];
    await publish(worker);
    await worker.media.name(idOf('b'), packaged.media.id);
    await node.media.refresh();
    node.fault = 'refused';
    expect(node.media.find(packaged.media.id)).toEqual(packaged);
    expect(node.media.find(idOf('b'))).toEqual(packaged);
    await worker.media.unname(idOf('b'));
    node.fault = 'none';
    await expect.poll(() => node.store.probe().then(() => node.store.away())).toBeUndefined();
    await node.media.refresh();
    expect(node.media.find(idOf('b'))).toBeUndefined();
    expect(node.media.find(packaged.media.id)).toEqual(packaged);
  });

  test('the cache stays below its limit, and what was deleted from it is read again', async () => {
    const worker = openNode('worker', { serves: false });
    const ids = Array.from({ length: 8 }, (_, index) => idOf(String(index + 1)));
    for (const id of ids) await publish(worker, named(id));
    const unlimited = openNode('unlimited');
    await unlimited.media.load(ids);
    for (const id of ids) await readAll(unlimited, id);
    const sizeOf = (node: Node) =>
      piecesOf(node).reduce((sum, name) => sum + statSync(join(node.dataDir, 'media-cache/pieces', name)).size, 0);
    const cacheBytes = Math.round(sizeOf(unlimited) / 3);
    const node = openNode('node', { cacheBytes });
    await node.media.load(ids);
    for (const id of [...ids, ...ids]) {
      expect((await readAll(node, id)).filter(Boolean).length).toBeGreaterThan(6);
      expect(sizeOf(node)).toBeLessThanOrEqual(cacheBytes);
    }
    expect(piecesOf(node).length).toBeGreaterThan(0);
  });
});

describe('while the store is unavailable', () => {
  test.each(['refused', 'silent'] as const)(
    'media in the cache are served; others are a 503 in a bounded time: %s',
    async (fault) => {
      const [worker, node] = [openNode('worker', { serves: false }), openNode('node')];
      await publish(worker);
      await publish(worker, named(idOf('c')));
      await node.media.refresh();
      await readAll(node);
      node.fault = fault;
      const fresh = openNode('node');
      fresh.fault = fault;
      for (const each of [node, fresh]) {
        expect((await readAll(each)).filter(Boolean).length).toBeGreaterThan(6);
        const [failed] = await Promise.allSettled([each.media.openSegment(idOf('c'), frames(), 'v0', '0.m4s')]);
        expect(failed).toMatchObject({ status: 'rejected', reason: { kind: 'UNAVAILABLE', retryAfter: 2 } });
        expect(await each.media.load([idOf('d')])).toBe(false);
      }
      node.fault = 'none';
      await expect.poll(() => node.store.probe().then(() => node.store.away()), { timeout: 30_000 }).toBeUndefined();
      expect((await node.media.openSegment(idOf('c'), frames(), 'v0', '0.m4s'))?.bytes.length).toBeGreaterThan(100);
      expect(await node.media.load([idOf('d')])).toBe(true);
      expect(node.logged).toHaveLength(2);
    },
  );

  test('one request a second probes it, and each change of the state is logged once', async () => {
    const node = openNode('node');
    node.fault = 'refused';
    await Promise.all(Array.from({ length: 50 }, () => node.store.get('a')));
    const before = node.requests.length;
    const results = await Promise.all(Array.from({ length: 500 }, () => node.store.list('meta/')));
    expect(results.every(({ ok }) => !ok)).toBe(true);
    expect(node.requests.length - before).toBeLessThan(5);
    expect(node.logged).toHaveLength(1);
    expect(node.store.away()).toBe(away.reason);
  });

  test('nothing is conditioned, and the reason is stated', async () => {
    const node = openNode('node');
    node.fault = 'refused';
    expect(await node.media.full()).toEqual(naming(away.reason));
  });
});

describe('the store is swept', () => {
  let at: number;
  const now = () => millis(at);
  beforeEach(() => {
    at = Date.now();
  });

  test('an interrupted upload is never visible, and is removed later', async () => {
    const [worker, other] = [openNode('worker', { now }), openNode('other', { now })];
    const unfinished = `media/${idOf('e')}/${'0'.repeat(12)}/0.mp4.0`;
    await worker.folder.put(unfinished, new Uint8Array(10), '');
    await publish(worker);
    await other.media.refresh();
    await other.media.load([idOf('e')]);
    expect(other.media.find(idOf('e'))).toBeUndefined();
    await other.media.clear();
    expect((await worker.folder.get(unfinished)).ok && (await worker.folder.get(unfinished))).toMatchObject({
      value: expect.anything(),
    });
    at += ABANDONED_MS + 60_000;
    await other.media.clear();
    expect(await worker.folder.get(unfinished)).toEqual({ ok: true, value: undefined });
    await other.media.load([packaged.media.id]);
    expect((await readAll(other)).filter(Boolean).length).toBeGreaterThan(6);
  });

  test('two uploads of one medium do not mix: all nodes use the first one', async () => {
    const workers = [openNode('one', { now }), openNode('two', { now })];
    await Promise.all(workers.map((worker) => publish(worker)));
    const nodes = [openNode('three', { now }), openNode('four', { now })];
    for (const node of [...nodes, ...workers]) await node.media.refresh();
    const used = new Set<string>();
    for (const node of nodes) {
      await readAll(node);
      for (const request of node.requests) if (request.startsWith('get media/')) used.add(request.split('/')[2]!);
    }
    expect(used.size).toBe(1);
    at += ABANDONED_MS + 60_000;
    await workers[0]!.media.clear();
    const left = await workers[0]!.folder.list('media/');
    if (!left.ok) throw new Error(left.reason);
    expect(new Set(left.value.map(({ name }) => name.split('/')[2]))).toEqual(used);
    expect((await readAll(openNode('five', { now }))).filter(Boolean).length).toBeGreaterThan(6);
  });

  test('above its size, media are removed that no node has used for a day, and slate stays', async () => {
    const worker = openNode('worker', { now, maxBytes: 1 });
    const [used, unused, slate] = [idOf('1'), idOf('2'), idOf('3')];
    await publish(worker, named(used));
    await publish(worker, named(unused));
    await publish(worker, { ...named(slate), kind: 'slate' });
    await worker.media.name(idOf('9'), unused);
    expect(await worker.media.clear()).toEqual([]);
    expect(await worker.media.full()).toEqual(naming('MEDIA_MAX_GB'));
    at += 2 * DAY_MS;
    // Another node plays one of them; its use is an object in the store.
    const node = openNode('node', { now });
    await node.media.refresh();
    node.media.markUsed(used);
    await expect.poll(() => worker.folder.get(`used/${used}`)).toMatchObject({ value: expect.anything() });
    node.media.markUsed(used);
    expect(node.requests.filter((request) => request === `put used/${used}`)).toHaveLength(1);
    // The time of the object is that of the disk, two days before the clock of this test.
    at -= DAY_MS + 60_000;
    expect(await worker.media.clear()).toEqual([]);
    at += DAY_MS + 60_000;
    const rest = openNode('rest', { now, maxBytes: 1, unusedMs: 3 * DAY_MS });
    expect(await rest.media.clear()).toEqual([]);
    expect(new Set(await worker.media.clear())).toEqual(new Set([used, unused]));
    await node.media.refresh();
    expect(node.media.find(unused)).toBeUndefined();
    expect(node.media.find(idOf('9'))).toBeUndefined();
    expect(node.media.find(slate)?.kind).toBe('slate');
    const left = await worker.folder.list('');
    expect(left.ok && left.value.map(({ name }) => name).filter((name) => !name.includes(slate))).toEqual([]);
  });

  test.each(['under its id', 'under another name'])(
    'a medium that has lost objects is not found any more, so that it is made again: %s',
    async (as) => {
      const worker = openNode('worker');
      await publish(worker);
      const { id } = packaged.media;
      await worker.media.name(idOf('4'), id);
      const node = openNode('node');
      await node.media.refresh();
      const listed = await worker.folder.list('media/');
      for (const { name } of listed.ok ? listed.value : []) await worker.folder.remove(name);
      const asked = as === 'under its id' ? id : idOf('4');
      const opened = Array.from({ length: 3 }, () => node.media.openSegment(asked, frames(), 'v0', '0.m4s'));
      expect(await Promise.all(opened)).toEqual([undefined, undefined, undefined]);
      await worker.media.refresh();
      expect(worker.media.find(id)).toBeUndefined();
    },
  );
});

describe('after a power failure', () => {
  test.each([0, 100])('a file of the cache that is damaged is read from the store again: %i bytes', async (bytes) => {
    const worker = openNode('worker', { serves: false });
    await publish(worker);
    await readAll(openNode('node'));
    const node = openNode('node');
    const folder = join(node.dataDir, 'media-cache/pieces');
    for (const name of piecesOf(node)) truncateSync(join(folder, name), bytes);
    expect((await readAll(node)).filter(Boolean).length).toBeGreaterThan(6);
    for (const name of piecesOf(node)) expect(statSync(join(folder, name)).size).toBeGreaterThan(bytes);
    expect(node.logged).toEqual([]);
    await worker.media.refresh();
    expect(worker.media.find(packaged.media.id)).toEqual(packaged);
  });

  test.each(['', '{"media":', '\0\0\0\0'])('a damaged description is read from the store again: %j', async (text) => {
    const worker = openNode('worker', { serves: false });
    await publish(worker);
    await openNode('node').media.refresh();
    const folder = join(root, 'node/media-cache/meta');
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files).toHaveLength(2);
    for (const lost of [files.filter((path) => !path.endsWith('catalogue.json')), files]) {
      for (const path of lost) writeFileSync(path, text);
      const node = openNode('node');
      expect(await node.media.load([packaged.media.id])).toBe(true);
      expect(node.media.find(packaged.media.id)).toEqual(packaged);
      await node.media.refresh();
      const away = openNode('node');
      away.fault = 'refused';
      expect(away.media.find(packaged.media.id)).toEqual(packaged);
    }
  });

  test('a damaged file of the cache is a 503 while the store is unavailable', async () => {
    const worker = openNode('worker', { serves: false });
    await publish(worker);
    const node = openNode('node');
    await readAll(node);
    for (const name of piecesOf(node)) truncateSync(join(node.dataDir, 'media-cache/pieces', name), 0);
    const again = openNode('node');
    await again.media.refresh();
    again.fault = 'refused';
    const [failed] = await Promise.allSettled([again.media.openSegment(packaged.media.id, frames(), 'v0', '0.m4s')]);
    expect(failed).toMatchObject({ status: 'rejected', reason: { kind: 'UNAVAILABLE' } });
    await worker.media.refresh();
    expect(worker.media.find(packaged.media.id)).toEqual(packaged);
  });
});
