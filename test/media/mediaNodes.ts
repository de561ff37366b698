// SPDX-License-Identifier: Apache-2.0
// Nodes with separate disks and one object store, a folder here. The creative is conditioned by ffmpeg.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { openFolderStore } from '../../src/adapters/cloud/folderStore.ts';
import { createStoredMedia, type StoredMediaOptions } from '../../src/adapters/media/store/storedMedia.ts';
import { gateStore } from '../../src/adapters/media/store/storeGate.ts';
import { systemTimers } from '../../src/adapters/systemClock.ts';
import type { BlobStore } from '../../src/blobs/ports.ts';
import type { PackagedMedia } from '../../src/ingest/package/packagedMedia.ts';
import { sleep } from '../../src/time/clock.ts';
import { millis } from '../../src/time/units.ts';
import { type Conditioning, openConditioning, testLadder, testSource } from './conditioning.ts';

export const DAY_MS = 86_400_000;
/** After this, the client of a store gives up. */
const SILENCE_MS = 8000;
export const away = { ok: false, reason: 'refused the connection' } as const;

/** A node with its own disk. `fault` replaces the results of the store. */
function openNodeIn(root: string, name: string, options: Partial<StoredMediaOptions> = {}) {
  const folder = openFolderStore(join(root, 'store'));
  const requests: string[] = [];
  const logged: string[] = [];
  const node = { fault: 'none' as 'none' | 'refused' | 'silent' };
  const sent = <Result>(request: string, work: () => Promise<Result>): Promise<Result> => {
    requests.push(request);
    if (node.fault === 'silent') return sleep(systemTimers, SILENCE_MS).then(() => away as Result);
    return node.fault === 'refused' ? Promise.resolve(away as Result) : work();
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
  const sizes = { maxBytes: 2 ** 30, cacheBytes: 2 ** 30, unusedMs: DAY_MS };
  const clock = { timers: systemTimers, now: () => millis(Date.now()) };
  const media = createStoredMedia({ store, dataDir, warn, serves: true, ...clock, ...sizes, ...options });
  return Object.assign(node, { media, store, requests, logged, dataDir, folder });
}
export type MediaNode = ReturnType<typeof openNodeIn>;

/** To be called once in a file. */
export function mediaNodes() {
  let [bench, packaged, root] = [{} as Conditioning, {} as PackagedMedia, ''];
  beforeAll(async () => {
    bench = await openConditioning();
    await bench.make('spot.mp4', ...testSource(5));
    const state = await bench.condition('spot.mp4', testLadder({ n: 25, d: 1 }, 48_000));
    if (state.state !== 'ready') throw new Error(JSON.stringify(state));
    packaged = bench.files.find(state.media.id)!;
  });
  afterAll(() => bench.close());
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'midroll-stored-'));
    await openFolderStore(join(root, 'store')).create();
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const openNode = (name: string, options?: Partial<StoredMediaOptions>) => openNodeIn(root, name, options);
  const frames = () => String(packaged.media.frames);
  const segments = () =>
    packaged.rungs.flatMap(({ id }) => ['init.mp4', '0.m4s', '1.m4s'].map((name) => [id, name] as [string, string]));

  async function publish({ media }: Pick<MediaNode, 'media'>, as = packaged): Promise<void> {
    const draft = await media.open(as.media.id);
    for (const { file } of packaged.tracks) {
      const target = await draft.create(file);
      const read = (folder: string) => readFile(join(folder, file));
      await target.write((await bench.files.inFolder(packaged.media.id, [file], read))!);
      await target.close();
    }
    await draft.publish(as);
  }
  /** The pieces are in the cache afterwards. */
  async function readAll({ media }: MediaNode, id = packaged.media.id) {
    const found = await Promise.all(segments().map(([rung, name]) => media.openSegment(id, frames(), rung, name)));
    await media.written();
    return found;
  }
  return {
    bench: () => bench,
    packaged: () => packaged,
    root: () => root,
    openNode,
    /** A node that serves no viewers. */
    openWorker: () => openNode('worker', { serves: false }),
    frames,
    segments,
    publish,
    readAll,
    expectPlayable: async (node: MediaNode, id?: string) =>
      expect((await readAll(node, id)).filter(Boolean).length).toBeGreaterThan(6),
    openFirst: ({ media }: MediaNode, id: string) => media.openSegment(id, frames(), 'v0', '0.m4s'),
    piecesOf: ({ dataDir }: MediaNode): string[] => readdirSync(join(dataDir, 'media-cache/pieces')),
    named: (id: string): PackagedMedia => ({ ...packaged, media: { ...packaged.media, id } }),
    idOf: (digit: string): string => digit.repeat(32),
  };
}
