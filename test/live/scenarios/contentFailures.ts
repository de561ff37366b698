// SPDX-License-Identifier: Apache-2.0
// Failing content: unavailable origins, missing assets and segments, items that do not fit. The channel plays the rest, or
// slate, and reports the reason.

import { expect } from 'vitest';
import { isOurs, sharedMedia } from '../../laws/readBack.ts';
import { naming } from '../../naming.ts';
import { startMediaOrigin } from '../mediaOrigin.ts';
import { item, type Stage } from '../stage.ts';
import { makeVideo } from '../testVideos.ts';
import type { Viewer } from '../viewer.ts';

type Status = {
  readonly state: string;
  readonly stateReason?: string;
  readonly items: readonly { readonly state: string; readonly reason?: string }[];
};

const statusOf = async ({ midroll }: Stage, channel: string): Promise<Status> =>
  (await midroll.api('GET', `/channels/${channel}`)).json;

/** URIs of the segments at the live edge, back to so many seconds before it. */
function atEdge({ listed }: Viewer, seconds: number): string[] {
  const all = [...listed.get('v0')!.values()];
  const edge = Math.max(...all.map(({ date }) => date));
  return all.filter(({ date }) => date > edge - seconds * 1000).map(({ uri }) => uri);
}

const cue = { spliceTime: 4, maxDuration: 4 };

/** One channel has other content, one has not. */
export async function originFailsAndRecovers(stage: Stage): Promise<void> {
  const origin = await startMediaOrigin();
  stage.onClose(() => origin.close());
  const [path, other] = await Promise.all([
    makeVideo(origin.folder, 'video', { seconds: 8 }),
    stage.video({ seconds: 8 }),
  ]);
  const video = origin.url + path;
  await stage.air('gone', [item(video, cue), item(other, cue)]);
  await stage.air('alone', [item(video, cue)]);
  const mayBeMissing = (url: string) => url.startsWith(origin.url);
  const [viewer, alone] = await Promise.all([
    stage.watch('gone', { mayBeMissing }),
    stage.watch('alone', { mayBeMissing }),
  ]);
  const shows = (one: Viewer, seconds: number) => atEdge(one, seconds).some(mayBeMissing);
  await viewer.until('content of the origin is shown', () => shows(viewer, 24) && shows(alone, 12));

  await origin.stop();
  await viewer.until('the content is left out', () => !shows(viewer, 24) && !shows(alone, 12));
  const gone = await statusOf(stage, 'gone');
  expect(gone.state).toBe('enabled');
  expect(gone.stateReason).toMatch(/^Item 1 \(.*refused/);
  const dark = await statusOf(stage, 'alone');
  expect(dark.state).toBe('failed');
  expect(dark.stateReason).toMatch(/playlist .*slate/);

  await origin.restart();
  await viewer.until('the content is shown again', () => shows(viewer, 8) && shows(alone, 8));
  await viewer.until(
    'the channel reports no failure',
    async () => (await statusOf(stage, 'gone')).stateReason === undefined,
  );
  await Promise.all([viewer.leave(), alone.leave()]);
  expect([...viewer.faults, ...alone.faults]).toEqual([]);
}

/** A missing asset is retried; assets that are ready are not read again. */
export async function assetIsMissing(stage: Stage): Promise<void> {
  const { origin } = stage;
  const [late, there] = await Promise.all([
    makeVideo(origin.folder, 'late', { seconds: 4 }),
    makeVideo(origin.folder, 'there', { seconds: 8 }),
  ]);
  origin.missing.add(late);
  await stage.air('missing', [item(origin.url + late), item(origin.url + there, cue)]);
  const viewer = await stage.watch('missing');
  const status = await statusOf(stage, 'missing');
  expect(status.state).toBe('enabled');
  expect(status.stateReason).toMatch(/^Item 1 \("late"\).*404/);
  expect(status.items.map(({ state }) => state)).toEqual(['failed', 'ready']);

  const attempts = () => origin.requested.filter((path) => path === late).length;
  await viewer.until('the asset is retried', () => attempts() > 1);
  origin.missing.delete(late);
  await viewer.until('the asset is shown', () => atEdge(viewer, 8).some((uri) => uri.includes('/late/')));
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  expect(origin.requested.filter((path) => path === there)).toHaveLength(1);
}

/** Two segments are missing: one that the import reads, and one that it does not read. */
export async function segmentIsMissing(stage: Stage): Promise<void> {
  const { origin } = stage;
  const [first, later, there] = await Promise.all([
    makeVideo(origin.folder, 'firstless', { seconds: 8 }),
    makeVideo(origin.folder, 'holed', { seconds: 24 }),
    stage.video({ seconds: 8 }),
  ]);
  origin.missing.add('/firstless/r0-0.m4s');
  const hole = '/holed/r0-4.m4s';
  origin.missing.add(hole);
  await stage.air('holed', [item(origin.url + first), item(origin.url + later), item(there, cue)]);
  const viewer = await stage.watch('holed', { mayBeMissing: (url) => url.endsWith(hole) });
  const { items } = await statusOf(stage, 'holed');
  expect(items[0]).toMatchObject({ state: 'failed' });
  expect(items[0]!.reason).toMatch(/r0-0\.m4s.*404/);
  const from = stage.clock.now();
  await viewer.until('segments after the missing one are listed', () =>
    [...viewer.listed.get('v0')!.values()].some(({ uri, date }) => date > from && uri.endsWith('/holed/r0-6.m4s')),
  );
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}

/** A broken slate is replaced with the built-in slate, and the channel reports it. */
export async function slateIsBroken(stage: Stage): Promise<void> {
  const { origin } = stage;
  const video = await stage.video({ seconds: 8 });
  await stage.air('own', [item(video, cue)], { adSlateManifestUrl: video });
  await stage.air('broken', [item(video, cue)], { adSlateManifestUrl: `${origin.url}/no-slate.m3u8` });
  await stage.air('plain', [item(video, cue)]);
  const [own, broken, plain] = await Promise.all([stage.watch('own'), stage.watch('broken'), stage.watch('plain')]);
  const slateOf = ({ listed }: Viewer) =>
    new Set(
      [...listed.get('v0')!.values()].flatMap(({ uri }) => (isOurs(uri) ? [sharedMedia(uri).split('/')[0]] : [])),
    );
  for (const viewer of [own, broken, plain]) await viewer.until('slate is listed', () => slateOf(viewer).size === 1);
  expect(slateOf(broken)).toEqual(slateOf(plain));
  expect(slateOf(own)).not.toEqual(slateOf(plain));
  const { stateReason } = await statusOf(stage, 'broken');
  expect(stateReason).toMatch(/own slate.*404/);
  expect(await statusOf(stage, 'own')).not.toHaveProperty('stateReason');
  const from = stage.clock.now();
  await own.until('two breaks are over', () => stage.clock.now() > from + 12_000);
  await Promise.all([own.leave(), broken.leave(), plain.leave()]);
  expect([own, broken, plain].flatMap(({ faults }) => faults)).toEqual([]);
}

/** A channel plays one container and one target duration. Other items are left out with a reason. */
export async function itemDoesNotFit(stage: Stage): Promise<void> {
  const [video, transport, long] = await Promise.all([
    stage.video({ seconds: 8 }),
    stage.video({ seconds: 8, container: 'ts' }),
    stage.video({ seconds: 12, framesPerSegment: 150 }),
  ]);
  await stage.air('fits', [item(video, cue)]);
  const viewer = await stage.watch('fits');
  await stage.midroll.api('PUT', '/playlists/fits', {
    status: 'enabled',
    contents: [item(transport), item(video, cue), item(long)],
  });
  await viewer.until('the items of the edit are imported', async () => {
    const { items: now } = await statusOf(stage, 'fits');
    return now.length === 3 && now.every((one) => one.state !== 'importing');
  });
  const { state, items } = await statusOf(stage, 'fits');
  expect([state, ...items.map((one) => one.state)]).toEqual(['enabled', 'leftOut', 'ready', 'leftOut']);
  expect(items[0]!.reason).toEqual(naming('MPEG-TS', 'fragmented MP4'));
  expect(items[2]!.reason).toMatch(/\b6\.\d.*\b3 s\b/);
  const from = stage.clock.now();
  await viewer.until('the edited playlist is on air', () => stage.clock.now() > from + 14_000);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}
