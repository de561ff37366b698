// SPDX-License-Identifier: Apache-2.0
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import {
  decode,
  download,
  measure,
  openConditioning,
  testLadder,
  testSource,
} from '../../../test/media/conditioning.ts';
import { encodeOnce } from '../../../test/media/encodeOnce.ts';
import { creativeAsset, creativeStart } from '../../ads/creative/conditionedAsset.ts';
import type { Asset } from '../../timeline/asset/asset.ts';
import { audioBorder } from '../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';

const bench = await openConditioning();
afterAll(() => bench.close());

const ladder = testLadder({ n: 25, d: 1 }, 48_000);

/** AAC frames of a creative at 25 frames per second and 48 kHz. */
const audioFrames = (frames: number, start = creativeStart(ladder.frameRate)): number =>
  audioBorder(start + frames, ladder.frameRate, 48_000) - audioBorder(start, ladder.frameRate, 48_000);

async function assetOf(name: string, on: Ladder = ladder): Promise<Asset> {
  const state = await bench.condition(name, on);
  if (state.state !== 'ready') throw new Error(`${name}: ${JSON.stringify(state)}`);
  return creativeAsset(state.media, on, state.media.frames, '');
}

/** Applies an ffmpeg filter to a range of a rendition. @returns what the filter reports */
async function inspect(asset: Asset, rung: number, from: number, seconds: number, filter: string): Promise<string> {
  const rendition = asset.renditions[rung]!;
  const name = `inspect-${asset.id}-${rung}.mp4`;
  await bench.write(name, Buffer.concat(await download(bench, rendition)));
  const { stderr } = await promisify(execFile)('ffmpeg', [
    ...['-hide_banner', '-nostdin', '-ss', `${from}`, '-t', `${seconds}`, '-i', join(bench.folder, name)],
    ...[rung === 2 ? '-af' : '-vf', filter, '-f', 'null', '-'],
  ]);
  return stderr;
}

/** One second of black and silence, then a flash and a beep of 0.2 s. */
const flashSource = [
  ...['-f', 'lavfi', '-i', "color=black:s=160x90:r=25,geq=lum='255*between(T,0.99,1.19)':cb=128:cr=128"],
  ...['-f', 'lavfi', '-i', "aevalsrc='0.5*sin(880*PI*t)*between(t,1,1.2)':s=44100", '-t', '3'],
];
async function expectInSync(asset: Asset): Promise<void> {
  const audio = await inspect(asset, 2, 0, 2, 'silencedetect=n=-40dB:d=0.1');
  const [, beep] = /silence_end: ([\d.]+)/.exec(audio)!;
  expect(Math.abs(Number(beep) - 1)).toBeLessThan(0.012);
  expect(await inspect(asset, 0, 0, 2, 'blackdetect=d=0.1')).toContain('black_end:1 ');
}

describe('the encode of a creative is exact for', () => {
  it.each([
    ['video without audio', 'mute.mp4', ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-t', '2'], 50],
    ['12 frames per second', 'twelve.mp4', testSource(2, '160x90', '12'), 50],
    [
      'Matroska with VP8 and Vorbis',
      'vp8.webm',
      [...testSource(2).slice(0, -4), '-c:v', 'libvpx', '-c:a', 'libvorbis'],
      50,
    ],
    ['MPEG-TS', 'stream.ts', [...testSource(2), '-muxdelay', '0.7'], 50],
    ['fragmented MP4', 'fragments.mov', [...testSource(2), '-movflags', 'frag_keyframe+empty_moov'], 50],
    ['5.1 audio', 'surround.mp4', [...testSource(2), '-ac', '6', '-channel_layout', '5.1'], 50],
    ['audio shorter than video', 'short.mp4', [...testSource(2), '-af', 'atrim=end=1'], 50],
    ['a little less than two seconds', 'nearly.mp4', testSource(1.8), 50],
    ['a length far from a whole second', 'between.mp4', testSource(1.48), 37],
    ['a picture four pixels high', 'line.mp4', ['-f', 'lavfi', '-i', 'testsrc2=s=2000x4:r=25', '-t', '1'], 25],
    ['a still picture with audio', 'still.mp4', [...testSource(2), '-vf', 'trim=end_frame=1'], 50],
    ['AVI with B-frames', 'reordered.avi', [...testSource(1).slice(0, -4), '-c:v', 'mpeg4', '-bf', '2'], 25],
    ['Flash video', 'flash.flv', [...testSource(1), '-ar', '44100'], 25],
    ['an MPEG program stream', 'program.mpg', [...testSource(1).slice(0, -4), '-c:v', 'mpeg2video'], 25],
  ])('%s', async (_, name, args, frames) => {
    await bench.make(name, ...args);
    const asset = await assetOf(name);
    expect(asset.duration / 28_224_000).toBe(frames);
    const counts = await Promise.all([0, 2].map((rung) => decode(bench, asset, asset.renditions[rung]!)));
    expect(counts[0]).toEqual({ frames: { video: frames }, warnings: '' });
    expect(counts[1]).toEqual({ frames: { audio: audioFrames(frames) }, warnings: '' });
  });

  it('video and audio that change their form', async () => {
    const white = (size: string) => ['-f', 'lavfi', '-i', `color=white:s=${size}:r=25`];
    const audio = ['-f', 'lavfi', '-i', 'sine=f=440:b=4:r=44100', '-c:v', 'libx264', '-c:a', 'aac', '-t', '1'];
    await bench.make('first.ts', ...white('160x90'), ...audio);
    await bench.make('second.ts', ...white('240x180'), ...audio, '-ac', '2', '-ar', '22050', '-output_ts_offset', '1');
    const parts = await Promise.all(['first.ts', 'second.ts'].map((name) => readFile(join(bench.folder, name))));
    await bench.write('changes.ts', Buffer.concat(parts));
    const asset = await assetOf('changes.ts');
    const counts = await Promise.all([0, 2].map((rung) => decode(bench, asset, asset.renditions[rung]!)));
    expect(counts.map(({ frames }) => frames)).toEqual([{ video: 50 }, { audio: audioFrames(50) }]);
    const shapes = 'cropdetect=limit=60:round=2:skip=0:reset=1';
    expect(await inspect(asset, 0, 0.2, 0.5, shapes)).toContain('crop=160:90:0:0');
    expect(await inspect(asset, 0, 1.4, 0.5, shapes)).toContain('crop=120:90:20:0');
  });

  it('a complete file whose header states a longer duration', async () => {
    await bench.make('plain.mp4', ...testSource(1));
    const file = await readFile(join(bench.folder, 'plain.mp4'));
    const header = file.indexOf('mvhd');
    file.writeUInt32BE(file.readUInt32BE(header + 20) * 3, header + 20);
    await bench.write('longHeader.mp4', file);
    expect((await assetOf('longHeader.mp4')).duration / 28_224_000).toBe(25);
  });

  it('HLS with AES-128 encryption', async () => {
    await bench.write('locked.key', Buffer.alloc(16, 7));
    await bench.write('locked.info', 'ADDRESS\nlocked.key\n');
    const locked = ['-f', 'hls', '-hls_time', '1', '-hls_playlist_type', 'vod', '-hls_key_info_file', 'locked.info'];
    await encodeOnce(bench.folder, [...testSource(2), ...locked, 'locked.m3u8'], ['locked.key', 'locked.info']);
    const list = await readFile(join(bench.folder, 'locked.m3u8'), 'utf8');
    await bench.write('locked.m3u8', list.replaceAll('ADDRESS', bench.sourceOf('locked.key').url));
    const state = await bench.condition('locked.m3u8', ladder, 'application/x-mpegURL');
    expect(state).toMatchObject({ state: 'ready', media: { frames: 50 } });
  });

  it('HLS with a discontinuity between different parts', async () => {
    for (const [name, size] of [
      ['one', '160x90'],
      ['two', '240x180'],
    ])
      await bench.make(`${name}.ts`, '-f', 'lavfi', '-i', `color=white:s=${size}:r=25`, ...testSource(1).slice(4));
    const segments = '#EXTINF:1,\none.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\ntwo.ts';
    await bench.write('parts.m3u8', `#EXTM3U\n#EXT-X-TARGETDURATION:1\n${segments}\n#EXT-X-ENDLIST\n`);
    const asset = await assetOf('parts.m3u8');
    const counts = await Promise.all([0, 2].map((rung) => decode(bench, asset, asset.renditions[rung]!)));
    expect(counts.map(({ frames }) => frames)).toEqual([{ video: 50 }, { audio: audioFrames(50) }]);
    expect(await inspect(asset, 0, 1.4, 0.5, 'cropdetect=limit=60:round=2:skip=0')).toContain('crop=120:90:20:0');
  });

  it('a video file with the type of a manifest', async () => {
    await bench.make('notList.mp4', ...testSource(1));
    const state = await bench.condition('notList.mp4', ladder, 'application/x-mpegURL');
    expect(state).toMatchObject({ state: 'ready', media: { frames: 25 } });
  });

  it.each([
    ['spot.mp3', []],
    ['spot.wav', []],
    ['spot.aac', ['-c:a', 'aac']],
  ])('%s on an audio-only channel', async (name, args) => {
    await bench.make(name, '-f', 'lavfi', '-i', 'sine=f=440:b=4:r=44100', '-t', '2', ...args);
    const asset = await assetOf(name, testLadder({ n: 25, d: 1 }, 48_000, 'fmp4', 'audioOnly'));
    expect(await decode(bench, asset, asset.renditions[0]!)).toEqual({
      frames: { audio: audioFrames(50) },
      warnings: '',
    });
  });

  it('portrait and rotated video, which is upright between bars', async () => {
    await bench.make('portrait.mp4', '-f', 'lavfi', '-i', 'color=white:s=90x160:r=25', '-t', '1');
    await bench.make('lying.mp4', '-f', 'lavfi', '-i', 'color=white:s=160x90:r=25', '-t', '1');
    const turned = ['-i', 'lying.mp4', '-c', 'copy', '-metadata:s:v', 'rotate=90', 'rotated.mp4'];
    await encodeOnce(bench.folder, turned, ['lying.mp4']);
    for (const name of ['portrait.mp4', 'rotated.mp4']) {
      const report = await inspect(await assetOf(name), 0, 0, 1, 'cropdetect=limit=60:round=2:skip=0');
      expect(report).toMatch(/crop=5[02]:(90|88):5[46]:[01]/);
    }
  });

  it('video and audio, which stay in sync', async () => {
    await bench.make('flash.mp4', ...flashSource);
    await expectInSync(await assetOf('flash.mp4'));
  });

  it('quiet audio, which is brought to broadcast loudness', async () => {
    await bench.make('quiet.mp4', ...testSource(3), '-af', 'volume=-12dB');
    const report = await inspect(await assetOf('quiet.mp4'), 2, 0, 3, 'ebur128');
    const [, loudness] = /I:\s+(-[\d.]+) LUFS(?![\s\S]*I:\s)/.exec(report)!;
    expect(Math.abs(Number(loudness) + 23)).toBeLessThan(1);
  });

  it('the codec, profile and size of each rung', async () => {
    await bench.make('plain.mp4', ...testSource(1));
    const [top, low] = ladder.rungs;
    const rungs = [
      { ...top!, codecs: 'avc1.42c00c' },
      { ...low!, codecs: 'hvc1.1.6.L30.90', width: 161 },
      { ...ladder.rungs[2]!, codecs: 'mp4a.40.5', sampleRate: 44_100, channels: 1 },
    ];
    const asset = await assetOf('plain.mp4', { ...ladder, rungs });
    expect(asset.renditions.map(({ codecs }) => codecs)).toEqual(['avc1.42c00c', 'hvc1.1.6.L30.90', 'mp4a.40.2']);
    const decoded = await Promise.all(asset.renditions.map((rendition) => decode(bench, asset, rendition)));
    expect(decoded.map(({ frames }) => frames)).toEqual([{ video: 25 }, { video: 25 }, { audio: 43 }]);
  });

  it('H.265, AC-3 and E-AC-3 in both containers', async () => {
    await bench.make('tone.mp4', ...testSource(4));
    const [top, , audio] = ladder.rungs;
    const rungs = [
      { ...top!, codecs: 'hvc1.1.6.L30.90' },
      { ...audio!, codecs: 'ac-3', channels: 6 },
      { ...audio!, id: 'a1', codecs: 'ec-3', sampleRate: 44_100 },
    ];
    for (const container of ['fmp4', 'ts'] as const) {
      const asset = await assetOf('tone.mp4', { ...ladder, rungs, container });
      expect(asset.renditions.map(({ codecs }) => codecs.slice(0, 4))).toEqual(['hvc1', 'ac-3', 'ec-3']);
      const decoded = await Promise.all(asset.renditions.map((rendition) => decode(bench, asset, rendition)));
      const frames = [{ video: 100 }, { audio: 125 }, { audio: 115 }];
      expect(decoded).toEqual(frames.map((each) => ({ frames: each, warnings: '' })));
      const starts = await Promise.all(asset.renditions.map((rendition) => measure(bench, rendition)));
      starts.forEach((segments, rung) => {
        expect(segments.map(([track]) => track![0])).toEqual([
          ...asset.renditions[rung]!.tracks[0]!.borders.slice(0, -1),
        ]);
      });
    }
  });
});

describe('a creative with a manifest', () => {
  const videos = (...sizes: string[]): string[] => sizes.flatMap((size, i) => ['-map', '0:v', `-s:v:${i}`, size]);
  const chunks = ['-g', '50', '-keyint_min', '50', '-sc_threshold', '0'];

  it('is made from the best video that the ladder can show and from separate audio (DASH)', async () => {
    // The second is the largest that fits into the 90 rows of the ladder.
    const outputs = [...videos('240x136', '160x90', '80x46'), '-map', '1:a', ...chunks];
    const dash = ['-f', 'dash', '-seg_duration', '2', '-adaptation_sets', 'id=0,streams=v id=1,streams=a'];
    await bench.make('apart.mpd', ...flashSource, ...outputs, ...dash);
    const asset = await assetOf('apart.mpd');
    expect(await decode(bench, asset, asset.renditions[0]!)).toEqual({ frames: { video: 75 }, warnings: '' });
    await expectInSync(asset);
  });

  it('is made from transport streams (HLS), whatever its type', async () => {
    await bench.make('joined.m3u8', ...testSource(5), ...chunks, '-f', 'hls', '-hls_time', '2', '-hls_list_size', '0');
    expect((await assetOf('joined.m3u8')).duration / 28_224_000).toBe(125);
    await bench.write('joined.mp4', await readFile(join(bench.folder, 'joined.m3u8')));
    expect((await assetOf('joined.mp4')).duration / 28_224_000).toBe(125);
  });

  it('is used up to its limit as slate', async () => {
    await bench.make('long.m3u8', ...testSource(34), ...chunks, '-f', 'hls', '-hls_time', '2', '-hls_list_size', '0');
    const state = await bench.library.slate(ladder, bench.sourceOf('long.m3u8'));
    expect(state).toMatchObject({ state: 'ready', media: { frames: 38 + 28 * 25 } });
  });
});
