// SPDX-License-Identifier: Apache-2.0
// A channel whose assets differ in frame rate, sample rate and segment length, and a channel of MPEG-TS.

import { expect } from 'vitest';
import { naming } from '../../naming.ts';
import { decodeSpans, overlapOf } from '../decode.ts';
import { adSource, item, type Stage, titlesOf } from '../stage.ts';
import type { VideoShape } from '../testVideos.ts';
import type { Viewer } from '../viewer.ts';

const shapes: readonly VideoShape[] = [
  { seconds: 11.52, rate: '25', framesPerSegment: 48, sampleRate: 48_000 },
  { seconds: 12.012, rate: '30000/1001', framesPerSegment: 60, sampleRate: 44_100 },
  { seconds: 11.52, rate: '50', framesPerSegment: 192, sampleRate: 48_000 },
  { seconds: 12.012, rate: '24000/1001', framesPerSegment: 144, sampleRate: 44_100, container: 'dash' },
];
const rates = [25, 30_000 / 1001, 50, 24_000 / 1001];

export async function mixedAssetsPlay(stage: Stage): Promise<void> {
  const [videos, spot] = await Promise.all([Promise.all(shapes.map(stage.video)), stage.spot(4)]);
  stage.adHost.offer('/mixed', () => [{ id: 'four', seconds: 4, url: spot }]);
  const contents = videos.map((url) => item(url, { spliceTime: 0, maxDuration: 5 }, { spliceTime: 6, maxDuration: 6 }));
  await stage.air('mixed', contents, { adSource: adSource(stage.adHost, '/mixed'), playlistSize: 100 });
  const viewer = await stage.watch('mixed');
  const from = stage.clock.now();
  const past = async () =>
    (await stage.breaks(viewer)).filter(({ at }) => at > from && at + 12_000 < stage.clock.now());
  await viewer.until('three breaks have ads', async () => {
    return (await past()).filter((one) => titlesOf(one).length > 0).length >= 3;
  });
  await viewer.leave();
  expect(viewer.faults).toEqual([]);

  const rateOf = (uri: string): number =>
    rates[videos.findIndex((video) => uri.startsWith(new URL('.', video).href))] ?? 25;
  const seen = new Set<number>();
  for (const { seconds, frames, decoderErrors, uris } of await decodeSpans(viewer, 'v0')) {
    expect(decoderErrors, uris.join('\n')).toBe('');
    expect(frames.video, uris.join('\n')).toBe(Math.round(seconds * rateOf(uris[0]!)));
    seen.add(rateOf(uris[0]!));
  }
  expect(seen.size).toBe(4);
  for (const span of await decodeSpans(viewer, 'a0')) {
    const { seconds, frames, decoderErrors, uris } = span;
    expect(decoderErrors, uris.join('\n')).toBe('');
    const sampleRate = shapes[rates.indexOf(rateOf(uris[0]!))]!.sampleRate!;
    expect(Math.abs(frames.audio! - overlapOf(span) - (seconds * sampleRate) / 1024), uris.join('\n')).toBeLessThan(2);
  }
}

/** Until two breaks with ads are over. */
async function watchTwoBreaks(stage: Stage, viewer: Viewer): Promise<void> {
  await viewer.until('two breaks have ads', async () => {
    const over = (await stage.breaks(viewer)).filter(({ at }) => at + 8000 < stage.clock.now());
    return over.filter((one) => titlesOf(one).length > 0).length >= 2;
  });
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
}

/** @param rate in ffmpeg's notation @param framesPerSecond the same as a number */
export async function slowContentPlays(stage: Stage, rate: string, framesPerSecond: number): Promise<void> {
  const seconds = Math.round(16 * framesPerSecond) / framesPerSecond;
  const shape = { seconds, rate, framesPerSegment: Math.round(2 * framesPerSecond) };
  const [video, spot] = await Promise.all([stage.video(shape), stage.spot(4)]);
  const id = `slow-${rate.replace('/', '-')}`;
  stage.adHost.offer(`/${id}`, () => [{ id: 'four', seconds: 4, url: spot }]);
  const contents = [item(video, { spliceTime: 4, maxDuration: 6 })];
  await stage.air(id, contents, { adSource: adSource(stage.adHost, `/${id}`), playlistSize: 60 });
  const viewer = await stage.watch(id);
  await watchTwoBreaks(stage, viewer);
  for (const { seconds: shown, frames, decoderErrors, uris } of await decodeSpans(viewer, 'v0')) {
    expect(decoderErrors, uris.join('\n')).toBe('');
    expect(frames.video, uris.join('\n')).toBe(Math.round(shown * framesPerSecond));
  }
}

export async function transportStreamsPlay(stage: Stage): Promise<void> {
  const [video, spot] = await Promise.all([stage.video({ seconds: 8, container: 'ts' }), stage.spot(4)]);
  stage.adHost.offer('/ts', () => [{ id: 'four', seconds: 4, url: spot }]);
  await stage.air('ts', [item(video, { spliceTime: 4, maxDuration: 6 })], { adSource: adSource(stage.adHost, '/ts') });
  const viewer = await stage.watch('ts', { dash: false });
  expect(viewer.rungs).toEqual(['v0']);
  for (const path of [`view/ts?api-key=key`, `ts/${viewer.session}.mpd`]) {
    const response = await fetch(`${stage.midroll.liveUrl}/dash/${path}`);
    expect(response.status).toBe(409);
    expect(((await response.json()) as { message: string }).message).toEqual(naming('DASH', 'MPEG-TS'));
  }
  await watchTwoBreaks(stage, viewer);
  const spans = await decodeSpans(viewer, 'v0');
  expect(spans.length).toBeGreaterThan(3);
  for (const { seconds, frames, decoderErrors, uris } of spans) {
    expect(decoderErrors, uris.join('\n')).toBe('');
    expect(frames.video, uris.join('\n')).toBe(Math.round(seconds * 25));
  }
}
