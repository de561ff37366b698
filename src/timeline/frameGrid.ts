// The grid on which ads and slate are cut: whole video frames, AAC frames, segments of about two seconds (ads) or one
// (slate). Everything here is counted before anything is encoded, so a manifest can list an ad while it is being made.
import type { FrameRate } from '../time/units.ts';

export const AAC_FRAME = 1024; // samples of an AAC frame (ISO/IEC 14496-3 4.5.1.1)

/**
 * Ticks of one video frame and the timescale that makes them whole.
 * @param wanted a timescale to use if it does
 */
export function videoTicks(rate: FrameRate, wanted?: number): { timescale: number; frame: number } {
  if (wanted !== undefined && (wanted * rate.d) % rate.n === 0) {
    return { timescale: wanted, frame: (wanted * rate.d) / rate.n };
  }
  return rate.d === 1 ? { timescale: 1000 * rate.n, frame: 1000 } : { timescale: rate.n, frame: rate.d };
}

/** Frames of a whole "second" of this rate: 24 for 23.976, 30 for 29.97. A slate segment. */
export const framesPerSecond = (rate: FrameRate): number => Math.max(1, Math.round(rate.n / rate.d));
export const framesPerAdSegment = (rate: FrameRate): number => 2 * framesPerSecond(rate);

export const secondsToFrames = (seconds: number, rate: FrameRate): number => Math.round((seconds * rate.n) / rate.d);

/** Frames of a creative of this measured length; a length within 0.25 s of a whole second is that second. */
export function creativeFrames(seconds: number, rate: FrameRate): number {
  const nearest = Math.round(seconds);
  return secondsToFrames(nearest > 0 && Math.abs(seconds - nearest) <= 0.25 ? nearest : seconds, rate);
}

/** Borders, in frames, of the video segments of a creative; a rest under a quarter segment joins its predecessor. */
export function adBorders(frames: number, rate: FrameRate): number[] {
  const step = framesPerAdSegment(rate);
  const borders = [0];
  for (let next = step; next < frames; next += step) borders.push(next);
  if (borders.length > 1 && frames - borders[borders.length - 1]! < step / 4) borders.pop();
  borders.push(frames);
  return borders;
}

/** The audio frame border nearest to a video frame border, in integers (a float would miss ties). */
export function audioBorder(frame: number, rate: FrameRate, sampleRate: number, frameSamples = AAC_FRAME): number {
  const numerator = 2 * frame * rate.d * sampleRate + frameSamples * rate.n;
  return Math.floor(numerator / (2 * frameSamples * rate.n));
}

/** The shortest stretch that slate can fill: half a second, in frames. */
export const shortestSlate = (rate: FrameRate): number => Math.ceil(rate.n / rate.d / 2);
/** The longest first (odd) segment of slate: a second and a half, in frames. */
export const longestFirstSlate = (rate: FrameRate): number => Math.ceil((3 * rate.n) / rate.d / 2);

/**
 * Slate of `frames`: an odd first segment of 0.5 to 1.5 s, then whole one-second segments; two segments where the rest
 * allows, because two one-segment spans in a row break video.js.
 */
export function slateShape(frames: number, rate: FrameRate): { first: number; whole: number } {
  const second = framesPerSecond(rate);
  const least = shortestSlate(rate);
  if (frames < least) throw new Error(`slate needs at least ${least} frames, got ${frames}`);
  const whole = Math.floor((frames - least) / second);
  return { first: frames - whole * second, whole };
}
