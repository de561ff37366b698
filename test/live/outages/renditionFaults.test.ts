// SPDX-License-Identifier: Apache-2.0
// Faults of single renditions of a live origin: redundant renditions take over, else others of their kind, and not slate.
import { expect, test } from 'vitest';
import { isOurs } from '../../laws/readBack.ts';
import { naming } from '../../naming.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, segmentsOf, startOrigin } from '../liveStage.ts';
import type { Viewer } from '../viewer.ts';
import { healthOf, watchIn } from './shownOrigins.ts';

const stage = await fileStage();

/** Each rendition again, below `/edge1/`: the variants with the same attributes, their audio in a group of its own. */
const withRedundant = (text: string): string => {
  const [head, ...entries] = text.trim().split(/\n(?=#EXT-X-MEDIA|#EXT-X-STREAM-INF)/);
  const again = entries.map((entry) =>
    entry
      .replace('"sound"', '"sound2"')
      .replace(/URI="/, 'URI="edge1/')
      .replace(/\n(\w)/, '\nedge1/$1'),
  );
  return [head, ...entries, ...again, ''].join('\n');
};

/** Where the segments of a rung came from, without repetitions. */
function placesOf(viewer: Viewer, rung: string): string[] {
  const places = segmentsOf(viewer, rung).map(({ uri }) =>
    isOurs(uri) ? 'slate' : /\/edge1\//.test(uri) ? 'redundant' : `own ${/\/(\w+)\/\d+\/\d+/.exec(uri)?.[1]}`,
  );
  return places.filter((place, index) => place !== places[index - 1]);
}

test.concurrent.each(['v0', 'a0'])('redundant renditions take over when %s dies, and back', async (dead) => {
  const { clock } = stage;
  const origin = await startOrigin(stage, { window: 8 });
  origin.fail(({ kind }) => (kind === 'multivariant' ? { does: 'rewrite', rewrite: withRedundant } : undefined));
  const id = `redundant-${dead}`;
  await airLive(stage, id, { sourceManifestUrl: origin.hlsUrl });
  const viewer = await watchIn(stage, id, 'hls');
  await clock.sleep(20_000);
  expect(viewer.rungs).toEqual(['v0', 'v1', 'a0']);
  const revive = origin.fail(({ name, kind, edge }) =>
    kind === 'media' && edge === '' && name === dead ? { does: 'respond', status: 404 } : undefined,
  );
  await clock.sleep(30_000);
  expect(placesOf(viewer, 'v0')).toEqual(['own v0', 'redundant']);
  expect(placesOf(viewer, 'a0')).toEqual(['own a0', 'redundant']);
  expect(await healthOf(stage, id, 'hls')).toMatchObject({
    state: 'failing',
    reason: naming(`${dead}.m3u8`, '404'),
    onAir: { kind: 'backup', url: `${origin.hlsUrl}#2` },
  });
  revive();
  await clock.sleep(70_000);
  expect(placesOf(viewer, 'v0')).toEqual(['own v0', 'redundant', 'own v0']);
  const all = origin.fail(({ name, kind }) =>
    kind === 'media' && name === dead ? { does: 'respond', status: 404 } : undefined,
  );
  await clock.sleep(20_000);
  expect((await healthOf(stage, id, 'hls')).reason).toEqual(naming(`${dead}.m3u8`, `edge1/${dead}.m3u8`));
  all();
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
});

test.concurrent('another rendition takes the place of one that has died', async () => {
  const { clock } = stage;
  const origin = await startOrigin(stage, { window: 8 });
  await airLive(stage, 'substitutes', { sourceManifestUrl: origin.hlsUrl });
  const viewer = await watchIn(stage, 'substitutes', 'hls');
  await clock.sleep(20_000);
  origin.fail(({ name, kind }) => (kind === 'media' && name === 'v1' ? { does: 'respond', status: 500 } : undefined));
  await clock.sleep(30_000);
  expect(placesOf(viewer, 'v1')).toEqual(['own v1', 'own v0']);
  expect(placesOf(viewer, 'v0')).toEqual(['own v0']);
  const health = await healthOf(stage, 'substitutes', 'hls');
  expect(health).toMatchObject({ state: 'failing', onAir: { kind: 'backup', url: `${origin.hlsUrl}#substitutes` } });
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
});
