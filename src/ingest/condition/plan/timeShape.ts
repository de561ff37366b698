// SPDX-License-Identifier: Apache-2.0
// The duration of conditioned media and their segment borders in frames, computed before anything is encoded.
import { creativeStart, heldFrames, slateBase } from '../../../ads/creative/conditionedAsset.ts';
import type { FrameRate } from '../../../time/units.ts';
import {
  adBorders,
  audioBorder,
  framesPerAdSegment,
  framesPerSecond,
  maxFirstSlateFrames,
  videoTicks,
} from '../../../timeline/asset/frameGrid.ts';
import type { TrackGrid } from '../../package/packageTrack.ts';
import type { AudioEncode, VideoEncode } from './planEncode.ts';

export type TimeShape = {
  readonly kind: 'creative' | 'slate';
  readonly rate: FrameRate;
  /** Frames of the source that play. */
  readonly frames: number;
  /** Frames after them that repeat the last one. */
  readonly held: number;
  /** Segment borders in frames, on the media's own timeline. */
  readonly borders: readonly number[];
  /** Frames per segment, except the first and the last. */
  readonly step: number;
};

/** The last frame of a creative is repeated, so that it can play longer (ads/creative/conditionedAsset.ts). */
export function creativeShape(frames: number, rate: FrameRate): TimeShape {
  const held = heldFrames(rate);
  const start = creativeStart(rate);
  const borders = [...adBorders(frames, rate).slice(0, -1), frames + held].map((border) => start + border);
  return { kind: 'creative', rate, frames, held, borders, step: framesPerAdSegment(rate) };
}

/** Slate has its longest possible first segment, then `seconds` segments of one second, which are looped. */
export function slateLoopShape(seconds: number, rate: FrameRate): TimeShape {
  const [base, second, first] = [slateBase(rate), framesPerSecond(rate), maxFirstSlateFrames(rate)];
  const whole = Array.from({ length: seconds + 1 }, (_, index) => base + index * second);
  const frames = first + seconds * second;
  return { kind: 'slate', rate, frames, held: 0, borders: [base - first, ...whole], step: second };
}

export const videoGrid = ({ rate, borders }: TimeShape, { timescale }: VideoEncode): TrackGrid => ({
  kind: 'video',
  timescale,
  unit: videoTicks(rate, timescale).frame,
  borders,
});

/** Some loops of slate are one audio frame longer than others, so one more frame is stored. */
export function audioGrid(shape: TimeShape, { sampleRate, frameSamples }: AudioEncode): TrackGrid {
  const borders = shape.borders.map((border) => audioBorder(border, shape.rate, sampleRate, frameSamples));
  if (shape.kind === 'slate') borders.push((borders.pop() ?? 0) + 1);
  return { kind: 'audio', timescale: sampleRate, unit: frameSamples, borders };
}
