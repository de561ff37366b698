// SPDX-License-Identifier: Apache-2.0
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deferred } from '../../../test/deferred.ts';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { memoryOrigin } from '../../../test/live/origin/memoryOrigin.ts';
import { scratchFolderInTest } from '../../../test/opened.ts';
import type { Ffmpeg } from '../ports.ts';
import { createSourceFrames, framePlace } from './sourceFrames.ts';

const shape = { segments: new Array(10).fill(50), qualities: 2 };
const asset = syntheticAsset({ name: 'a', ...shape });

test('an instant is in the segment that contains it; at a border, in the one that starts there', () => {
  const places = [0, 1.96, 2, 3.5, 19.9, 20, 500].map((seconds) => framePlace(asset, seconds)!);
  expect(places.map(({ segment }) => segment)).toEqual([0, 0, 1, 1, 9, 9, 9]);
  expect(places.map(({ offset }) => Math.round(offset * 10) / 10)).toEqual([0, 1.9, 0, 1.5, 1.9, 1.9, 1.9]);
  expect(framePlace(asset, Number.NaN)).toBeUndefined();
});

/** Counts reads; decodes once `release` was called. */
function stage() {
  const reads: string[] = [];
  const { promise: released, resolve: release } = deferred();
  const origin = memoryOrigin((url) => {
    reads.push(url);
    return new Uint8Array([1]);
  });
  const ffmpeg: Ffmpeg = {
    missing: async () => undefined,
    run: async (_, { stdout }) => {
      await released;
      await stdout!(
        (async function* () {
          yield new Uint8Array([0xff, 0xd8]);
        })(),
      );
      return { ok: true, stderr: '' };
    },
  };
  return { reads, origin, ffmpeg, release };
}

test('a frame is made once for all who want it, and leaves no file', async () => {
  const { reads, origin, ffmpeg, release } = stage();
  const folder = scratchFolderInTest();
  const old = join(folder, 'left-behind.media');
  writeFileSync(old, '');
  utimesSync(old, 1, 1);
  const { frameAt } = createSourceFrames(origin, ffmpeg, folder);
  const both = [frameAt(asset, 2), frameAt(asset, 2)];
  release();
  for (const frame of await Promise.all(both)) expect(frame).toEqual(new Uint8Array([0xff, 0xd8]));
  const count = reads.length;
  await frameAt(asset, 2);
  expect(reads).toHaveLength(count);
  expect(readdirSync(folder)).toEqual([]);
});

test('frames that wait are bounded', async () => {
  const { origin, ffmpeg, release } = stage();
  const { frameAt } = createSourceFrames(origin, ffmpeg, scratchFolderInTest());
  const all = Array.from({ length: 40 }, (_, index) => frameAt(asset, index / 2));
  release();
  const found = await Promise.all(all);
  expect(found.filter((each) => each === 'busy').length).toBeGreaterThan(10);
  expect(found.some((each) => each instanceof Uint8Array)).toBe(true);
});

test('a source that cannot be read has no frame', async () => {
  const { ffmpeg } = stage();
  expect(
    await createSourceFrames(
      memoryOrigin(() => 404),
      ffmpeg,
      scratchFolderInTest(),
    ).frameAt(asset, 1),
  ).toBeUndefined();
});
