// SPDX-License-Identifier: Apache-2.0
// Which stored samples a segment plays, and at what time: for creatives, which may be shortened or extended by their last
// frame, and for slate, which begins with a segment of any length and then loops.
import { playableFrames, playedBorders, slateBase } from '../../ads/creative/conditionedAsset.ts';
import { audioBorder, framesPerSecond, maxFirstSlateFrames, minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import { type PackagedMedia, type PackagedRung, type PackagedTrack, tracksOf } from './packagedMedia.ts';

export type SampleRange = {
  readonly track: PackagedTrack;
  /** The first stored sample, counted from 0, and how many samples play. */
  readonly start: number;
  readonly count: number;
  /** The number of that sample on the played timeline: its decode time is `place · unit`. */
  readonly place: number;
};

/** Eleven days of slate. Larger indexes would exceed the integers in which audio borders are computed. */
const LAST_INDEX = 1_000_000;

/**
 * The samples of segment `index` of a rung.
 * @param frames the length of the creative as it plays, or of the first segment of slate
 * @returns a range for each track of the rung, or undefined if there is no such segment
 */
export function packagedRanges(
  packaged: PackagedMedia,
  rung: PackagedRung,
  frames: number,
  index: number,
): SampleRange[] | undefined {
  const played = playedFrames(packaged, frames, index);
  if (played === undefined) return undefined;
  return tracksOf(packaged, rung).map((track) => {
    const [from, to, zero, storedZero] = [played.from, played.to, played.zero, played.storedZero].map((frame) =>
      sampleAt(packaged, track, frame),
    ) as [number, number, number, number];
    return { track, start: from - zero + storedZero - track.first, count: to - from, place: from };
  });
}

/** Frames `from` to `to` on the played timeline. Frame `zero` there is frame `storedZero` on the stored timeline. */
export type PlayedFrames = {
  readonly from: number;
  readonly to: number;
  readonly zero: number;
  readonly storedZero: number;
};

/** The frames of segment `index` when media play at a length of `frames`. @returns undefined if there is no such segment */
export function playedFrames(packaged: PackagedMedia, frames: number, index: number): PlayedFrames | undefined {
  if (!Number.isInteger(frames) || !Number.isInteger(index) || index < 0 || index > LAST_INDEX) return undefined;
  return packaged.kind === 'slate' ? slateFrames(packaged, frames, index) : creativeFrames(packaged, frames, index);
}

function creativeFrames({ media, frameRate }: PackagedMedia, frames: number, index: number): PlayedFrames | undefined {
  const { min, max } = playableFrames(media.frames, frameRate);
  if (frames < min || frames > max) return undefined;
  const borders = playedBorders(media.frames, frames, frameRate);
  if (index + 1 >= borders.length) return undefined;
  return { from: borders[index]!, to: borders[index + 1]!, zero: 0, storedZero: 0 };
}

function slateFrames({ frameRate, tracks }: PackagedMedia, first: number, index: number): PlayedFrames | undefined {
  const longest = maxFirstSlateFrames(frameRate);
  if (first < minSlateFrames(frameRate) || first > longest) return undefined;
  const base = slateBase(frameRate);
  if (index === 0) return { from: base - first, to: base, zero: base - first, storedZero: base - longest };
  const second = framesPerSecond(frameRate);
  const seconds = tracks[0]!.counts.length - 1;
  const loop = Math.floor((index - 1) / seconds);
  const from = base + (index - 1) * second;
  return { from, to: from + second, zero: base + loop * seconds * second, storedZero: base };
}

/** The sample of a track that starts at a video frame, or for audio nearest to it. */
function sampleAt({ frameRate }: PackagedMedia, track: PackagedTrack, frame: number): number {
  return track.kind === 'video' ? frame : audioBorder(frame, frameRate, track.timescale, track.unit);
}
