// How long conditioned media are and where their segments lie, in frames, before anything is encoded.
import { heldFrames, slateBase } from '../../../ads/creative/conditionedAsset.ts';
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
  /** Frames after them in which the last picture is held. */
  readonly held: number;
  /** Segment borders in frames on the media's own line. */
  readonly borders: readonly number[];
  /** Frames of each segment but the first and the last. */
  readonly step: number;
};

/** A creative starts at frame 0 and is held at its end, so that it can play a little longer (ads/conditionedAsset). */
export function creativeShape(frames: number, rate: FrameRate): TimeShape {
  const held = heldFrames(rate);
  const borders = [...adBorders(frames, rate).slice(0, -1), frames + held];
  return { kind: 'creative', rate, frames, held, borders, step: framesPerAdSegment(rate) };
}

/** Slate is its longest first segment, then `seconds` one-second segments to loop over. */
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

/** A loop of slate is at times one audio frame longer than at others: the frame more is stored. */
export function audioGrid(shape: TimeShape, { sampleRate, frameSamples }: AudioEncode): TrackGrid {
  const borders = shape.borders.map((border) => audioBorder(border, shape.rate, sampleRate, frameSamples));
  if (shape.kind === 'slate') borders[borders.length - 1]! += 1;
  return { kind: 'audio', timescale: sampleRate, unit: frameSamples, borders };
}
