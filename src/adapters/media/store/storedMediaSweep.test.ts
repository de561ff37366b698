// SPDX-License-Identifier: Apache-2.0
// What is removed from an object store.
import { beforeEach, describe, expect, test } from 'vitest';
import { DAY_MS, mediaNodes } from '../../../../test/media/mediaNodes.ts';
import { naming } from '../../../../test/naming.ts';
import { millis } from '../../../time/units.ts';
import { ABANDONED_MS } from './storeObjects.ts';

const { expectPlayable, idOf, named, openFirst, openNode, packaged, publish, readAll } = mediaNodes();

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
    await other.media.load([packaged().media.id]);
    await expectPlayable(other);
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
    await expectPlayable(openNode('five', { now }));
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
      const { id } = packaged().media;
      await worker.media.name(idOf('4'), id);
      const node = openNode('node');
      await node.media.refresh();
      const listed = await worker.folder.list('media/');
      for (const { name } of listed.ok ? listed.value : []) await worker.folder.remove(name);
      const asked = as === 'under its id' ? id : idOf('4');
      const opened = Array.from({ length: 3 }, () => openFirst(node, asked));
      expect(await Promise.all(opened)).toEqual([undefined, undefined, undefined]);
      await worker.media.refresh();
      expect(worker.media.find(id)).toBeUndefined();
    },
  );
});
