// SPDX-License-Identifier: Apache-2.0
// The publication of a creative, until players are redirected to its container.
import { describe, expect, test } from 'vitest';
import { cloudInstallations } from '../../../../test/servers/cloudInstallations.ts';
import type { Channel } from '../../../channels/channel.ts';
import type { ServedMedia } from './ports.ts';

const { bench, servedBytes, channel, listed, media, open } = cloudInstallations();

describe('a creative', () => {
  test('is redirected to the container once all of it is published, with the same bytes at every length', async () => {
    const here = await open();
    const lengths = [media().frames, media().frames + 7, media().frames - 3];
    const paths = lengths.flatMap((frames) => [...listed(frames), ...listed(frames, false)]);
    expect((await Promise.all(paths.map((path) => here.cloud.urlOf(channel, path)))).filter(Boolean)).toEqual([]);
    await here.watch.probe();
    await here.watch.count();
    await here.round();
    await here.round();
    for (const path of paths) {
      const url = await here.cloud.urlOf(channel, path);
      expect(url, path).toMatch(/\/creatives-\d+\/m\/.*sig=/);
      const response = await fetch(url!, { headers: { origin: 'https://page.example' } });
      expect(response.status, path).toBe(200);
      expect(response.headers.get('content-type')).toBe(path.includes('/a0-') ? 'audio/mp4' : 'video/mp4');
      expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), await servedBytes(path)), path).toBe(0);
    }
    // Lengths share all but the last segment of each rung. Audio has five leads, each with three ends.
    // There is also a blob for probes.
    const listing = await here.container().list('m/');
    if (!listing.ok) throw new Error(listing.reason);
    const [video, audio] = [2 * (1 + 2 + lengths.length), 1 + 5 * 2 + 15 * lengths.length];
    expect(listing.value).toHaveLength(video + audio + 1);
    expect(here.counts.at(-1)).toEqual({
      objects: listing.value.length,
      bytes: listing.value.reduce((sum, { bytes }) => sum + bytes, 0),
    });
    expect(await here.state(here.system)).toEqual({
      state: 'working',
      stateReason: expect.stringMatching(/\b3\b.*\b0\b/),
    });
  });

  test('is published as soon as it is in a decision, and only for channels of the system', async () => {
    const here = await open();
    const ad = { mediaId: media().id, frames: media().frames };
    here.cloud.want({ ...channel, systemId: undefined } as unknown as Channel, [ad]);
    here.cloud.want({ ...channel, tenant: 'globex' }, [ad]);
    await here.round();
    expect(await here.store.all(here.location())).toEqual([]);
    here.cloud.want(channel, [ad, { mediaId: 'f'.repeat(32), frames: 1 }]);
    await expect.poll(() => here.store.all(here.location())).toHaveLength(1);
    await here.round();
    const [path] = listed(media().frames);
    expect(await here.cloud.urlOf(channel, path!)).toBeDefined();
    expect(await here.cloud.urlOf(channel, `../../..${path}`)).toBe(await here.cloud.urlOf(channel, path!));
    expect(await here.cloud.urlOf({ ...channel, tenant: 'globex' }, listed(media().frames)[0]!)).toBeUndefined();
    for (const odd of [
      'https://cdn.example/a.m4s',
      '/m/x',
      `/m/${media().id}/1/../0.m4s`,
      `/m/${'f'.repeat(32)}/1/v0/0.m4s`,
    ])
      expect(await here.cloud.urlOf(channel, odd), odd).toBeUndefined();
  });

  test('is not redirected while it is incomplete, and is uploaded once by concurrent publishers', async () => {
    let failAfter = 3;
    const mediaStore: ServedMedia = {
      ...bench().files,
      openSegment: async (...segment) => {
        failAfter -= 1;
        if (failAfter === 0) throw new Error('the disk failed');
        return bench().files.openSegment(...segment);
      },
    };
    const here = await open(mediaStore);
    const [first] = listed(media().frames);
    await here.cloud.urlOf(channel, first!);
    await here.watch.probe();
    await here.publish();
    expect(here.logged.some((line) => line.includes('"error":'))).toBe(true);
    await here.cloud.refresh();
    expect(await here.cloud.urlOf(channel, first!)).toBeUndefined();
    here.pass(60_000); // until the claim of the failed publisher has expired
    await Promise.all([here.publish(), here.publish(), here.publish()]);
    await here.round();
    expect(await here.cloud.urlOf(channel, first!)).toBeDefined();
    expect(here.logged.filter((line) => line.includes('"bytes":'))).toHaveLength(1);
  });
});
