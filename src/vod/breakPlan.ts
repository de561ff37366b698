// SPDX-License-Identifier: Apache-2.0
// Where a VoD presentation may have breaks, before any ad is requested. A session stores its plan when it is opened, so that
// later edits of the playlist do not change what it shows.

import { LONGEST_BREAK_SECONDS } from '../channels/cuePoints.ts';
import { type Flicks, flicks, flicksToSeconds } from '../time/units.ts';
import { MIN_CLIP_DURATION } from '../timeline/asset/clip.ts';

/** What named a break: an item's cue point, a marker in the manifest, or the ad server. */
type BreakOrigin = 'cuePoint' | 'marker' | 'vmap';

/** Times are source times: flicks from the start of the first item (title.ts). */
export type PlannedBreak = {
  /** Unique in the session. Ids of ads and URLs of their segments start with it. */
  readonly id: string;
  readonly origin: BreakOrigin;
  /** A cut point that leaves every rung a segment on both sides; 0 and the end are two. */
  readonly at: Flicks;
  /** The end of a range of content that ads replace, also a cut point; absent if ads are inserted. */
  readonly until?: Flicks;
  /** The requested position, before it was moved to a cut point. */
  readonly requested: Flicks;
  /** The length of the break in seconds, as in ad requests; see `isOpen`. */
  readonly duration: number;
  /** True if ads may be longer than `duration`, because neither cue point, marker nor channel limits the break. */
  readonly isOpen?: boolean;
  readonly maxAds?: number;
  /** What an operator should know, such as cue points that were merged. */
  readonly warnings: readonly string[];
};

/** A break that was requested and cannot be placed. Its record in the trace says why. */
export type DroppedBreak = {
  readonly id: string;
  readonly origin: BreakOrigin;
  /** Absent if the position is unknown. */
  readonly requested?: Flicks;
  readonly code: DropCode;
  /** One sentence. */
  readonly text: string;
};

export type DropCode =
  | 'PAST_THE_END'
  | 'TOO_SHORT'
  | 'TOO_MANY_BREAKS'
  | 'UNKNOWN_POSITION'
  | 'SKIPPED_BY_RESUME'
  | 'NOT_LINEAR';

/** In the order of time; no two breaks are at one position. */
export type BreakPlan = { readonly breaks: readonly PlannedBreak[]; readonly dropped: readonly DroppedBreak[] };

/** Breaks of one presentation. Each one is a request to the ad server. */
export const MAX_BREAKS = 100;

/** The id of the nth break of a plan, from 1. Segment URLs of ads contain it (ads/placement/trackedClip.ts). */
export const breakIdAt = (number: number): string => `0-${number}`;

/** A break at a usable cut point. `sources` are indexes of what requested it, such as breaks of a VMAP document. */
export type RequestedBreak = Omit<PlannedBreak, 'id'> & { readonly sources: readonly number[] };

/** A request that has no position. */
export type RefusedBreak = Omit<DroppedBreak, 'id'> & { readonly sources: readonly number[] };

export type SourcedPlan = {
  readonly plan: BreakPlan;
  /** What requested each break of the plan, dropped ones included, by its id. */
  readonly sources: ReadonlyMap<string, readonly number[]>;
};

type Group = [RequestedBreak, ...RequestedBreak[]];

/** Enough to find the fault; a faulty document may have thousands. */
const MAX_WARNINGS = 10;

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];
const tenths = (at: number): string => flicksToSeconds(flicks(at)).toFixed(1);

function extentOf(group: Group): { at: number; until?: number } {
  const ranges = group.flatMap(({ at, until }) => (until === undefined ? [] : [{ at, until }]));
  if (ranges.length === 0) return { at: group[0].at };
  return { at: Math.min(...ranges.map(({ at }) => at)), until: Math.max(...ranges.map(({ until }) => until)) };
}

/**
 * Whether `next` belongs to the same break. Content between two breaks would be a clip of its own (MIN_CLIP_DURATION). Two
 * ranges that touch are two breaks: a manifest declares avails one after the other that way.
 */
function belongsTo(group: Group, next: RequestedBreak): boolean {
  const { at, until } = extentOf(group);
  const gap = next.at - (until ?? at);
  return gap < MIN_CLIP_DURATION && !(gap === 0 && until !== undefined);
}

/** Cue points and markers each have a length; the ads of a VMAP document come with it and do not depend on a length. */
function lengthsOf(group: Group): Pick<PlannedBreak, 'duration' | 'isOpen' | 'maxAds'> {
  const combine = (values: number[]): number =>
    group[0].origin === 'vmap' ? Math.max(...values) : values.reduce((sum, value) => sum + value, 0);
  const counts = group.flatMap(({ maxAds }) => maxAds ?? []);
  return {
    duration: Math.min(LONGEST_BREAK_SECONDS, combine(group.map(({ duration }) => duration))),
    ...(group.some(({ isOpen }) => isOpen) ? { isOpen: true } : {}),
    ...(counts.length === group.length ? { maxAds: combine(counts) } : {}),
  };
}

function joined(group: Group): RequestedBreak {
  const [first, ...others] = group;
  if (others.length === 0) return first;
  const { at, until } = extentOf(group);
  const lengths = until === undefined ? lengthsOf(group) : { duration: flicksToSeconds(flicks(until - at)) };
  const [from, to] = [tenths(first.requested), tenths(Math.max(...group.map(({ requested }) => requested)))];
  const places = from === to ? `at ${from} s` : `from ${from} s to ${to} s`;
  const warning = `${group.length} breaks requested ${places} are one break of ${lengths.duration} s, because less than 0.5 s of content is between them`;
  return {
    origin: first.origin,
    at: flicks(at),
    ...(until === undefined ? {} : { until: flicks(until) }),
    requested: first.requested,
    ...lengths,
    warnings: unique([warning, ...group.flatMap(({ warnings }) => warnings)]).slice(0, MAX_WARNINGS),
    sources: unique(group.flatMap(({ sources }) => sources)),
  };
}

/** The first ones. The last of them states how many there are in all. */
function bounded(refused: readonly RefusedBreak[]): readonly RefusedBreak[] {
  const last = refused[MAX_BREAKS - 1];
  if (refused.length <= MAX_BREAKS || last === undefined) return refused;
  const text = `${last.text} ${refused.length - MAX_BREAKS} more requested breaks are not listed.`;
  return [...refused.slice(0, MAX_BREAKS - 1), { ...last, text }];
}

/**
 * Makes a plan: in the order of time, with at least half a second of content between two breaks, and not too many.
 * @param requested in any order; of those at one position, earlier ones come first
 */
export function arrangeBreaks(requested: readonly RequestedBreak[], refused: readonly RefusedBreak[]): SourcedPlan {
  const groups: Group[] = [];
  for (const next of [...requested].sort((a, b) => a.at - b.at || a.requested - b.requested)) {
    const group = groups.at(-1);
    if (group !== undefined && belongsTo(group, next)) group.push(next);
    else groups.push([next]);
  }
  const all = groups.map(joined);
  const text = `The presentation would have ${all.length} breaks; it shows the first ${MAX_BREAKS}.`;
  const excess = all.slice(MAX_BREAKS).map(({ origin, requested, sources }): RefusedBreak => {
    return { origin, requested, code: 'TOO_MANY_BREAKS', text, sources };
  });
  const sourcesOf = new Map<string, readonly number[]>();
  function numbered<T extends { readonly sources: readonly number[] }>({ sources, ...rest }: T, number: number) {
    const id = breakIdAt(number);
    sourcesOf.set(id, sources);
    return { id, ...rest };
  }
  const kept = all.slice(0, MAX_BREAKS);
  const breaks = kept.map((one, index) => numbered(one, index + 1));
  const dropped = bounded([...refused, ...excess]).map((one, index) => numbered(one, kept.length + index + 1));
  return { plan: { breaks, dropped }, sources: sourcesOf };
}
