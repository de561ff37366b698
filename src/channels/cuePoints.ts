// SPDX-License-Identifier: Apache-2.0
// Where an item's cue points land. A break falls only on a cut point of the asset, and only where both sides keep a
// segment in every rung.
import { type Flicks, type FrameRate, flicks, flicksToSeconds, secondsToFlicks } from '../time/units.ts';
import type { Asset, Rendition } from '../timeline/asset/asset.ts';
import { cutClip, MIN_CLIP_DURATION } from '../timeline/asset/clip.ts';
import { minSlateFrames, secondsToFrames } from '../timeline/asset/frameGrid.ts';
import { DEFAULT_BREAK_DURATION } from './channel.ts';
import { type ContentItem, type CuePoint, POST_ROLL } from './playlist.ts';

/** A break is at most an hour. */
const LONGEST_BREAK_SECONDS = 3600;

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
  /** Why it causes no break. */
  readonly reason?: string;
  /** It makes a break, but far from the requested position. */
  readonly warning?: string;
};

/**
 * Seconds. A cue point that moves further gets a warning. Segments rarely exceed ten seconds, so the nearest cut point is
 * normally within five; a longer move means that the asset cannot be cut there or that the position is outside of it.
 */
const FAR = 5;

function moveWarning(requested: Flicks, at: Flicks): { warning?: string } {
  const seconds = flicksToSeconds(flicks(at - requested));
  if (Math.abs(seconds) <= FAR) return {};
  const [far, side] = [Math.abs(seconds).toFixed(1), seconds < 0 ? 'before' : 'after'];
  return {
    warning: `the break is ${far} s ${side} the requested position (${flicksToSeconds(requested).toFixed(1)} s), because the asset cannot be cut any closer`,
  };
}

function requestedAt(cue: CuePoint, item: ContentItem, asset: Asset): Flicks {
  if (cue.spliceTime === POST_ROLL) return asset.duration;
  return item.spliceType === 'percent'
    ? flicks(Math.round((asset.duration * cue.spliceTime) / 100))
    : secondsToFlicks(cue.spliceTime);
}

/** The asset's cut points, in order. */
const cutPointsOf = (asset: Asset): number[] =>
  asset.parts.flatMap((part, index) =>
    [...part.cutPoints].filter((point) => index === 0 || point > 0).map((point) => part.start + point),
  );

function leavesSegments(asset: Asset, renditions: readonly Rendition[], at: number): boolean {
  const index = asset.parts.findIndex(({ start, duration }) => at > start && at < start + duration);
  const part = asset.parts[index];
  if (part === undefined) return true;
  const cut = flicks(at - part.start);
  return (
    Math.min(cut, part.duration - cut) >= MIN_CLIP_DURATION &&
    cutClip('content', asset, renditions, index, flicks(0), cut) !== undefined &&
    cutClip('content', asset, renditions, index, cut, part.duration) !== undefined
  );
}

/** The cut points that can hold a break: every rung keeps a segment on both sides. */
export const usableCutPoints = (asset: Asset, renditions: readonly Rendition[]): Flicks[] =>
  cutPointsOf(asset)
    .filter((point) => leavesSegments(asset, renditions, point))
    .map(flicks);

/** The nearest point that leaves segments on both sides; of two, the earlier. Examines only the points around `at`. */
function nearest(points: readonly number[], requested: number, isUsable: (point: number) => boolean): number {
  let later = points.findIndex((point) => point >= requested);
  if (later < 0) later = points.length;
  let earlier = later - 1;
  while (earlier >= 0 || later < points.length) {
    const isEarlier =
      later >= points.length || (earlier >= 0 && requested - points[earlier]! <= points[later]! - requested);
    const point = points[isEarlier ? earlier-- : later++]!;
    if (isUsable(point)) return point;
  }
  return 0;
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
  const points = cutPointsOf(asset);
  const isUsable = (point: number): boolean => leavesSegments(asset, renditions, point);
  const landings: Landing[] = [];
  const reports = item.cuePoints.map((cue): CueReport => {
    const { spliceTime, maxDuration = breakDuration } = cue;
    const frames = secondsToFrames(Math.min(maxDuration, LONGEST_BREAK_SECONDS), rate);
    if (frames < minSlateFrames(rate)) {
      return { spliceTime, reason: `a break lasts at least 0.5 s, maxDuration is ${maxDuration}` };
    }
    const requested = requestedAt(cue, item, asset);
    const at = flicks(nearest(points, requested, isUsable));
    landings.push({ cue, at, frames });
    return { spliceTime, landsAt: flicksToSeconds(at), ...moveWarning(requested, at) };
  });
  landings.sort((a, b) => a.at - b.at);
  return { landings, reports };
}
