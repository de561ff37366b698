// Sound in MPEG-TS that channels do not play: what is said of it, instead of taking it for AAC or for nothing.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { type FolderServer, plainOrigin, startFolderServer } from '../../../test/servers/folderServer.ts';
import { audioFault } from '../../timeline/asset/mpegAudio.ts';
import { fitToLadder, ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { importAsset } from './importAsset.ts';

let server: FolderServer;
const list = ['-f', 'hls', '-hls_playlist_type', 'vod', '-hls_time', '2', '-hls_segment_type', 'mpegts'];
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25'];
const tone = ['-f', 'lavfi', '-i', 'sine=r=48000'];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-sc_threshold', '0', '-bf', '0'];
const film = (name: string, ...sounds: string[]) =>
  server.encode(
    '.',
    ...[...picture, ...tone, '-map', '0:v', ...sounds.flatMap(() => ['-map', '1:a']), '-t', '4', ...x264],
    ...sounds.flatMap((codec, index) => [`-c:a:${index}`, codec]),
    ...[...list, `${name}.m3u8`],
  );
beforeAll(async () => {
  server = await startFolderServer();
  await Promise.all([
    film('aac', 'aac'),
    film('mp3', 'libmp3lame'),
    film('mp2', 'mp2'),
    film('opus', 'libopus'),
    film('both', 'aac', 'libopus'),
    server.encode('.', ...tone, '-t', '4', '-c:a', 'libopus', ...list, 'sound.m3u8'),
  ]);
});
afterAll(() => server.close());

const imported = (name: string) => importAsset(`${server.base}/${name}.m3u8`, plainOrigin);
async function assetOf(name: string) {
  const result = await imported(name);
  if (!result.ok) throw new Error(result.reason);
  return result.asset;
}

test.each([['mp3'], ['mp2']])('%s is known as what it is, and fits no channel', async (name) => {
  const [odd, asset] = [await assetOf(name), await assetOf('aac')];
  expect(odd.renditions[0]!.codecs.split(',')[1]).toBe('mp4a.40.34');
  const misfit = { ok: false, code: 'SOUND', reason: naming('MP3', 'mp4a.40.34', 'AAC') };
  expect(fitToLadder(odd, ladderOf([asset]))).toEqual(misfit);
  expect(audioFault(odd)).toEqual(misfit.reason);
  expect(audioFault(asset)).toBeUndefined();
  expect(fitToLadder(asset, ladderOf([asset]))).toMatchObject({ ok: true });
});

test('a manifest that calls MP3 AAC is not believed', async () => {
  const variant = '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.42c00a,mp4a.40.2"';
  server.texts.set('/told.m3u8', `#EXTM3U\n${variant}\nmp3.m3u8\n`);
  expect(audioFault(await assetOf('told'))).toBeTypeOf('string');
});

test('Opus is named: refused where it is all the sound there is, a warning where there is other sound', async () => {
  for (const name of ['opus', 'sound']) {
    const refusal = { ok: false, code: 'UNREAD_STREAM', reason: naming('Opus', '0x06', 'AAC') };
    expect(await imported(name)).toMatchObject(refusal);
  }
  const { renditions, warnings } = await assetOf('both');
  expect(renditions.map(({ kind, codecs }) => [kind, codecs.split(',')[1]])).toEqual([['muxed', 'mp4a.40.2']]);
  expect(warnings).toContainEqual(naming('Opus', 'both.m3u8'));
  expect((await assetOf('aac')).warnings).toEqual([]);
});
