// Which stored samples a segment plays, and when: the one rule for creatives, which may end early or be held, and for
// slate, which begins with an odd segment and then loops.
import { playableFrames, playedBorders, slateBase } from '../../ads/creative/conditionedAsset.ts';
import { audioBorder, framesPerSecond, longestFirstSlate, shortestSlate } from '../../timeline/frameGrid.ts';
import { type PackagedMedia, type PackagedRung, type PackagedTrack, tracksOf } from './packagedMedia.ts';

export type SampleRange = {
  readonly track: PackagedTrack;
  /** The first stored sample, counted from 0, and how many play. */
  readonly start: number;
  readonly count: number;
  /** The number of that sample on the line that plays: its decode time is `place · unit`. */
  readonly place: number;
};

/** Numbers above this leave the integers that the audio grid is counted in: eleven days of slate. */
const LAST_INDEX = 1_000_000;

/**
 * The samples of segment `index` of a rung that plays at `frames`: a creative's length or a slate's odd first segment.
 * @returns a range for each track of the rung, or undefined when there is no such segment
 */
export function packagedRanges(
  packaged: PackagedMedia,
  rung: PackagedRung,
  frames: number,
  index: number,
): SampleRange[] | undefined {
  const stretch = playedFrames(packaged, frames, index);
  if (stretch === undefined) return undefined;
  return tracksOf(packaged, rung).map((track) => {
    const [from, to, zero, storedZero] = [stretch.from, stretch.to, stretch.zero, stretch.storedZero].map((frame) =>
      sampleAt(packaged, track, frame),
    ) as [number, number, number, number];
    return { track, start: from - zero + storedZero - track.first, count: to - from, place: from };
  });
}

/** Frames `from` to `to` on the playing line; the frame `zero` there is the frame `storedZero` of the stored line. */
export type Stretch = {
  readonly from: number;
  readonly to: number;
  readonly zero: number;
  readonly storedZero: number;
};

/** The frames that segment `index` shows of media that play at `frames`; undefined when there is no such segment. */
export function playedFrames(packaged: PackagedMedia, frames: number, index: number): Stretch | undefined {
  if (!Number.isInteger(frames) || !Number.isInteger(index) || index < 0 || index > LAST_INDEX) return undefined;
  return packaged.kind === 'slate' ? slateStretch(packaged, frames, index) : playedStretch(packaged, frames, index);
}

function playedStretch({ media, frameRate }: PackagedMedia, frames: number, index: number): Stretch | undefined {
  const { least, most } = playableFrames(media.frames, frameRate);
  if (frames < least || frames > most) return undefined;
  const borders = playedBorders(media.frames, frames, frameRate);
  if (index + 1 >= borders.length) return undefined;
  return { from: borders[index]!, to: borders[index + 1]!, zero: 0, storedZero: 0 };
}

function slateStretch({ frameRate, tracks }: PackagedMedia, first: number, index: number): Stretch | undefined {
  const longest = longestFirstSlate(frameRate);
  if (first < shortestSlate(frameRate) || first > longest) return undefined;
  const base = slateBase(frameRate);
  if (index === 0) return { from: base - first, to: base, zero: base - first, storedZero: base - longest };
  const second = framesPerSecond(frameRate);
  const seconds = tracks[0]!.counts.length - 1;
  const loop = Math.floor((index - 1) / seconds);
  const from = base + (index - 1) * second;
  return { from, to: from + second, zero: base + loop * seconds * second, storedZero: base };
}

/** The sample of a track that starts at (audio: nearest to) a video frame. */
function sampleAt({ frameRate }: PackagedMedia, track: PackagedTrack, frame: number): number {
  return track.kind === 'video' ? frame : audioBorder(frame, frameRate, track.timescale, track.unit);
}
