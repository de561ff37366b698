// SPDX-License-Identifier: Apache-2.0
// What a viewer of a live channel was shown, compared with what the origin had at that instant.
import { expect } from 'vitest';
import { isOurs } from '../laws/readBack.ts';
import { replacedIntervals, segmentsOf } from './liveStage.ts';
import type { OriginBreak } from './origin/breakPlan.ts';
import type { LiveOrigin } from './origin/liveOrigin.ts';
import { TEXT_TIMESCALE } from './origin/media/liveText.ts';
import type { Viewer } from './viewer.ts';

/** In milliseconds since 1970. */
export type MeantBreak = { readonly id: number; readonly startsAt: number; readonly endsAt: number };

/** Milliseconds. The first frame of sound, at which it is dated, is up to 24.5 ms beside the picture. */
const TOLERANCE = 26;
const FURTHEST = 400;

/** The breaks of the origin's first run, as viewers are meant to see them. @param endOf in segments */
export function meantBreaks({ broadcast }: LiveOrigin, endOf: (one: OriginBreak) => number): MeantBreak[] {
  const run = broadcast.runs[0]!;
  return broadcast.breaksBetween(run, 0, FURTHEST).map((one) => ({
    id: one.id,
    startsAt: broadcast.startOf(run, one.start),
    endsAt: broadcast.startOf(run, endOf(one)),
  }));
}

const isNear = (one: number, other: number, error = 0): boolean => Math.abs(one - other) <= TOLERANCE + error;

/** When the origin's segment at a URL starts; undefined if the URL does not state it. */
export function instantOf({ broadcast }: LiveOrigin, url: string): number | undefined {
  const [, name, runText, file] = /\/([avt]\d+)\/(\d+)\/([^?]+)/.exec(url) ?? [];
  const run = broadcast.runs[Number(runText)];
  if (run === undefined || file === undefined || file.startsWith('chunk')) return undefined;
  const [, stretch, ticks] = /^(\d+)\/t(\d+)\./.exec(file) ?? [];
  if (ticks === undefined) return broadcast.startOf(run, Number.parseInt(file, 10) - run.firstNumber);
  const timescale = broadcast.loop.renditions.find((each) => each.name === name)?.timescale ?? TEXT_TIMESCALE;
  const mediaMs = (Number(ticks) * 1000) / timescale;
  for (let index = 0; index < FURTHEST; index += 1) {
    const late = mediaMs - broadcast.mediaMsOf(run, index);
    if (broadcast.stretchOf(run, index) === Number(stretch) && isNear(late, 0))
      return broadcast.startOf(run, index) + late;
  }
  throw new Error(`the origin has no segment ${url}`);
}

export const edgeOf = (viewer: Viewer, rung: string): number =>
  Math.max(...[...viewer.listed.get(rung)!.values()].map(({ date, duration }) => date + duration / 1000));

/** How much later the clock of an MPD is than the timeline of the origin (MPD@availabilityStartTime); 0 in HLS. */
function latencyOf(viewer: Viewer, origin: LiveOrigin): number {
  const content = segmentsOf(viewer, viewer.rungs[0]!).find(({ uri }) => !isOurs(uri));
  const instant = content === undefined ? undefined : instantOf(origin, content.uri);
  return instant === undefined || isNear(content!.date, instant, origin.dateError) ? 0 : content!.date - instant;
}

/** The breaks that the first rung has listed from start to end, with what follows them. */
export function seenBreaks(viewer: Viewer, origin: LiveOrigin, meant: readonly MeantBreak[]): MeantBreak[] {
  const [rung] = viewer.rungs as readonly [string];
  const [first] = segmentsOf(viewer, rung);
  if (first === undefined) return [];
  const late = latencyOf(viewer, origin);
  const edge = edgeOf(viewer, rung);
  return meant.filter(({ startsAt, endsAt }) => startsAt + late >= first.date && endsAt + late + 4000 <= edge);
}

/**
 * Media of ours are shown exactly in the breaks, and outside of them the segment that the origin has at that instant.
 * @param maxLatency of the clock of an MPD, in milliseconds
 */
export function expectExactBreaks(
  viewer: Viewer,
  origin: LiveOrigin,
  meant: readonly MeantBreak[],
  maxLatency = 4000,
): void {
  const { dateError } = origin;
  const late = latencyOf(viewer, origin);
  expect(late).toBeGreaterThanOrEqual(0);
  expect(late).toBeLessThan(maxLatency);
  for (const rung of viewer.rungs) {
    const listed = segmentsOf(viewer, rung);
    const [from, to] = [listed[0]!.date, edgeOf(viewer, rung)];
    const within = (at: number): number => Math.min(Math.max(at, from), to);
    const expected = meant
      .map(({ startsAt, endsAt }) => [within(startsAt + late), within(endsAt + late)] as const)
      .filter(([start, end]) => end > start);
    const replaced = replacedIntervals(viewer, rung).map(({ startsAt, endsAt }) => [startsAt, endsAt] as const);
    const text = (intervals: readonly (readonly [number, number])[]) =>
      intervals.map(([start, end]) => `${((start - from) / 1000).toFixed(2)} to ${((end - from) / 1000).toFixed(2)}`);
    const isSame =
      expected.length === replaced.length &&
      expected.every(
        ([start, end], at) => isNear(start, replaced[at]![0], dateError) && isNear(end, replaced[at]![1], dateError),
      );
    if (!isSame) expect([rung, ...text(replaced)]).toEqual([rung, ...text(expected)]);
    for (const { uri, date } of listed) {
      const instant = isOurs(uri) ? undefined : instantOf(origin, uri);
      if (instant !== undefined && !isNear(instant + late, date, dateError))
        expect([uri, date]).toEqual([uri, instant + late]);
    }
  }
}
