// SPDX-License-Identifier: Apache-2.0
// The grid on which ads and slate are cut: whole video frames, AAC frames, and segments of about two seconds (ads) or one
// second (slate). It is computed from durations alone, before anything is encoded, so all nodes agree on the segments.
import type { FrameRate } from '../../time/units.ts';

export const AAC_FRAME = 1024; // samples of an AAC frame (ISO/IEC 14496-3 4.5.1.1)

/**
 * A timescale in which a video frame is a whole number of ticks, and that number.
 * @param preferred used if a frame is a whole number of its ticks
 */
export function videoTicks(rate: FrameRate, preferred?: number): { timescale: number; frame: number } {
  if (preferred !== undefined && (preferred * rate.d) % rate.n === 0) {
    return { timescale: preferred, frame: (preferred * rate.d) / rate.n };
  }
  return rate.d === 1 ? { timescale: 1000 * rate.n, frame: 1000 } : { timescale: rate.n, frame: rate.d };
}

/** Frames of a nominal second: 24 for 23.976 fps, 30 for 29.97 fps. The length of a slate segment. */
export const framesPerSecond = (rate: FrameRate): number => Math.max(1, Math.round(rate.n / rate.d));
export const framesPerAdSegment = (rate: FrameRate): number => 2 * framesPerSecond(rate);

export const secondsToFrames = (seconds: number, rate: FrameRate): number => Math.round((seconds * rate.n) / rate.d);

/** Frames of a creative of this measured duration, which is rounded to a whole second if one is within 0.25 s. */
export function creativeFrames(seconds: number, rate: FrameRate): number {
  const nearest = Math.round(seconds);
  return secondsToFrames(nearest > 0 && Math.abs(seconds - nearest) <= 0.25 ? nearest : seconds, rate);
}

/** Segment borders of a creative, in frames. A remainder shorter than a quarter segment is added to the last segment. */
export function adBorders(frames: number, rate: FrameRate): number[] {
  const step = framesPerAdSegment(rate);
  const borders = [0];
  for (let next = step; next < frames; next += step) borders.push(next);
  if (borders.length > 1 && frames - (borders.at(-1) ?? 0) < step / 4) borders.pop();
  borders.push(frames);
  return borders;
}

/** The audio frame border nearest to a video frame border; in integers, because floats would miss ties. */
export function audioBorder(frame: number, rate: FrameRate, sampleRate: number, frameSamples = AAC_FRAME): number {
  const numerator = 2 * frame * rate.d * sampleRate + frameSamples * rate.n;
  return Math.floor(numerator / (2 * frameSamples * rate.n));
}

/** The shortest slate, in frames: half a second. */
export const minSlateFrames = (rate: FrameRate): number => Math.ceil(rate.n / rate.d / 2);
/** The longest first segment of slate, in frames: a second and a half. */
export const maxFirstSlateFrames = (rate: FrameRate): number => Math.ceil((3 * rate.n) / rate.d / 2);

/**
 * The segments of slate of `frames`: a first one of 0.5 to 1.5 s, then `whole` segments of one second. There are at least two
 * segments if the duration allows it, because two consecutive spans of one segment break video.js.
 */
export function slateSegments(frames: number, rate: FrameRate): { first: number; whole: number } {
  const second = framesPerSecond(rate);
  const least = minSlateFrames(rate);
  if (frames < least) throw new Error(`frames of slate must be at least ${least}; got ${frames}`);
  const whole = Math.floor((frames - least) / second);
  return { first: frames - whole * second, whole };
}
