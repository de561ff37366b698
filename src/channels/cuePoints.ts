// SPDX-License-Identifier: Apache-2.0
// Where an item's cue points land: at the nearest point where its asset can have a break (timeline/asset/breakPoints.ts).
import { type Flicks, type FrameRate, flicks, flicksToSeconds, secondsToFlicks } from '../time/units.ts';
import type { Asset, Rendition } from '../timeline/asset/asset.ts';
import { type BreakPoints, breakPointsOf } from '../timeline/asset/breakPoints.ts';
import { minSlateFrames, secondsToFrames } from '../timeline/asset/frameGrid.ts';
import { DEFAULT_BREAK_DURATION } from './channel.ts';
import { type ContentItem, type CuePoint, POST_ROLL } from './playlist.ts';

export const LONGEST_BREAK_SECONDS = 3600;

export type Landing = {
  readonly cue: CuePoint;
  /** The position of the break in the asset. */
  readonly at: Flicks;
  readonly frames: number;
};

export type CueReport = {
  readonly spliceTime: number;
  /** Seconds from the asset's start; absent when the cue point makes no break. */
  readonly landsAt?: number;
  /** Why the cue point makes no break. */
  readonly reason?: string;
  /** Set if the break is far from the requested position. */
  readonly warning?: string;
};

/**
 * Seconds. A cue point that moves further gets a warning. Segments rarely exceed ten seconds, so the nearest cut point is
 * normally within five; a longer move means that the asset cannot be cut there or that the position is outside of it.
 */
const FAR = 5;

export function moveWarning(requested: Flicks, at: Flicks, what = 'the break'): { warning?: string } {
  const seconds = flicksToSeconds(flicks(at - requested));
  if (Math.abs(seconds) <= FAR) return {};
  const [far, side] = [Math.abs(seconds).toFixed(1), seconds < 0 ? 'before' : 'after'];
  return {
    warning: `${what} is ${far} s ${side} the requested position (${flicksToSeconds(requested).toFixed(1)} s), because the asset cannot be cut any closer`,
  };
}

/** After the start of the asset; maybe past its end. */
export function requestedAt(cue: CuePoint, item: ContentItem, asset: Asset): Flicks {
  if (cue.spliceTime === POST_ROLL) return asset.duration;
  return item.spliceType === 'percent'
    ? flicks(Math.round((asset.duration * cue.spliceTime) / 100))
    : secondsToFlicks(cue.spliceTime);
}

/**
 * The requested position of a cue point in milliseconds from the item's start; −1 at or after its end.
 * @param duration of the item in seconds, if known
 * @returns undefined for a percentage of an unknown duration
 */
export function spliceMillis(
  { spliceTime }: CuePoint,
  { spliceType }: ContentItem,
  duration: number | undefined,
): number | undefined {
  if (spliceTime === POST_ROLL) return POST_ROLL;
  if (spliceType === 'percent') {
    if (spliceTime === 0) return 0;
    if (spliceTime >= 100) return POST_ROLL;
    return duration === undefined ? undefined : Math.round(duration * spliceTime * 10);
  }
  return duration !== undefined && spliceTime >= duration ? POST_ROLL : Math.round(spliceTime * 1000);
}

/**
 * @param points those of the item's asset
 * @param breakDuration seconds of a break whose cue point has no maxDuration
 * @returns where the cue point makes a break, after the start of the asset, with its longest duration, or why it makes none
 */
export function landCue(cue: CuePoint, requested: Flicks, points: BreakPoints, rate: FrameRate, breakDuration: number) {
  const { maxDuration = breakDuration } = cue;
  const seconds = Math.min(maxDuration, LONGEST_BREAK_SECONDS);
  const frames = secondsToFrames(seconds, rate);
  if (frames < minSlateFrames(rate)) return { reason: `a break lasts at least 0.5 s, maxDuration is ${maxDuration}` };
  const at = points.nearest(requested);
  return { at, seconds, frames, ...moveWarning(requested, at) };
}

/**
 * @param breakDuration seconds of a break whose cue point has no maxDuration
 * @returns the landings by time, and a report for each cue point in the item's order
 */
export function landCuePoints(
  item: ContentItem,
  asset: Asset,
  renditions: readonly Rendition[],
  rate: FrameRate,
  breakDuration: number = DEFAULT_BREAK_DURATION,
): { landings: Landing[]; reports: CueReport[] } {
  if (item.cuePoints === undefined || item.cuePoints.length === 0) return { landings: [], reports: [] };
  const points = breakPointsOf(asset, renditions);
  const landings: Landing[] = [];
  const reports = item.cuePoints.map((cue): CueReport => {
    const { spliceTime } = cue;
    const landed = landCue(cue, requestedAt(cue, item, asset), points, rate, breakDuration);
    if ('reason' in landed) return { spliceTime, reason: landed.reason };
    const { at, frames, warning } = landed;
    landings.push({ cue, at, frames });
    return { spliceTime, landsAt: flicksToSeconds(at), ...(warning === undefined ? {} : { warning }) };
  });
  landings.sort((a, b) => a.at - b.at);
  return { landings, reports };
}
