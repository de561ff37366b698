// SPDX-License-Identifier: Apache-2.0
import { createCipheriv, createDecipheriv } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeVideo } from '../../../test/live/testVideos.ts';
import { encodeOnce } from '../../../test/media/encodeOnce.ts';
import { importing } from '../../../test/media/importing.ts';
import { naming } from '../../../test/naming.ts';
import { FLICKS_PER_SECOND, type FrameRate, framesToFlicks } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { packAsset, unpackAsset } from '../package/packAsset.ts';

const { server, put, tryImport, ...bench } = importing();

async function imported(path: string): Promise<Asset> {
  const asset = await bench.imported(path);
  // Every asset of these tests is read back from the store unchanged.
  expect(unpackAsset(packAsset(asset))).toEqual(asset);
  return asset;
}

const video = ({ n, d }: FrameRate, size = '128x72') => ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=${n}/${d}`];
const tone = (rate: number) => ['-f', 'lavfi', '-i', `sine=r=${rate}`];
const x264 = (gop: number, ...more: string[]) => [
  ...`-c:v libx264 -preset ultrafast -g ${gop} -keyint_min ${gop} -sc_threshold 0`.split(' '),
  ...more,
];
const hls = (...more: string[]) => ['-f', 'hls', '-hls_time', '1.9', '-hls_playlist_type', 'vod', ...more];
const fmp4 = ['-hls_segment_type', 'fmp4'];

/** Borders of a rendition in frames after its first. */
const inFrames = (asset: Asset, id: string, { n, d }: FrameRate, part = 0): number[] => {
  const { tracks, timescale } = asset.renditions.find((rendition) => rendition.id === id)!;
  const { borders } = tracks[part]!;
  return [...borders].map((border) => ((border - borders[0]!) * n) / (d * timescale));
};
const inSeconds = (points: Float64Array): number[] => [...points].map((point) => point / FLICKS_PER_SECOND);
const summary = ({ renditions }: Asset) =>
  renditions.map(({ id, kind, container, codecs }) => [id, kind, container, codecs].join(' '));
const multivariant = (audio: string, video = 'v.m3u8', more = ''): string =>
  `#EXTM3U\n${audio}\n#EXT-X-STREAM-INF:BANDWIDTH=500000,AUDIO="a"${more}\n${video}\n`;
const english = '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="a.m3u8"';

describe('importAsset', () => {
  test('records how browsers apply the edit lists of ffmpeg’s HLS', async () => {
    const path = await makeVideo(server().folder, 'reordered', { seconds: 8, isReordered: true });
    const { parts, renditions, warnings } = await imported(path);
    const [video, audio] = renditions.map(({ tracks }) => tracks[0]!);
    expect(inSeconds(parts[0]!.cutPoints)).toEqual([0, 2, 4, 8]);
    expect(parts[0]!.zero).toBe(0.08 * FLICKS_PER_SECOND);
    expect(video).not.toHaveProperty('ignoredDelay');
    // An empty edit of 58 ms. The audio starts with its priming, 22 ms before the video.
    expect(audio).toMatchObject({ ignoredDelay: 2784, lag: 2784 - 3840 });
    expect(warnings).toEqual([naming('a0', '0.080 s before v0', '0.022 s before')]);
  });

  test.each([
    [{ n: 24000, d: 1001 }, 48_000, 48, []],
    [{ n: 25, d: 1 }, 44_100, 50, ['-hls_flags', 'single_file']],
    [{ n: 30000, d: 1001 }, 44_100, 60, ['-hls_flags', 'single_file']],
    [{ n: 50, d: 1 }, 48_000, 100, []],
  ])('measures %j with separate audio of %i Hz to the frame', async (rate, sampleRate, gop, flags) => {
    const name = `separate-${rate.n}`;
    const frames = 3 * gop + 17;
    const seconds = (frames * rate.d) / rate.n;
    const list = hls(...fmp4, ...flags);
    await server().encode(name, ...video(rate), '-frames:v', `${frames}`, ...x264(gop), ...list, 'v.m3u8');
    // The default name of both initialization sections is init.mp4.
    const audio = [...list, '-hls_fmp4_init_filename', 'ainit.mp4'];
    await server().encode(name, ...tone(sampleRate), '-t', `${seconds}`, '-c:a', 'aac', ...audio, 'a.m3u8');
    put(`/${name}/asset.m3u8`, multivariant(english));
    const asset = await imported(`/${name}/asset.m3u8`);
    expect(summary(asset)).toEqual([expect.stringMatching(/^v0 video fmp4 avc1\./), 'a0 audio fmp4 mp4a.40.2']);
    const [v, a] = asset.renditions;
    expect(v).toMatchObject({ frameRate: rate, width: 128, height: 72, bandwidth: 500_000 });
    expect(a).toMatchObject({ sampleRate, channels: 1, language: 'en', name: 'English', isDefault: true });
    expect(a!.bandwidth).toBeGreaterThan(10_000);
    expect(inFrames(asset, 'v0', rate)).toEqual([0, gop, 2 * gop, 3 * gop, frames]);
    expect(asset.duration).toBe(framesToFlicks(frames, rate));
    expect(a!.tracks[0]!.urls.kind).toBe(flags.length > 0 ? 'ranges' : 'number');
    const { cutPoints, duration } = asset.parts[0]!;
    expect([cutPoints[0], cutPoints.at(-1)]).toEqual([0, duration]);
  });

  test('finds cut points if audio is cut at the frame nearest to the video', async () => {
    const rate = { n: 25, d: 1 };
    await server().encode('aligned', ...video(rate), '-frames:v', '250', ...x264(50), ...hls(...fmp4), 'v.m3u8');
    const borders = [94, 188, 281, 375].map((frame) => (frame * 1024 - 512) / 48_000);
    const segment = ['-f', 'segment', '-segment_format', 'mp4', '-segment_header_filename', 'ainit.mp4'];
    const flags = ['-segment_format_options', 'movflags=+frag_custom+dash+delay_moov+default_base_moof+skip_sidx'];
    const times = ['-segment_times', borders.join(','), '-segment_list', 'a.m3u8', '-segment_list_type', 'm3u8'];
    const input = [...tone(48_000), '-af', `atrim=end_sample=${468 * 1024}`, '-map', '0:a', '-c:a', 'aac'];
    await server().encode('aligned', ...input, ...segment, ...flags, ...times, 'a%d.m4s');
    const written = readFileSync(join(server().folder, 'aligned/a.m3u8'), 'utf8');
    put('/aligned/a2.m3u8', written.replace('#EXTINF', '#EXT-X-MAP:URI="ainit.mp4"\n#EXTINF'));
    put('/aligned/asset.m3u8', multivariant(english.replace('a.m3u8', 'a2.m3u8')));
    const asset = await imported('/aligned/asset.m3u8');
    expect(inSeconds(asset.parts[0]!.cutPoints)).toEqual([0, 2, 4, 6, 8, 10]);
    expect(asset.warnings).toEqual([]);
    expect(asset.duration).toBe(10 * FLICKS_PER_SECOND);
  });

  test('measures muxed transport streams in files and in byte ranges', async () => {
    const rate = { n: 30000, d: 1001 };
    const input = [...video(rate, '128x70'), ...tone(44_100), '-frames:v', '200', '-shortest'];
    const codecs = [...x264(60, '-bf', '2', '-preset', 'veryfast'), '-c:a', 'aac'];
    for (const flags of [[], ['-hls_flags', 'single_file']]) {
      const name = `muxed-${flags.length}`;
      await server().encode(name, ...input, ...codecs, ...hls(...flags), 'v.m3u8');
      const asset = await imported(`/${name}/v.m3u8?token=1`);
      expect(summary(asset)).toEqual([expect.stringMatching(/^v0 muxed ts avc1\.[0-9a-f]{6},mp4a\.40\.2$/)]);
      const facts = { frameRate: rate, width: 128, height: 70, sampleRate: 44_100, timescale: 90_000, language: 'und' };
      expect(asset.renditions[0]).toMatchObject(facts);
      expect(asset.renditions[0]!.bandwidth).toBeGreaterThan(50_000);
      expect(inFrames(asset, 'v0', rate)).toEqual([0, 60, 120, 180, 200]);
      expect(asset.duration).toBe(framesToFlicks(200, rate));
      expect(asset.parts[0]!.cutPoints).toHaveLength(5);
    }
  });

  test('measures alternates in transport streams on the same clock', async () => {
    const rate = { n: 25, d: 1 };
    await server().encode('demuxed', ...video(rate), '-frames:v', '150', ...x264(50), ...hls(), 'v.m3u8');
    await server().encode('demuxed', ...tone(48_000), '-t', '6', '-c:a', 'aac', ...hls(), 'a.m3u8');
    put('/demuxed/asset.m3u8', multivariant(english));
    const asset = await imported('/demuxed/asset.m3u8');
    expect(summary(asset)).toEqual([expect.stringMatching(/^v0 video ts avc1/), 'a0 audio ts mp4a.40.2']);
    expect(asset.duration).toBe(6 * FLICKS_PER_SECOND);
    const [v, a] = asset.renditions.map(({ tracks }) => tracks[0]!.borders);
    expect(Math.abs(v![0]! - a![0]!)).toBeLessThanOrEqual(1920);
  });

  test('divides an asset at discontinuities, with an initialization section and media time for each part', async () => {
    const rate = { n: 25, d: 1 };
    for (const [name, count, offset] of [
      ['one', 100, 0],
      ['two', 75, 3600],
    ] as const) {
      const output = [...x264(50), '-output_ts_offset', `${offset}`, ...hls(...fmp4), 'v.m3u8'];
      await server().encode(`parts/${name}`, ...video(rate), '-frames:v', `${count}`, ...output);
    }
    const list = (name: string): string =>
      readFileSync(join(server().folder, `parts/${name}/v.m3u8`), 'utf8')
        .split('\n')
        .filter((line) => /^#EXTINF|m4s|EXT-X-MAP/.test(line))
        .join('\n')
        .replace(/^(v\d+\.m4s)/gm, `${name}/$1`)
        .replace('URI="', `URI="${name}/`);
    const discontinuity = '\n#EXT-X-DISCONTINUITY\n';
    const body = [list('one'), list('two'), list('one')].join(discontinuity);
    put('/parts/asset.m3u8', `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-DISCONTINUITY\n${body}\n#EXT-X-ENDLIST\n`);
    const asset = await imported('/parts/asset.m3u8');
    expect(asset.parts.map(({ duration }) => duration / FLICKS_PER_SECOND)).toEqual([4, 3, 4]);
    expect(asset.parts.map(({ start }) => start / FLICKS_PER_SECOND)).toEqual([0, 4, 7]);
    expect(asset.duration).toBe(11 * FLICKS_PER_SECOND);
    expect(asset.parts.map(({ cutPoints }) => cutPoints.length)).toEqual([3, 3, 3]);
    const inits = asset.renditions[0]!.tracks.map(({ init }) => init?.url.slice(server().base.length));
    expect(inits).toEqual(['/parts/one/init.mp4', '/parts/two/init.mp4', '/parts/one/init.mp4']);
    expect(segmentUrl(asset.renditions[0]!.tracks[1]!, 1).url).toBe(`${server().base}/parts/two/v1.m4s`);
  });

  test('decrypts AES-128 and keeps the key', async () => {
    const rate = { n: 25, d: 1 };
    const input = [...video(rate), ...tone(48_000), '-frames:v', '125', '-shortest', ...x264(50), '-c:a', 'aac'];
    mkdirSync(join(server().folder, 'secret'));
    writeFileSync(join(server().folder, 'secret/content.key'), Buffer.from('0123456789abcdef'));
    writeFileSync(join(server().folder, 'secret/info'), 'content.key?t=1\ncontent.key\n');
    const args = [...input, ...hls('-hls_key_info_file', 'info', '-start_number', '7'), 'v.m3u8'];
    await encodeOnce(join(server().folder, 'secret'), args, ['content.key', 'info']);
    const explicit = await imported('/secret/v.m3u8'); // ffmpeg writes one IV for all segments
    expect(explicit.duration).toBe(5 * FLICKS_PER_SECOND);
    expect(inFrames(explicit, 'v0', rate)).toEqual([0, 50, 100, 125]);
    const list = `METHOD=AES-128,URI="${server().base}/secret/content.key?t=1"`;
    const iv = `IV=0x${'7'.padStart(32, '0')}`;
    expect(explicit.renditions[0]!.tracks[0]!.protection).toEqual({ hls: [`${list},${iv}`] });
    // The same media with the sequence number as IV, implicit or written for each segment.
    const text = readFileSync(join(server().folder, 'secret/v.m3u8'), 'utf8');
    const key = Buffer.from('0123456789abcdef');
    for (const sequence of [7, 8, 9]) {
      const [from, to] = [7, sequence].map((number) => Buffer.from(number.toString(16).padStart(32, '0'), 'hex'));
      const decipher = createDecipheriv('aes-128-cbc', key, from!);
      const file = readFileSync(join(server().folder, `secret/v${sequence}.ts`));
      const clear = Buffer.concat([decipher.update(file), decipher.final()]);
      const cipher = createCipheriv('aes-128-cbc', key, to!);
      const bytes = Buffer.concat([cipher.update(clear), cipher.final()]);
      writeFileSync(join(server().folder, `secret/w${sequence}.ts`), bytes);
    }
    const recut = text.replace(/^v(\d\.ts)$/gm, 'w$1');
    put('/secret/implicit.m3u8', recut.replace(`,${iv}`, ''));
    const tag = (sequence: string) =>
      `#EXT-X-KEY:METHOD=AES-128,URI="content.key?t=1",IV=0x${sequence.padStart(32, '0')}`;
    const written = recut
      .replace(/#EXT-X-KEY.*\n/, '')
      .replace(/^w(\d)/gm, (line, sequence) => `${tag(sequence)}\n${line}`);
    put('/secret/written.m3u8', written);
    for (const path of ['/secret/implicit.m3u8', '/secret/written.m3u8']) {
      const asset = await imported(path);
      expect(inFrames(asset, 'v0', rate)).toEqual([0, 50, 100, 125]);
      expect(asset.renditions[0]!.tracks[0]!.protection).toEqual({ hls: [list], firstIv: 7 });
    }
    put('/secret/missing.m3u8', text.replace('content.key', 'missing.key'));
    const reason = naming('missing.m3u8', 'missing.key', 404);
    expect(await tryImport('/secret/missing.m3u8')).toEqual({ ok: false, code: 'NOT_FETCHED', status: 404, reason });
  });
});
