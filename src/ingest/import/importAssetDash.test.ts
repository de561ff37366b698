// SPDX-License-Identifier: Apache-2.0
// DASH assets from the MPD to exact borders.
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { memoryOrigin } from '../../../test/live/origin/memoryOrigin.ts';
import { importing } from '../../../test/media/importing.ts';
import { naming } from '../../../test/naming.ts';
import { FLICKS_PER_SECOND, framesToFlicks } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { importAsset } from './importAsset.ts';

const { server, put, imported, tryImport } = importing();
const rate = { n: 30000, d: 1001 };

function encode(name: string, ...flags: string[]): Promise<void> {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=30000/1001', '-f', 'lavfi', '-i', 'sine=r=48000'];
  const codecs = [
    ...['-frames:v', '200', '-shortest', '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...['-g', '60', '-bf', '0', '-c:a', 'aac'],
  ];
  return server().encode(name, ...input, ...codecs, '-f', 'dash', '-seg_duration', '2', ...flags, 'asset.mpd');
}
const frames = (asset: Asset): number[] => {
  const { tracks, timescale } = asset.renditions.find(({ kind }) => kind === 'video')!;
  const { borders } = tracks[0]!;
  return [...borders].map((border) => Math.round(((border - borders[0]!) / timescale) * (30000 / 1001) * 1e6) / 1e6);
};

test.each([
  ['timeline', ['-use_timeline', '1']],
  ['numbers', ['-use_timeline', '0']],
  ['time', ['-use_timeline', '1', '-media_seg_name', '$RepresentationID$-$Time$.m4s']],
  ['one-file', ['-single_file', '1', '-global_sidx', '1']],
])('measures an asset addressed by %s', async (name, flags) => {
  await encode(name, ...flags);
  if (name === 'time') {
    // ffmpeg names the first audio segment after its priming but writes t="0": the time in the URL is not a border.
    copyFileSync(join(server().folder, name, '1--1024.m4s'), join(server().folder, name, '1-0.m4s'));
  }
  const asset = await imported(`/${name}/asset.mpd`);
  expect(frames(asset)).toEqual([0, 60, 120, 180, 200]);
  expect(asset.parts.map(({ duration }) => duration)).toEqual([framesToFlicks(200, rate)]);
  const [v, a] = ['video', 'audio'].map((of) => asset.renditions.find(({ kind }) => kind === of)!);
  expect(v).toMatchObject({ container: 'fmp4', frameRate: rate, width: 64, height: 64 });
  expect(a).toMatchObject({ sampleRate: 48_000, codecs: 'mp4a.40.2' });
  for (const { tracks } of asset.renditions) {
    const [track] = tracks;
    for (let i = 0; i + 1 < track!.borders.length; i += 1) {
      const { url, range } = segmentUrl(track!, i);
      const bytes = readFileSync(join(server().folder, decodeURIComponent(new URL(url).pathname)));
      const start = range?.start ?? 0;
      expect(bytes.subarray(start, range && start + range.length).includes('moof')).toBe(true);
    }
  }
});

test('Periods become adjacent parts, each with its own media time', async () => {
  await encode('periods', '-use_timeline', '1');
  const mpd = readFileSync(join(server().folder, 'periods/asset.mpd'), 'utf8');
  const [period] = /<Period[\s\S]*<\/Period>/.exec(mpd)!;
  const two =
    period.replace(/<Period [^>]*>/, '<Period id="one" start="PT0S">') +
    period.replace(/<Period [^>]*>/, '<Period id="two" start="PT6.6733S">');
  const longer = mpd.replace(/mediaPresentationDuration="[^"]*"/, 'mediaPresentationDuration="PT13.346S"');
  put('/periods/two.mpd', longer.replace(period, two));
  const asset = await imported('/periods/two.mpd');
  const length = framesToFlicks(200, rate);
  expect(asset.parts).toMatchObject([0, length].map((start) => ({ start, duration: length })));
  expect(asset.duration / FLICKS_PER_SECOND).toBeCloseTo(13.347, 3);
});

test('video that contains audio is muxed, audio that contains video is refused', async () => {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25', '-f', 'lavfi', '-i', 'sine=r=48000', '-t', '4'];
  const encoding = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-bf', '0', '-c:a', 'aac'];
  const list = ['-f', 'hls', '-hls_time', '1.9', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'];
  await server().encode('both', ...input, ...encoding, ...list, 'v.m3u8');
  const mpd = (type: string, codec: string): string => `<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static"
    mediaPresentationDuration="PT4S" minBufferTime="PT2S" profiles="urn:mpeg:dash:profile:isoff-live:2011"><Period>
    <AdaptationSet contentType="${type}" mimeType="${type}/mp4"><SegmentTemplate duration="2" startNumber="0"
    initialization="init.mp4" media="v$Number$.m4s"/><Representation id="r" bandwidth="1" codecs="${codec}"/>
    </AdaptationSet></Period></MPD>`;
  put('/both/asset.mpd', mpd('video', 'avc1.42c00a'));
  const asset = await imported('/both/asset.mpd');
  const codecs = expect.stringMatching(/^avc1\.[0-9a-f]{6},mp4a\.40\.2$/);
  expect(asset.renditions[0]).toMatchObject({ kind: 'muxed', codecs });
  expect(asset.duration).toBe(4 * FLICKS_PER_SECOND);
  put('/both/audio.mpd', mpd('audio', 'mp4a.40.2'));
  expect(await tryImport('/both/audio.mpd')).toMatchObject({ code: 'OTHER_KIND', reason: naming('audio', 'muxed') });
});

test('a last segment must exist if it is listed, but not if only the length of the Period implies it', async () => {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=s=64x64:r=25', '-t', '4'];
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '50', '-bf', '0'];
  const list = ['-f', 'hls', '-hls_time', '2', '-hls_playlist_type', 'vod', '-hls_segment_type', 'fmp4'];
  await server().encode('implied', ...input, ...codecs, ...list, 'v.m3u8');
  const mpd = (length: string, more = ''): string => `<?xml version="1.0"?><!-- ${'a long licence '.repeat(500)} -->
    <MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="${length}"><Period>
    <AdaptationSet mimeType="video/mp4"><SegmentTemplate duration="2" startNumber="0" ${more} initialization="init.mp4"
    media="v$Number$.m4s"/><Representation id="r" bandwidth="1000"/></AdaptationSet></Period></MPD>`;
  put('/implied/asset.mpd', mpd('PT4.021S'));
  const { duration, renditions } = await imported('/implied/asset.mpd');
  expect(duration).toBe(4 * FLICKS_PER_SECOND);
  expect([...renditions[0]!.tracks[0]!.borders].map((border) => border / renditions[0]!.timescale)).toEqual([0, 2, 4]);
  // The declared one is too low.
  expect(renditions[0]!.bandwidth).toBeGreaterThan(10_000);
  put('/implied/asset.mpd', mpd('PT6S'));
  const missing = { ok: false, code: 'NOT_FETCHED', status: 404, reason: naming('v2.m4s', 404) };
  expect(await tryImport('/implied/asset.mpd')).toMatchObject(missing);
  put('/implied/asset.mpd', mpd('PT5S', 'endNumber="2"'));
  expect(await tryImport('/implied/asset.mpd')).toMatchObject(missing);
});

test('a manifest may be in any XML encoding', async () => {
  const text = '\uFEFF<?xml version="1.0" encoding="UTF-16"?><MPD type="dynamic"/>';
  const bytes = Uint8Array.from(Buffer.from(text, 'utf16le'));
  const origin = memoryOrigin(() => bytes);
  expect(await importAsset('http://host/asset.mpd', origin)).toMatchObject({ code: 'LIVE', line: 1 });
});
