// SPDX-License-Identifier: Apache-2.0
// When pieces are written, on a real disk; the store is in memory, and therefore faster.
import { readdirSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { scratchFolderInTest } from '../../../../test/opened.ts';
import { systemTimers } from '../../systemClock.ts';
import { createPieceCache } from './pieceCache.ts';

let folder: string;
beforeEach(() => {
  folder = scratchFolderInTest();
});

function setUp() {
  const requests: string[] = [];
  const blobs = {
    async get(name: string) {
      requests.push(name);
      return { ok: true, value: new Uint8Array(100).fill(requests.length) } as const;
    },
  };
  const cache = createPieceCache({ folder, maxBytes: 2 ** 30, blobs, timers: systemTimers });
  return { cache, requests, files: () => readdirSync(folder).filter((name) => !name.startsWith('.')) };
}

test('a piece is returned before it is on the disk, and is read from the store once', async () => {
  const { cache, requests, files } = setUp();
  expect(await cache.read('media/a', 10, 20)).toEqual(new Uint8Array(20).fill(1));
  expect(files()).toEqual([]);
  expect(await cache.read('media/a', 90, 10)).toEqual(new Uint8Array(10).fill(1));
  await cache.written();
  expect(files()).toEqual(['media_a']);
  expect(Buffer.from((await cache.read('media/a', 0, 100))!)).toEqual(Buffer.alloc(100, 1));
  expect(requests).toEqual(['media/a']);
});

test('a part of a piece does not keep the piece in memory', async () => {
  const { cache } = setUp();
  for (const _ of ['from the store', 'from memory']) {
    const part = await cache.read('media/a', 10, 20);
    expect(part!.buffer.byteLength).toBe(20);
  }
  await cache.written();
  const part = await cache.read('media/a', 10, 20);
  expect(part!.buffer.byteLength).toBe(20);
});

test('pieces are not written while too many wait for the disk', async () => {
  const { cache, files } = setUp();
  const names = Array.from({ length: 60 }, (_, index) => `media/${index}`);
  const found = await Promise.all(names.map((name) => cache.read(name, 0, 100)));
  expect(found.map((bytes) => bytes?.length)).toEqual(names.map(() => 100));
  await cache.written();
  expect(files().length).toBeGreaterThanOrEqual(16);
  expect(files().length).toBeLessThan(60);
});

test('a piece that is read in advance is on the disk afterwards', async () => {
  const { cache, requests, files } = setUp();
  await cache.warm('media/a');
  expect(files()).toEqual(['media_a']);
  await cache.warm('media/a');
  expect(requests).toEqual(['media/a']);
});
