// SPDX-License-Identifier: Apache-2.0
// What the kinds of stores have in common is tested by their contract (adapters/cloud/blobStore.test.ts).
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { away, type MediaNode, mediaNodes } from '../../../../test/media/mediaNodes.ts';
import { naming } from '../../../../test/naming.ts';
import type { MediaSegment } from '../readMediaSegment.ts';

const nodes = mediaNodes();
const { bench, packaged, root, frames, segments, named, idOf, piecesOf } = nodes;
const { openNode, openWorker, openFirst, publish, readAll, expectPlayable } = nodes;

describe('media in an object store', () => {
  test('are found by other nodes once they are complete, with the same bytes', async () => {
    const [worker, node] = [openWorker(), openNode('node')];
    const { id } = packaged().media;
    expect(await node.media.load([id])).toBe(true);
    expect(node.media.find(id)).toBeUndefined();
    await publish(worker);
    await worker.media.name(idOf('a'), id);
    expect(readdirSync(join(worker.dataDir, 'media'))).toEqual([]);
    await expect.poll(async () => (await node.media.load([id])) && node.media.find(id)).toEqual(packaged());
    await expect
      .poll(async () => (await node.media.load([idOf('a')])) && node.media.find(idOf('a')))
      .toEqual(packaged());
    const expected = await Promise.all(segments().map((of) => bench().files.openSegment(id, frames(), ...of)));
    expect(expected.filter(Boolean).length).toBeGreaterThan(6);
    const asBuffer = (segment: MediaSegment | undefined) =>
      segment && { ...segment, bytes: Buffer.from(segment.bytes) };
    expect((await readAll(node)).map(asBuffer)).toEqual(expected.map(asBuffer));
    const thumbnail = await node.media.inFolder(id, ['0.mp4'], async (folder) => statSync(join(folder, '0.mp4')).size);
    expect(thumbnail).toBeGreaterThan(1000);
  });

  test('are found at once when another node has announced them, although they did not exist', async () => {
    const [worker, node] = [openWorker(), openNode('node')];
    const { id } = packaged().media;
    await node.media.load([id, idOf('a')]);
    await publish(worker);
    await worker.media.name(idOf('a'), id);
    node.media.forgetAbsent(new Set([id]));
    await node.media.load([id]);
    expect(node.media.find(id)).toEqual(packaged());
    node.media.forgetAbsent();
    await node.media.load([idOf('a')]);
    expect(node.media.find(idOf('a'))).toEqual(packaged());
  });

  test('are read from the store once, however many requests wait for them', async () => {
    const [worker, node] = [openWorker(), openNode('node')];
    await publish(worker);
    const other = openNode('node');
    await node.media.load([packaged().media.id]);
    await Promise.all(Array.from({ length: 20 }, () => readAll(node)));
    const reads = node.requests.filter((request) => request.startsWith('get media/'));
    expect(reads.length).toBeGreaterThan(0);
    expect(new Set(reads).size).toBe(reads.length);
    // Another process with the same disk, for example after a restart.
    await other.media.load([packaged().media.id]);
    await readAll(other);
    expect(other.requests.filter((request) => request.startsWith('get media/'))).toEqual([]);
  });

  test('lists and descriptions of the store make media known in advance', async () => {
    const [worker, node] = [openNode('worker'), openNode('node')];
    await publish(worker);
    await worker.media.name(idOf('b'), packaged().media.id);
    await node.media.refresh();
    node.fault = 'refused';
    expect(node.media.find(packaged().media.id)).toEqual(packaged());
    expect(node.media.find(idOf('b'))).toEqual(packaged());
    await worker.media.unname(idOf('b'));
    node.fault = 'none';
    await expect.poll(() => node.store.probe().then(() => node.store.away())).toBeUndefined();
    await node.media.refresh();
    expect(node.media.find(idOf('b'))).toBeUndefined();
    expect(node.media.find(packaged().media.id)).toEqual(packaged());
  });

  test('the cache stays below its limit, and what was deleted from it is read again', async () => {
    const worker = openWorker();
    const ids = Array.from({ length: 8 }, (_, index) => idOf(String(index + 1)));
    for (const id of ids) await publish(worker, named(id));
    const unlimited = openNode('unlimited');
    await unlimited.media.load(ids);
    for (const id of ids) await readAll(unlimited, id);
    const sizeOf = (node: MediaNode) =>
      piecesOf(node).reduce((sum, name) => sum + statSync(join(node.dataDir, 'media-cache/pieces', name)).size, 0);
    const cacheBytes = Math.round(sizeOf(unlimited) / 3);
    const node = openNode('node', { cacheBytes });
    await node.media.load(ids);
    for (const id of [...ids, ...ids]) {
      await expectPlayable(node, id);
      expect(sizeOf(node)).toBeLessThanOrEqual(cacheBytes);
    }
    expect(piecesOf(node).length).toBeGreaterThan(0);
  });
});

describe('while the store is unavailable', () => {
  test.each(['refused', 'silent'] as const)(
    'media in the cache are served; others are a 503 in a bounded time: %s',
    async (fault) => {
      const [worker, node] = [openWorker(), openNode('node')];
      await publish(worker);
      await publish(worker, named(idOf('c')));
      await node.media.refresh();
      await readAll(node);
      node.fault = fault;
      const fresh = openNode('node');
      fresh.fault = fault;
      for (const each of [node, fresh]) {
        await expectPlayable(each);
        await expect(openFirst(each, idOf('c'))).rejects.toMatchObject({ kind: 'UNAVAILABLE', retryAfter: 2 });
        expect(await each.media.load([idOf('d')])).toBe(false);
      }
      node.fault = 'none';
      await expect.poll(() => node.store.probe().then(() => node.store.away()), { timeout: 30_000 }).toBeUndefined();
      expect((await openFirst(node, idOf('c')))?.bytes.length).toBeGreaterThan(100);
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

describe('after a power failure', () => {
  test.each([0, 100])('a file of the cache that is damaged is read from the store again: %i bytes', async (bytes) => {
    const worker = openWorker();
    await publish(worker);
    await readAll(openNode('node'));
    const node = openNode('node');
    const folder = join(node.dataDir, 'media-cache/pieces');
    for (const name of piecesOf(node)) truncateSync(join(folder, name), bytes);
    await expectPlayable(node);
    for (const name of piecesOf(node)) expect(statSync(join(folder, name)).size).toBeGreaterThan(bytes);
    expect(node.logged).toEqual([]);
    await worker.media.refresh();
    expect(worker.media.find(packaged().media.id)).toEqual(packaged());
  });

  test.each(['', '{"media":', '\0\0\0\0'])('a damaged description is read from the store again: %j', async (text) => {
    const worker = openWorker();
    await publish(worker);
    await openNode('node').media.refresh();
    const folder = join(root(), 'node/media-cache/meta');
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files).toHaveLength(2);
    for (const lost of [files.filter((path) => !path.endsWith('catalogue.json')), files]) {
      for (const path of lost) writeFileSync(path, text);
      const node = openNode('node');
      expect(await node.media.load([packaged().media.id])).toBe(true);
      expect(node.media.find(packaged().media.id)).toEqual(packaged());
      await node.media.refresh();
      const away = openNode('node');
      away.fault = 'refused';
      expect(away.media.find(packaged().media.id)).toEqual(packaged());
    }
  });

  test('a damaged file of the cache is a 503 while the store is unavailable', async () => {
    const worker = openWorker();
    await publish(worker);
    const node = openNode('node');
    await readAll(node);
    for (const name of piecesOf(node)) truncateSync(join(node.dataDir, 'media-cache/pieces', name), 0);
    const again = openNode('node');
    await again.media.refresh();
    again.fault = 'refused';
    await expect(openFirst(again, packaged().media.id)).rejects.toMatchObject({ kind: 'UNAVAILABLE' });
    await worker.media.refresh();
    expect(worker.media.find(packaged().media.id)).toEqual(packaged());
  });
});
