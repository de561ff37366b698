// SPDX-License-Identifier: Apache-2.0
// Makes a plan of the breaks that were requested for a title: in the order of time, with at least half a second of content
// between two of them, and not too many.
import { LONGEST_BREAK_SECONDS } from '../channels/cuePoints.ts';
import { flicks, flicksToSeconds } from '../time/units.ts';
import { MIN_CLIP_DURATION } from '../timeline/asset/clip.ts';
import { type BreakPlan, breakIdAt, type DroppedBreak, MAX_BREAKS, type PlannedBreak } from './breakPlan.ts';

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
  const stretches = group.flatMap(({ at, until }) => (until === undefined ? [] : [{ at, until }]));
  if (stretches.length === 0) return { at: group[0].at };
  return { at: Math.min(...stretches.map(({ at }) => at)), until: Math.max(...stretches.map(({ until }) => until)) };
}

/**
 * Whether `next` belongs to the same break. Content between two breaks would be a clip of its own (MIN_CLIP_DURATION). Two
 * stretches that touch are two breaks: a manifest declares avails one after the other that way.
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

/** @param requested in any order; of those at one position, earlier ones come first */
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
