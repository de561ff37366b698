// SPDX-License-Identifier: Apache-2.0
// Finds the Representations of several Periods that are the same rendition. The standard requires nothing that identifies
// them, so they are matched by id, else by kind, language, role and codec, and then by height or bandwidth.
import type { MpdPeriod, MpdRepresentation } from '../mpd.ts';

/** A rendition: its Representation in each Period, in the order of the Periods. */
type Match = readonly MpdRepresentation[];
export type Matched = { readonly matches: readonly Match[]; readonly warnings: readonly string[] };

const family = ({ codecs }: MpdRepresentation): string => codecs?.split(/[.,]/)[0]?.toLowerCase() ?? '';
const roles = (one: MpdRepresentation): string => [...one.roles].sort().join();
const common = (one: MpdRepresentation): unknown[] => [one.kind, one.container];

/** Keys from the strictest to the most lenient; text never matches text of another language. */
const matchKeys: readonly ((one: MpdRepresentation) => string | undefined)[] = [
  (one) => (one.id === undefined ? undefined : JSON.stringify([...common(one), one.id, family(one), one.language])),
  (one) => JSON.stringify([...common(one), one.language, family(one), roles(one)]),
  (one) => JSON.stringify([...common(one), one.language, family(one)]),
  (one) => JSON.stringify([...common(one), one.language]),
  (one) => (one.kind === 'text' ? undefined : JSON.stringify([...common(one), family(one)])),
];

const byBandwidth = (a: MpdRepresentation, b: MpdRepresentation): number => (b.bandwidth ?? 0) - (a.bandwidth ?? 0);

/** The difference of two qualities as a ratio: of heights, else of bandwidths. */
function distance(a: MpdRepresentation, b: MpdRepresentation): number {
  const [x, y] = a.height && b.height ? [a.height, b.height] : [a.bandwidth ?? 0, b.bandwidth ?? 0];
  return Math.abs(Math.log((x || 1) / (y || 1)));
}

/** Pairs each of the shorter list with the nearest of the longer, keeping both in their order. */
function pair(one: MpdRepresentation[], other: MpdRepresentation[]): [MpdRepresentation, MpdRepresentation][] {
  const [few, many] = one.length <= other.length ? [one, other] : [other, one];
  const sorted = many.toSorted(byBandwidth);
  let from = 0;
  const pairs = few.toSorted(byBandwidth).map((target, index): [MpdRepresentation, MpdRepresentation] => {
    const candidates = sorted.slice(from, sorted.length - (few.length - index - 1));
    const nearest = candidates.reduce((best, one) => (distance(target, one) < distance(target, best) ? one : best));
    from = sorted.indexOf(nearest, from) + 1;
    return [target, nearest];
  });
  return few === one ? pairs : pairs.map(([a, b]) => [b, a]);
}

function grouped(all: readonly MpdRepresentation[], key: (one: MpdRepresentation) => string | undefined) {
  const groups = new Map<string, MpdRepresentation[]>();
  for (const one of all) {
    const of = key(one);
    const group = of === undefined ? undefined : groups.get(of);
    if (group !== undefined) group.push(one);
    else if (of !== undefined) groups.set(of, [one]);
  }
  return groups;
}

/** For Representations of the first Period, their counterparts in another. */
function counterparts(first: readonly MpdRepresentation[], other: readonly MpdRepresentation[]) {
  const found = new Map<MpdRepresentation, MpdRepresentation>();
  let left = [...first];
  let right = [...other];
  for (const keyOf of matchKeys) {
    const groups = grouped(left, keyOf);
    const others = grouped(right, keyOf);
    for (const [key, group] of groups) {
      for (const [one, counterpart] of pair(group, others.get(key) ?? [])) found.set(one, counterpart);
    }
    const taken = new Set(found.values());
    left = left.filter((one) => !found.has(one));
    right = right.filter((one) => !taken.has(one));
  }
  return found;
}

/** Renditions that exist in every Period; other Representations are skipped with a warning. */
export function matchRepresentations(periods: readonly MpdPeriod[]): Matched {
  const [first, ...others] = periods;
  if (first === undefined) return { matches: [], warnings: [] };
  const found = others.map(({ representations }) => counterparts(first.representations, representations));
  const matches = first.representations
    .map((one) => [one, ...found.map((inPeriod) => inPeriod.get(one))])
    .filter((match): match is MpdRepresentation[] => !match.includes(undefined));
  const matched = new Set(matches.flat());
  const warnings = periods
    .flatMap(({ representations }) => representations)
    .filter((one) => !matched.has(one))
    .map(({ where }) => `${where} has no counterpart in every other Period; it is skipped`);
  return { matches, warnings };
}
