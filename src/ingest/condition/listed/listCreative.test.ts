// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { testLadder } from '../../../../test/media/conditioning.ts';
import { naming } from '../../../../test/naming.ts';
import { openSpot } from '../../../../test/servers/creativeHost.ts';
import { creativeAsset } from '../../../ads/creative/conditionedAsset.ts';
import type { CreativeState } from '../../../ads/creative/creative.ts';
import { segmentUrl } from '../../../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../../../timeline/ladder/ladder.ts';
import { importAsset } from '../../import/importAsset.ts';
import { type ListLimits, listCreative } from './listCreative.ts';

const { ladder, conditioning, host, close } = await openSpot('five.mp4', 5);
afterAll(close);
const exact: ReadonlyMap<string, string | Uint8Array> = new Map(host.files);
const usual: ListLimits = { httpsOnly: false, maxSeconds: 600, maxBytes: 2 ** 30 };
let uses = 0;

const ready = (state: CreativeState) => {
  if (state.state !== 'ready') throw new Error(`must be ready; got ${JSON.stringify(state)}`);
  return state.media;
};

beforeEach(() => {
  host.files.clear();
  for (const [path, file] of exact) host.files.set(path, file);
  host.allowOrigin = '*';
  host.requested.length = 0;
});

/** Why the creative at the host is not used as is; undefined if it is. */
async function rejection(path = 'spot/master.m3u8', on: Ladder = ladder, limits: Partial<ListLimits> = {}) {
  const imported = await importAsset(`${host.url}/${path}`, conditioning.origin);
  const listed = await listCreative('id', imported, on, conditioning.origin, { ...usual, ...limits });
  return 'unlike' in listed ? listed : undefined;
}

/** The media that the library returns for the creative at the host. */
async function use(path = 'spot/master.m3u8', on: Ladder = ladder) {
  uses += 1;
  const key = `${path} ${uses}`;
  conditioning.library.prepare(key, { url: `${host.url}/${path}`, mimeType: '' }, on);
  return ready(await conditioning.library.settled(key, on));
}
const replace = (path: string, from: string | RegExp, to: string): void => {
  host.files.set(path, (host.files.get(path) as string).replaceAll(from, to));
};
const withRung = (index: number, change: object): Ladder => ({
  ...ladder,
  rungs: ladder.rungs.map((rung, at) => (at === index ? { ...rung, ...change } : rung)),
});

describe('a creative that matches', () => {
  it.each(['spot/master.m3u8', 'spot/manifest.mpd'])(
    'is listed at its own host, exact to the frame: %s',
    async (path) => {
      const media = await use(path);
      expect(media).toMatchObject({ frames: 125, rungs: [{}, {}, { codecs: 'mp4a.40.2', timescale: 48_000 }] });
      const asset = creativeAsset(media, ladder, 125, '');
      expect(asset.renditions.map(({ id }) => id)).toEqual(['v0', 'v1', 'a0']);
      for (const { id, tracks } of asset.renditions) {
        expect(tracks[0]!.init?.url).toBe(`${host.url}/spot/${id}/init.mp4`);
        expect(segmentUrl(tracks[0]!, 1).url).toBe(`${host.url}/spot/${id}/1.m4s`);
      }
      const borders = (rung: number) => [...asset.renditions[rung]!.tracks[0]!.borders];
      expect(borders(0)).toEqual([3000, 53_000, 103_000, 128_000]);
      expect(borders(2)).toEqual([6, 99, 193, 240].map((frames) => frames * 1024));
    },
  );

  it('is read completely, and is then in the media store', async () => {
    const media = await use();
    const segments = host.requested.filter((path) => path.endsWith('.m4s'));
    expect(new Set(segments)).toEqual(new Set([...exact.keys()].filter((path) => path.endsWith('.m4s'))));
    expect(conditioning.files.find(media.id)?.media).toEqual(media);
  });

  it('fills a rung with video of at least half its height, and never with larger video', async () => {
    replace('/spot/master.m3u8', /#EXT-X-STREAM-INF.*RESOLUTION=160x90.*\n.*\n/g, '');
    const small = await use();
    expect(small.asset?.renditions.map(({ height }) => height)).toEqual([72, 72, undefined]);
    const large = await rejection('spot/master.m3u8', withRung(1, { width: 80, height: 45 }));
    expect(large).toEqual({ code: 'PICTURE_TOO_LARGE', unlike: naming('video 80×45', '128×72') });
  });
});

describe('a creative is not listed when', () => {
  it.each([
    ['FRAME_RATE', { ...ladder, frameRate: { n: 30, d: 1 } }, naming('video 160×90', 30, 25)],
    ['CODEC', withRung(0, { codecs: 'avc1.42000a' }), naming('video 160×90', 'avc1.42000a')],
    ['SAMPLE_RATE', testLadder({ n: 25, d: 1 }, 44_100), naming('a0', 44_100, 48_000)],
    ['CHANNELS', withRung(2, { channels: 1 }), naming('a0', 1, 2)],
    ['ASPECT_RATIO', withRung(0, { width: 120, height: 90 }), naming('video 120×90', '160×90')],
    ['BIT_RATE', withRung(0, { bandwidth: 9000, averageBandwidth: 9000 }), naming('video 160×90', '15 kbit/s')],
    ['CONTAINER', testLadder({ n: 25, d: 1 }, 48_000, 'ts', 'muxed'), naming('MPEG-TS', 'fragmented MP4')],
  ])('it differs from the ladder: %s', async (code, on, unlike) => {
    expect(await rejection('spot/master.m3u8', on)).toEqual({ code, unlike });
  });

  it('players on other pages may not read it', async () => {
    host.allowOrigin = 'https://one.example';
    expect(await rejection()).toMatchObject({ code: 'NOT_FOR_ANY_PAGE' });
    host.allowOrigin = undefined;
    expect(await rejection()).toMatchObject({ code: 'NOT_FOR_ANY_PAGE' });
  });

  it('viewers use https and its URLs do not', async () => {
    expect(await rejection('spot/master.m3u8', ladder, { httpsOnly: true })).toMatchObject({ code: 'NOT_HTTPS' });
  });

  it('it is longer or larger than a creative may be', async () => {
    expect(await rejection('spot/master.m3u8', ladder, { maxSeconds: 4 })).toEqual({
      code: 'TOO_LONG',
      unlike: naming(5, 4),
    });
    expect(await rejection('spot/master.m3u8', ladder, { maxBytes: 20_000 })).toMatchObject({ code: 'TOO_LARGE' });
  });

  it('its URLs may expire', async () => {
    replace('/spot/v1/list.m3u8', '1.m4s', '1.m4s?token=4f7a');
    const unlike = await rejection();
    expect(unlike).toEqual({ code: 'QUERY', unlike: naming('v1', 1) });
    expect(unlike?.unlike).not.toContain('4f7a');
  });

  it('its audio and video have different durations', async () => {
    replace('/spot/a0/list.m3u8', /#EXTINF:[\d.]+,\n2.m4s\n/g, '');
    expect(await rejection()).toEqual({
      code: 'IMPORT_WARNING',
      unlike: expect.stringMatching(/^(?=.*\ba0\b)(?=.*\bv0\b).*\b1\.0\d+\b/),
    });
  });

  it('a segment has a decode time other than its listed time', async () => {
    const moved = Buffer.from(host.files.get('/spot/v0/1.m4s') as Uint8Array);
    moved.writeUInt32BE(moved.readUInt32BE(moved.indexOf('tfdt') + 12) + 1000, moved.indexOf('tfdt') + 12);
    host.files.set('/spot/v0/1.m4s', moved);
    expect(await rejection()).toEqual({ code: 'OTHER_TIMES', unlike: naming('v0', '2120.000 ms', '2160.000 ms') });
  });

  it('a segment is missing', async () => {
    host.files.delete('/spot/v0/2.m4s');
    expect((await rejection())?.unlike).toEqual(naming('spot/v0/2.m4s', 404));
  });

  it('a segment in the middle does not begin with a key frame', async () => {
    const second = Buffer.from(host.files.get('/spot/v0/1.m4s') as Uint8Array);
    const at = second.indexOf('trun') + 4;
    // The sample flags follow version, count and data offset, and the duration and size of the sample if they are present.
    const flags = second.readUInt32BE(at);
    const own = at + 12 + (flags & 0x4 ? 0 : (flags & 0x100 ? 4 : 0) + (flags & 0x200 ? 4 : 0));
    second.writeUInt32BE(0x01010000, own);
    host.files.set('/spot/v0/1.m4s', second);
    expect(await rejection()).toEqual({ code: 'NO_KEY_FRAME', unlike: naming('v0', 1) });
  });
});

it('a creative that does not match is conditioned, and the reason is kept', async () => {
  host.allowOrigin = undefined;
  const media = await use();
  expect([media.frames, media.asset]).toEqual([125, undefined]);
  expect(media.unlike).toEqual(naming('access-control-allow-origin'));
});

it('a creative is conditioned if its source is not to be used as is', async () => {
  const source = { url: `${host.url}/spot/master.m3u8`, mimeType: '', asIs: false };
  conditioning.library.prepare('copy', source, ladder);
  const media = ready(await conditioning.library.settled('copy', ladder));
  expect([media.frames, media.asset, media.unlike]).toEqual([125, undefined, undefined]);
});
