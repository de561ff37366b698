// SPDX-License-Identifier: Apache-2.0
// What an edit changes, in words, for a check before saving.
import type { PlaylistBody } from '../../../src/http/contract/playlistContract.ts';
import { groupBy } from '../../../src/invariant.ts';
import { plural } from '../format/numbers.ts';
import { formatTimecode } from '../format/time.ts';
import { POST_ROLL } from './cuePlacement.ts';
import { type ContentItem, type CuePoint, itemName } from './playlistDraft.ts';
import { playlistTypes } from './playlistTypes.ts';

export type Change = { readonly kind: 'added' | 'removed' | 'changed'; readonly text: string };
/** Indexes of one item in the old and in the new playlist. */
type Pair = { readonly from: number; readonly to: number };

const hasWholeTenths = (seconds: number): boolean => Math.abs(seconds * 10 - Math.round(seconds * 10)) < 1e-6;
/** Exact to the last digit, so that two positions never look the same. */
function formatPosition({ spliceTime }: CuePoint, { spliceType }: ContentItem): string {
  if (spliceTime === POST_ROLL) return 'the end';
  if (spliceType === 'percent') return `${spliceTime}%`;
  return hasWholeTenths(spliceTime) ? formatTimecode(spliceTime, true) : `${spliceTime} s`;
}
const formatSize = ({ maxDuration, maxAds }: CuePoint): string =>
  `${maxDuration === undefined ? 'default duration' : `${maxDuration} s`}${maxAds === undefined ? '' : `, up to ${plural(maxAds, 'ad')}`}`;

/** Pairs items by their source, the first with the first. */
function pairItems(before: readonly ContentItem[], after: readonly ContentItem[]): Pair[] {
  const unpaired: ReadonlyMap<string | undefined, number[]> = groupBy(before.keys(), (index) => before[index]?.url);
  return after.flatMap(({ url }, to) => {
    const from = unpaired.get(url)?.shift();
    return from === undefined ? [] : [{ from, to }];
  });
}

/** The largest set of pairs that keep their order: the longest increasing subsequence of `from`. */
function pairsInOrder(pairs: readonly Pair[]): Set<Pair> {
  type Run = { readonly pair: Pair; readonly length: number; readonly previous: Run | undefined };
  const runs: Run[] = [];
  let longest: Run | undefined;
  for (const pair of pairs) {
    let previous: Run | undefined;
    for (const run of runs) if (run.pair.from < pair.from && run.length > (previous?.length ?? 0)) previous = run;
    const run: Run = { pair, length: (previous?.length ?? 0) + 1, previous };
    runs.push(run);
    if (run.length > (longest?.length ?? 0)) longest = run;
  }
  const kept = new Set<Pair>();
  for (let run = longest; run !== undefined; run = run.previous) kept.add(run.pair);
  return kept;
}

/** Removes matching pairs from two lists, each entry with the first that matches. */
function takePairs<T>(removed: T[], added: T[], isPair: (before: T, after: T) => boolean): [before: T, after: T][] {
  const pairs: [T, T][] = [];
  for (const before of [...removed]) {
    const index = added.findIndex((after) => isPair(before, after));
    if (index < 0) continue;
    for (const after of added.splice(index, 1)) pairs.push([before, after]);
    removed.splice(removed.indexOf(before), 1);
  }
  return pairs;
}

/** A removed and an added break of the same size are one break that moved. Two breaks may have the same position. */
function breakChanges(before: ContentItem, after: ContentItem): Change[] {
  const breaks = (item: ContentItem) =>
    (item.cuePoints ?? []).map((cue) => ({ position: formatPosition(cue, item), size: formatSize(cue) }));
  const [removed, added] = [breaks(before), breaks(after)];
  takePairs(removed, added, (old, next) => old.position === next.position && old.size === next.size);
  const resized = takePairs(removed, added, (old, next) => old.position === next.position);
  const moved = takePairs(removed, added, (old, next) => old.size === next.size);
  const change = (kind: Change['kind'], text: string): Change => ({ kind, text: `${itemName(after)}: ${text}` });
  return [
    ...removed.map(({ position }) => change('removed', `break at ${position} removed`)),
    ...moved.map(([old, next]) => change('changed', `break moved from ${old.position} to ${next.position}`)),
    ...resized.map(([old, next]) =>
      change('changed', `break at ${next.position} changed from ${old.size} to ${next.size}`),
    ),
    ...added.map(({ position, size }) => change('added', `break added at ${position}, ${size}`)),
  ];
}

function itemChanges(old: ContentItem, item: ContentItem, { from, to }: Pair, isMoved: boolean): Change[] {
  const name = itemName(item);
  const isSameDuration = old.duration === item.duration || Number(old.duration) === Number(item.duration);
  const changes: Change[] = [
    ...(isMoved ? [{ kind: 'changed' as const, text: `${name} moved from position ${from + 1} to ${to + 1}` }] : []),
    ...(isSameDuration
      ? []
      : [{ kind: 'changed' as const, text: `${name}: fallback duration set to ${item.duration ?? 'none'}` }]),
    ...breakChanges(old, item),
  ];
  if (changes.length > 0 || JSON.stringify(old) === JSON.stringify(item)) return changes;
  return [{ kind: 'changed', text: `${name}: breaks reordered, same positions` }];
}

const fields = [
  ['name', 'Name'],
  ['labels', 'Labels'],
  ['status', 'Status'],
  ['type', 'Type'],
  ['startDate', 'Loop start'],
] as const;

function formatField(playlist: PlaylistBody, name: (typeof fields)[number][0]): string {
  if (name === 'type') return playlistTypes[playlist.type ?? ''];
  return (name === 'labels' ? playlist.labels?.join(', ') : playlist[name]) || 'none';
}

/** @returns an empty list when the playlists are equal */
export function diffPlaylists(before: PlaylistBody, after: PlaylistBody): Change[] {
  const [old, next] = [before.contents ?? [], after.contents ?? []];
  const pairs = pairItems(old, next);
  const inOrder = pairsInOrder(pairs);
  const kept = new Set(pairs.map(({ from }) => from));
  const pairOf = new Map(pairs.map((pair) => [pair.to, pair]));
  return [
    ...fields.flatMap(([name, label]): Change[] => {
      const [was, is] = [before, after].map((playlist) => formatField(playlist, name));
      return was === is ? [] : [{ kind: 'changed', text: `${label} changed from ${was} to ${is}` }];
    }),
    ...old.flatMap((item, index): Change[] =>
      kept.has(index) ? [] : [{ kind: 'removed', text: `${itemName(item)} removed` }],
    ),
    ...next.flatMap((item, index): Change[] => {
      const pair = pairOf.get(index);
      const was = pair && old[pair.from];
      if (pair !== undefined && was !== undefined) return itemChanges(was, item, pair, !inOrder.has(pair));
      const breaks = item.cuePoints?.length ?? 0;
      const withBreaks = breaks === 0 ? '' : `, with ${plural(breaks, 'break')}`;
      return [{ kind: 'added', text: `${itemName(item)} added at position ${index + 1}${withBreaks}` }];
    }),
  ];
}
