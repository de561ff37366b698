// SPDX-License-Identifier: Apache-2.0
// Assets as an import stores them, built from numbers. No segment of them exists, so no encoder changes the golden files.
import type { Asset, Rendition, Track } from './surroundings.ts';

const FLICKS = 705_600_000;

type Rate = { readonly n: number; readonly d: number };
type Urls = Track['urls'];

export type Picture = Partial<Rendition> & { readonly width: number; readonly height: number };
export type Sound = Partial<Rendition> & {
  /** Seconds of each segment; when absent, segments are aligned with the video. */
  readonly every?: number;
};

/** The media between two discontinuities. */
export type Part = {
  /** The length of each segment in frames. */
  readonly segments: readonly number[];
  /** The media time at the start of the part, in seconds. */
  readonly zero?: number;
  /** Fields that are added to the track of a rendition. */
  readonly track?: (id: string) => Partial<Track>;
};

export type Shape = {
  readonly name: string;
  readonly rate: Rate;
  readonly container?: 'fmp4' | 'ts';
  readonly pictures?: readonly Picture[];
  readonly sounds?: readonly Sound[];
  readonly texts?: readonly Partial<Rendition>[];
  readonly parts: readonly Part[];
  /** The segment URLs of a rendition; numbered from 1 when absent. */
  readonly urls?: (folder: string, borders: Float64Array) => Urls;
};

/** `count` segments of `frames` frames, then the rest. */
export const grid = (count: number, frames: number, ...rest: number[]): number[] => [
  ...new Array<number>(count).fill(frames),
  ...rest,
];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** Running totals, from 0. */
function totals(values: readonly number[]): number[] {
  const all = [0];
  for (const value of values) all.push(all.at(-1)! + value);
  return all;
}

/** The border of an AAC frame that is nearest to a video border, in samples. */
const soundBorder = (frame: number, { n, d }: Rate, sampleRate: number): number =>
  1024 * Math.round((frame * d * sampleRate) / (n * 1024));

function soundBorders(frames: readonly number[], rate: Rate, sampleRate: number, every: number | undefined): number[] {
  if (every === undefined) return frames.map((frame) => soundBorder(frame, rate, sampleRate));
  const end = soundBorder(frames.at(-1)!, rate, sampleRate);
  const step = 1024 * Math.round((every * sampleRate) / 1024);
  const borders = [0];
  for (let at = step; at < end - step / 4; at += step) borders.push(at);
  return [...borders, end];
}

const counted = (folder: string): Urls => ({ kind: 'number', prefix: folder, suffix: '.m4s', first: 1, width: 1 });

/** @param origin base URL of its segments, without a trailing slash */
export function makeAsset(origin: string, shape: Shape): Asset {
  const { name, rate, container = 'fmp4', pictures = [], sounds = [], texts = [], parts } = shape;
  const isTs = container === 'ts';
  const kind = isTs && pictures.length > 0 ? 'muxed' : 'video';
  const videoScale = isTs ? 90_000 : rate.d === 1 ? 1000 * rate.n : rate.n;
  const inFlicks = (frames: number): number => Math.round((frames * FLICKS * rate.d) / rate.n);

  const tracksOf = (id: string, timescale: number, bordersOf: (frames: number[]) => number[]): Track[] =>
    parts.map(({ segments, zero = 0, track }, part) => {
      const folder = `${origin}/${name}/${id}/${parts.length > 1 ? `${part}-` : ''}`;
      const borders = Float64Array.from(bordersOf(totals(segments)), (border) => border + zero * timescale);
      const urls = (shape.urls ?? counted)(folder, borders);
      const init = isTs ? {} : { init: { url: `${folder}init.mp4` } };
      return { ...init, borders, urls, ...track?.(id) };
    });

  const videos = pictures.map((picture, index): Rendition => {
    const id = `video${index}`;
    const borders = (frames: number[]) => frames.map((frame) => Math.round((frame * videoScale * rate.d) / rate.n));
    return {
      ...{ id, kind, container, codecs: isTs ? 'avc1.64001f,mp4a.40.2' : 'avc1.64001f' },
      ...{ bandwidth: 4_000_000 >> index, averageBandwidth: 3_000_000 >> index },
      ...{ frameRate: rate, timescale: videoScale, tracks: tracksOf(id, videoScale, borders) },
      ...(isTs ? { sampleRate: 48_000, channels: 2 } : {}),
      ...picture,
    };
  });
  const audios = sounds.map(({ every, ...sound }, index): Rendition => {
    const id = `audio${index}`;
    const sampleRate = sound.sampleRate ?? 48_000;
    const timescale = isTs ? 90_000 : sampleRate;
    const borders = (frames: number[]) =>
      soundBorders(frames, rate, sampleRate, every).map((border) => Math.round((border * timescale) / sampleRate));
    return {
      ...{ id, kind: 'audio', container, codecs: 'mp4a.40.2', bandwidth: 132_000, averageBandwidth: 128_000 },
      ...{ channels: 2, sampleRate, timescale, tracks: tracksOf(id, timescale, borders) },
      ...sound,
    };
  });
  const written = texts.map((text, index): Rendition => {
    const id = `text${index}`;
    const whole = parts.map(({ segments, zero = 0 }): Track => {
      const end = Math.round((sum(segments) * 90_000 * rate.d) / rate.n);
      const borders = Float64Array.of(zero * 90_000, zero * 90_000 + end);
      return {
        borders,
        urls: { kind: 'number', prefix: `${origin}/${name}/${id}/`, suffix: '.vtt', first: 0, width: 1 },
      };
    });
    return {
      ...{ id, kind: 'text', container: 'vtt', codecs: '', bandwidth: 0, averageBandwidth: 0, timescale: 90_000 },
      ...{ tracks: whole, ...text },
    };
  });

  const played = [...videos, ...audios];
  let start = 0;
  const laid = parts.map(({ segments, zero = 0 }, part) => {
    const ends = totals(segments).map(inFlicks);
    const from = start;
    start += ends.at(-1)!;
    // A cut point is a border of every rendition, to within half an AAC frame.
    const isCut = (at: number): boolean =>
      played.every(({ timescale, tracks }) =>
        tracks[part]!.borders.some(
          (border) => Math.abs((border / timescale - zero) * FLICKS - at) <= (512 * FLICKS) / 44_100,
        ),
      );
    const cutPoints = Float64Array.from(ends.filter(isCut));
    return { start: from, duration: ends.at(-1)!, zero: zero * FLICKS, cutPoints };
  });
  const asset = { id: name, url: `${origin}/${name}/manifest.m3u8`, duration: start, parts: laid };
  return { ...asset, renditions: [...played, ...written], warnings: [] } as unknown as Asset;
}
