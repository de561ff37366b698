// SPDX-License-Identifier: Apache-2.0
// Containers that are unavailable, that lost blobs, and that contain unused creatives.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { testSource } from '../../../../test/media/conditioning.ts';
import { naming } from '../../../../test/naming.ts';
import { cloudInstallations } from '../../../../test/servers/cloudInstallations.ts';
import { createMediaFiles } from '../../../adapters/media/mediaFiles.ts';
import type { Blob } from '../../../blobs/ports.ts';
import { millis } from '../../../time/units.ts';

const HOUR = 3_600_000;

const { azurite, bench, channel, ladder, listed, media, open } = cloudInstallations();

/** An installation that has published the creative. `url`: of its first file in the container, if players are redirected there. */
async function published() {
  const here = await open();
  const [path = ''] = listed(media().frames);
  const url = () => here.cloud.urlOf(channel, path);
  await url();
  await here.round();
  return { ...here, url };
}

describe('an unavailable container', () => {
  test('is not used, is reported without secrets, and is used again when it is available', async () => {
    const here = await published();
    expect(await here.url()).toBeDefined();
    await azurite().pause();
    here.cloud.want(channel, [{ mediaId: media().id, frames: media().frames + 1 }]);
    await expect.poll(() => here.store.all(here.location())).toHaveLength(2);
    await here.round();
    expect(await here.url()).toBeUndefined();
    const probed = await here.container().probe();
    expect(probed).toMatchObject({ ok: false, error: 'refused' });
    const state = await here.state(here.system);
    expect(state).toEqual({ state: 'failing', stateReason: expect.stringMatching(/\b1\b.*\b1\b/) });
    if (!probed.ok) expect(state?.stateReason).toContain(probed.reason);
    expect(here.logged.join()).not.toContain(azurite().settings.storageKey);
    await azurite().resume();
    here.pass(10_000);
    await here.round();
    await here.round();
    expect((await fetch((await here.url())!)).status).toBe(200);
    expect(await here.cloud.urlOf(channel, listed(media().frames + 1).at(-1)!)).toBeDefined();
  });

  test('is not used if it has not been checked recently', async () => {
    const here = await published();
    here.pass(50_000);
    await here.cloud.refresh();
    expect(await here.url()).toBeUndefined();
    expect((await here.state({ ...here.system, settings: {} })) ?? {}).toMatchObject({
      state: 'failing',
      stateReason: naming('storageAccount', 'storageKey', 'container'),
    });
  });
});

describe('a published creative', () => {
  test('is published again if some of its blobs were deleted', async () => {
    const here = await published();
    const listing = await here.container().list('m/');
    if (!listing.ok) throw new Error(listing.reason);
    await here.container().remove(listing.value.find(({ name }) => name.endsWith('/0.m4s'))!.name);
    await here.watch.count();
    await here.cloud.refresh();
    expect(await here.url()).toBeUndefined();
    await here.round();
    expect(await here.url()).toBeDefined();
    const again = await here.container().list('m/');
    const sizesIn = (blobs: readonly Blob[]) => blobs.map(({ name, bytes }) => [name, bytes]);
    expect(again.ok && sizesIn(again.value)).toEqual(sizesIn(listing.value));
  });

  test('is deleted once it is unused and not in the media store, except for blobs that another length needs', async () => {
    await bench().make('gone.mp4', ...testSource(2));
    const made = await bench().condition('gone.mp4', ladder);
    if (made.state !== 'ready') throw new Error(JSON.stringify(made));
    const { id, frames } = made.media;
    const files = createMediaFiles({ dataDir: bench().folder });
    const here = await open({
      ...files,
      find: (mediaId) => (isGone && mediaId === id ? undefined : files.find(mediaId)),
    });
    let isGone = false;
    here.cloud.want(channel, [
      { mediaId: id, frames },
      { mediaId: id, frames: frames + 2 },
    ]);
    await expect.poll(() => here.store.all(here.location())).toHaveLength(2);
    await here.round();
    await rm(join(bench().folder, 'media', id), { recursive: true });
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
