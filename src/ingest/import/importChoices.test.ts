// SPDX-License-Identifier: Apache-2.0
// Which renditions of a manifest an import uses, and which it leaves out.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { importing } from '../../../test/media/importing.ts';
import { encodeTestVideo, group, manifest, variant } from '../../../test/media/testVideo.ts';
import { naming } from '../../../test/naming.ts';
import { FLICKS_PER_SECOND } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { audioFault } from '../../timeline/asset/mpegAudio.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { fitToLadder, ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { assetId } from './importAsset.ts';

const { server, put, tryImport, imported, plain } = importing();
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=r=48000'];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-sc_threshold', '0', '-bf', '0'];
let video = '';
beforeAll(async () => {
  video = (await encodeTestVideo(server())).video;
});

const kinds = ({ renditions }: Asset): string[] =>
  renditions.map(({ id, tracks }) => `${id} ${new URL(segmentUrl(tracks[0]!, 0).url).pathname}`);

describe('an import', () => {
  test('uses a rendition that several variants share once, with the lowest bandwidth', async () => {
    put(
      '/asset.m3u8',
      manifest(
        group('lo', 'en', 'a.m3u8'),
        group('hi', 'sv', 'a.m3u8?other'),
        variant(900_000, 'v.m3u8', ',AUDIO="hi",AVERAGE-BANDWIDTH=800000'),
        variant(700_000, './v.m3u8', ',AUDIO="lo"'),
      ),
    );
    const asset = await imported('/asset.m3u8');
    expect(asset.renditions.map(({ id }) => id)).toEqual(['v0', 'a0', 'a1']);
    expect(asset.renditions[0]!.bandwidth).toBe(700_000);
    expect(server().requested.filter((path) => path.startsWith('/v.m3u8'))).toHaveLength(1);
    expect(asset.id).toBe(assetId(`${server().base}/asset.m3u8`));
  });

  test('uses the best of several groups that differ only in bit rate', async () => {
    put(
      '/asset.m3u8',
      manifest(
        group('lo', 'en', 'a.m3u8?64'),
        group('lo', 'sv', 'a.m3u8?64sv'),
        group('hi', 'en', 'a.m3u8?128'),
        group('hi', 'sv', 'a.m3u8?128sv'),
        group('unused', 'fr', 'a.m3u8?fr'),
        '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI="i.m3u8"',
        '#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1,URI="j.m3u8"',
        variant(500_000, 'v.m3u8?1', ',AUDIO="lo"'),
        variant(900_000, 'v.m3u8?2', ',AUDIO="hi"'),
      ),
    );
    const asset = await imported('/asset.m3u8');
    const named = asset.renditions.map(({ id, language }) => `${id} ${language}`);
    expect(named).toEqual(['v0 undefined', 'v1 undefined', 'a0 en', 'a1 sv']);
    expect(server().requested).not.toContain('/a.m3u8?fr');
    expect(asset.warnings).toEqual([naming('AUDIO="unused"'), naming('I-FRAME'), naming('images')]);
  });

  test('uses an audio-only variant only if nothing else has audio', async () => {
    const withVideo = variant(500_000, 'v.m3u8', ',AUDIO="a"');
    put('/asset.m3u8', manifest(group('a', 'en', 'a.m3u8'), withVideo, variant(64_000, 'a.m3u8?alone')));
    const asset = await imported('/asset.m3u8');
    expect(asset.renditions.map(({ id }) => id)).toEqual(['v0', 'a0']);
    expect(asset.warnings).toEqual([naming(5, 'asset.m3u8')]);
    put('/radio.m3u8', manifest(variant(96_000, 'a.m3u8'), variant(64_000, 'a.m3u8?low')));
    const radio = await imported('/radio.m3u8');
    const described = radio.renditions.map(({ id, kind, bandwidth }) => `${id} ${kind} ${bandwidth}`);
    expect(described).toEqual(['a0 audio 96000', 'a1 audio 64000']);
    expect(radio.parts[0]!.cutPoints.length).toBeGreaterThan(3);
  });

  test('resolves references against the URL after redirects, and keeps queries', async () => {
    server().redirects.set('/start.m3u8', '/deep/er/asset.m3u8?x=1');
    put('/deep/er/asset.m3u8', manifest(variant(1, '../v.m3u8?t=a/b')));
    server().redirects.set('/deep/v.m3u8', '/v.m3u8');
    const asset = await imported('/start.m3u8?token=1');
    expect(asset.url).toBe(`${server().base}/start.m3u8?token=1`);
    expect(kinds(asset)).toEqual(['v0 /v0.m4s']);
    put('/signed.m3u8', video.replace(/^(v\d\.m4s)$/gm, '$1?sig=%2F1').replace('vi.mp4"', 'vi.mp4?sig=2"'));
    const [track] = (await imported('/signed.m3u8')).renditions[0]!.tracks;
    expect(segmentUrl(track!, 2).url).toBe(`${server().base}/v2.m4s?sig=%2F1`);
    expect(track!.init!.url).toBe(`${server().base}/vi.mp4?sig=2`);
  });

  test('uses codecs and bit rates of the media if those of the manifest are wrong', async () => {
    const wrong = ',AUDIO="a",CODECS="hvc1.1.6.L93.90,ac-3"';
    put('/asset.m3u8', manifest(group('a', 'en', 'a.m3u8'), variant(1000, 'v.m3u8', wrong)));
    const [video, audio] = (await imported('/asset.m3u8')).renditions;
    expect([video!.codecs, audio!.codecs]).toEqual([expect.stringMatching(/^avc1\.[0-9a-f]{6}$/), 'mp4a.40.2']);
    expect(video!.averageBandwidth).toBeGreaterThan(5000);
    put('/asset.m3u8', manifest(variant(9_000_000, 'v.m3u8', ',CODECS="avc1.640028"')));
    const declared = { codecs: video!.codecs, bandwidth: 9_000_000, averageBandwidth: 9_000_000 };
    expect((await imported('/asset.m3u8')).renditions[0]).toMatchObject(declared);
  });

  test('leaves out separate audio if the video is muxed, and ignores it for cut points', async () => {
    const audio = group('a', 'sv', 'a.m3u8');
    const inside = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",LANGUAGE="en"';
    const segments = ['-f', 'hls', '-hls_playlist_type', 'vod', '-hls_time', '1.9', 'm.m3u8'];
    await server().encode('.', ...picture, ...tone, ...x264, '-c:a', 'aac', '-t', '6', ...segments);
    put('/asset.m3u8', manifest(inside, audio, variant(900_000, 'm.m3u8', ',AUDIO="a"')));
    const { renditions, warnings, parts } = await imported('/asset.m3u8');
    expect(renditions.map(({ kind, language }) => `${kind} ${language}`)).toEqual(['muxed en']);
    expect(warnings).toEqual([naming(3, 'asset.m3u8', 'EXT-X-MEDIA')]);
    expect(parts[0]!.cutPoints).toHaveLength(4);
  });

  test('finds no frame rate in a transport stream with irregular pictures', async () => {
    const uneven = "select='not(eq(mod(n,7),3))*not(eq(mod(n,11),5))'";
    const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=30', '-t', '4'];
    const output = '-c:v libx264 -preset ultrafast -bf 2 -f hls -hls_playlist_type vod -hls_time 1.9'.split(' ');
    const encode = (name: string, ...flags: string[]) => server().encode('.', ...input, ...flags, ...output, name);
    await encode('uneven.m3u8', '-vf', uneven, '-vsync', 'vfr', '-g', '20');
    await encode('even.m3u8', '-vf', 'select=not(eq(n\\,20))', '-vsync', 'vfr', '-g', '60');
    expect((await imported('/uneven.m3u8')).renditions[0]).not.toHaveProperty('frameRate');
    expect((await imported('/even.m3u8')).renditions[0]!.frameRate).toEqual({ n: 30, d: 1 });
  });

  test('reads byte ranges of several resources and of single segments', async () => {
    const file = readFileSync(join(server().folder, 'v0.m4s'));
    put('/w.m3u8', video.replace(/^v0/m, `#EXT-X-BYTERANGE:${file.length}@9\nlong`));
    writeFileSync(join(server().folder, 'long.m4s'), Buffer.concat([Buffer.alloc(9), file, Buffer.alloc(5)]));
    const [track] = (await imported('/w.m3u8')).renditions[0]!.tracks;
    put('/whole.m3u8', video);
    expect(track!.borders).toEqual((await imported('/whole.m3u8')).renditions[0]!.tracks[0]!.borders);
    expect([0, 1, 2].map((index) => segmentUrl(track!, index))).toEqual([
      { url: `${server().base}/long.m4s`, range: { start: 9, length: file.length } },
      { url: `${server().base}/v1.m4s` },
      { url: `${server().base}/v2.m4s` },
    ]);
  });

  test('imports variables of the multivariant playlist into media playlists', async () => {
    put('/asset.m3u8', manifest('#EXT-X-DEFINE:NAME="dir",VALUE="."', variant(1, '{$dir}/w.m3u8')));
    put('/w.m3u8', video.replace('#EXTINF', '#EXT-X-DEFINE:IMPORT="dir"\n#EXTINF').replace(/^v1/m, '{$dir}/v1'));
    expect((await imported('/asset.m3u8')).duration).toBe(6 * FLICKS_PER_SECOND);
  });

  test('skips segments without a duration', async () => {
    put('/w.m3u8', video.replace('#EXTINF', '#EXTINF:0,\nnothing.m4s\n#EXTINF'));
    expect((await imported('/w.m3u8')).duration).toBe(6 * FLICKS_PER_SECOND);
    expect(server().requested.join()).not.toContain('nothing');
  });

  test('leaves out renditions that cannot be read if there are others of their kind', async () => {
    put(
      '/asset.m3u8',
      manifest(
        group('a', 'en', 'a.m3u8'),
        group('a', 'sv', 'missing.m3u8'),
        '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="s",NAME="x",URI="gone.m3u8"',
        variant(1, 'v.m3u8', ',AUDIO="a",SUBTITLES="s"'),
        variant(2, 'absent.m3u8', ',AUDIO="a",SUBTITLES="s"'),
      ),
    );
    const { renditions, warnings } = await imported('/asset.m3u8');
    expect(renditions.map(({ id }) => id)).toEqual(['v0', 'a0']);
    expect(warnings.map(plain)).toEqual([
      naming(3, 'asset.m3u8', '/missing.m3u8', 404),
      naming(4, 'asset.m3u8', '/gone.m3u8', 404),
      naming(7, 'asset.m3u8', '/absent.m3u8', 404),
    ]);
  });

  test('leaves out renditions with missing segments or other parts', async () => {
    put('/torn.m3u8', video.replace(/^v2/m, 'missing'));
    put('/cut.m3u8', video.replace(/(#EXTINF[^\n]*\nv2)/, '#EXT-X-DISCONTINUITY\n$1'));
    const variants = ['cut.m3u8', 'torn.m3u8', 'v.m3u8', 'v.m3u8?2'].map((uri, index) => variant(index + 1, uri));
    put('/asset.m3u8', manifest(...variants));
    const { renditions, warnings } = await imported('/asset.m3u8');
    expect(renditions.map(({ id }) => id)).toEqual(['v2', 'v3']);
    expect(warnings.map(plain)).toEqual([
      naming(4, 'asset.m3u8', '/missing.m4s', 404),
      naming(2, 'asset.m3u8', 'v2', 1),
    ]);
  });
});

// Audio codecs in MPEG-TS that channels cannot play are reported, and not mistaken for AAC or for no audio.

const list = ['-f', 'hls', '-hls_playlist_type', 'vod', '-hls_time', '2', '-hls_segment_type', 'mpegts'];
const encode = (name: string, ...codecs: string[]) =>
  server().encode(
    '.',
    ...[...picture, ...tone, '-map', '0:v', ...codecs.flatMap(() => ['-map', '1:a']), '-t', '4', ...x264],
    ...codecs.flatMap((codec, index) => [`-c:a:${index}`, codec]),
    ...[...list, `${name}.m3u8`],
  );
beforeAll(async () => {
  const codecs = { aac: ['aac'], mp3: ['libmp3lame'], mp2: ['mp2'], opus: ['libopus'], both: ['aac', 'libopus'] };
  await Promise.all([
    ...Object.entries(codecs).map(([name, of]) => encode(name, ...of)),
    server().encode('.', ...tone, '-t', '4', '-c:a', 'libopus', ...list, 'audio.m3u8'),
  ]);
});

test.each([['mp3'], ['mp2']])('%s is recognized, and no channel can play it', async (name) => {
  const [other, asset] = [await imported(`/${name}.m3u8`), await imported('/aac.m3u8')];
  expect(other.renditions[0]!.codecs.split(',')[1]).toBe('mp4a.40.34');
  const misfit = { ok: false, code: 'SOUND', reason: naming('MP3', 'mp4a.40.34', 'AAC') };
  expect(fitToLadder(other, ladderOf([asset]))).toEqual(misfit);
  expect(audioFault(other)).toEqual(misfit.reason);
  expect(audioFault(asset)).toBeUndefined();
  expect(fitToLadder(asset, ladderOf([asset]))).toMatchObject({ ok: true });
});

test('MP3 is recognized even if the manifest declares AAC', async () => {
  const aac = '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.42c00a,mp4a.40.2"';
  put('/declared.m3u8', `#EXTM3U\n${aac}\nmp3.m3u8\n`);
  expect(audioFault(await imported('/declared.m3u8'))).toBeTypeOf('string');
});

test('Opus is refused if there is no other audio, and otherwise reported as a warning', async () => {
  for (const name of ['opus', 'audio']) {
    const refusal = { ok: false, code: 'UNREAD_STREAM', reason: naming('Opus', '0x06', 'AAC') };
    expect(await tryImport(`/${name}.m3u8`)).toMatchObject(refusal);
  }
  const { renditions, warnings } = await imported('/both.m3u8');
  expect(renditions.map(({ kind, codecs }) => [kind, codecs.split(',')[1]])).toEqual([['muxed', 'mp4a.40.2']]);
  expect(warnings).toContainEqual(naming('Opus', 'both.m3u8'));
  expect((await imported('/aac.m3u8')).warnings).toEqual([]);
});
