// SPDX-License-Identifier: Apache-2.0
// Audio codecs in MPEG-TS that channels cannot play are reported, and not mistaken for AAC or for no audio.
import { beforeAll, expect, test } from 'vitest';
import { importing } from '../../../test/media/importing.ts';
import { naming } from '../../../test/naming.ts';
import { audioFault } from '../../timeline/asset/mpegAudio.ts';
import { fitToLadder, ladderOf } from '../../timeline/ladder/ladderOf.ts';

const { server, put, tryImport, imported } = importing();
const list = ['-f', 'hls', '-hls_playlist_type', 'vod', '-hls_time', '2', '-hls_segment_type', 'mpegts'];
const video = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=r=48000'];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-sc_threshold', '0', '-bf', '0'];
const encode = (name: string, ...codecs: string[]) =>
  server().encode(
    '.',
    ...[...video, ...tone, '-map', '0:v', ...codecs.flatMap(() => ['-map', '1:a']), '-t', '4', ...x264],
    ...codecs.flatMap((codec, index) => [`-c:a:${index}`, codec]),
    ...[...list, `${name}.m3u8`],
  );
beforeAll(async () => {
  await Promise.all([
    encode('aac', 'aac'),
    encode('mp3', 'libmp3lame'),
    encode('mp2', 'mp2'),
    encode('opus', 'libopus'),
    encode('both', 'aac', 'libopus'),
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
  const variant = '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.42c00a,mp4a.40.2"';
  put('/declared.m3u8', `#EXTM3U\n${variant}\nmp3.m3u8\n`);
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
