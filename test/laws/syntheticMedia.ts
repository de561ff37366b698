// SPDX-License-Identifier: Apache-2.0
// Media that exist only as numbers, for tests of pure modules: assets with the borders that encoders produce.
import { creativeStart } from '../../src/ads/creative/conditionedAsset.ts';
import type { ConditionedMedia } from '../../src/ads/creative/creative.ts';
import { FLICKS_PER_SECOND, type FrameRate, flicks, framesToFlicks, ticksToFlicks } from '../../src/time/units.ts';
import type { Asset, Rendition } from '../../src/timeline/asset/asset.ts';
import { audioBorder, videoTicks } from '../../src/timeline/asset/frameGrid.ts';
import type { Ladder } from '../../src/timeline/ladder/ladder.ts';

export type SyntheticAsset = {
  readonly name: string;
  readonly rate: FrameRate;
  readonly sampleRate: number;
  /** Frames of each segment. */
  readonly segments: readonly number[];
  /** Video qualities. */
  readonly qualities: number;
  /** The duration of audio segments in seconds; when absent, audio is aligned with video. */
  readonly audioEvery?: number;
  /** The languages of its text. */
  readonly texts?: readonly string[];
};

function audioBorders({ rate, sampleRate, audioEvery }: SyntheticAsset, frames: readonly number[]): Float64Array {
  if (audioEvery === undefined) return Float64Array.from(frames, (f) => 1024 * audioBorder(f, rate, sampleRate));
  const total = 1024 * audioBorder(frames[frames.length - 1]!, rate, sampleRate);
  const step = 1024 * Math.round((audioEvery * sampleRate) / 1024);
  const borders = [0];
  for (let at = step; at < total - step / 4; at += step) borders.push(at);
  return Float64Array.from([...borders, total]);
}

/** An fMP4 asset of one part, with separate audio; by default of one quality, 25 frames a second and 48 kHz. */
export function syntheticAsset(given: Partial<SyntheticAsset> & Pick<SyntheticAsset, 'name' | 'segments'>): Asset {
  const shape = { rate: { n: 25, d: 1 }, sampleRate: 48_000, qualities: 1, ...given };
  const { name, rate, sampleRate, segments, qualities } = shape;
  const frames = [0];
  for (const count of segments) frames.push(frames[frames.length - 1]! + count);
  const { timescale, frame } = videoTicks(rate);
  const videoBorders = Float64Array.from(frames, (count) => count * frame);
  const ownAudioBorders = audioBorders(shape, frames);
  const duration = framesToFlicks(frames[frames.length - 1]!, rate);
  const track = (id: string, borders: Float64Array) => ({
    init: { url: `https://origin.test/${name}/${id}/init.mp4` },
    borders,
    urls: { kind: 'number' as const, prefix: `https://origin.test/${name}/${id}/`, suffix: '.m4s', first: 1, width: 1 },
  });
  const videos = Array.from(
    { length: qualities },
    (_, index): Rendition => ({
      id: `video${index}`,
      kind: 'video',
      container: 'fmp4',
      codecs: 'avc1.64001f',
      bandwidth: 4_000_000 >> index,
      averageBandwidth: 3_000_000 >> index,
      width: 1280 >> index,
      height: 720 >> index,
      frameRate: rate,
      timescale,
      tracks: [track(`video${index}`, videoBorders)],
    }),
  );
  const audio: Rendition = {
    id: 'audio',
    kind: 'audio',
    container: 'fmp4',
    codecs: 'mp4a.40.2',
    bandwidth: 128_000,
    averageBandwidth: 128_000,
    sampleRate,
    channels: 2,
    language: 'en',
    timescale: sampleRate,
    tracks: [track('audio', ownAudioBorders)],
  };
  // The source has a single text segment.
  const wholeText = track('text', Float64Array.from([0, videoBorders.at(-1)!]));
  const texts = (shape.texts ?? []).map(
    (language): Rendition => ({
      ...{ id: `text-${language}`, kind: 'text', container: 'vtt', codecs: '', bandwidth: 0, averageBandwidth: 0 },
      ...{ language, timescale, tracks: [wholeText] },
    }),
  );
  const audioInstants = [...ownAudioBorders].map((border) => ticksToFlicks(border, sampleRate));
  const tolerance = (512 * FLICKS_PER_SECOND) / sampleRate;
  const cutPoints = [...videoBorders]
    .map((border) => ticksToFlicks(border, timescale))
    .filter((border) => audioInstants.some((instant) => Math.abs(instant - border) <= tolerance));
  return {
    id: name,
    url: `https://origin.test/${name}/manifest`,
    duration,
    parts: [{ start: flicks(0), duration, zero: flicks(0), cutPoints: Float64Array.from(cutPoints) }],
    renditions: [...videos, audio, ...texts],
    warnings: [],
  };
}

/** Conditioned media of this length, as the library makes them for a ladder. */
export const syntheticMedia = (id: string, frames: number, ladder: Ladder): ConditionedMedia => ({
  id,
  frames,
  startFrame: creativeStart(ladder.frameRate),
  rungs: ladder.rungs
    .filter(({ kind }) => kind !== 'text')
    .map((rung) => ({
      codecs: rung.codecs,
      timescale: rung.kind === 'audio' ? rung.sampleRate! : videoTicks(ladder.frameRate).timescale,
      bandwidth: rung.bandwidth,
      averageBandwidth: rung.averageBandwidth,
    })),
});
