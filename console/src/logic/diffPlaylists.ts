// What an edit changes, in sentences: for a look before it airs.
import type { PlaylistBody } from '../../../src/http/contract.ts';
import { nameOfUrl } from './nameOfUrl.ts';
import type { ContentItem } from './playlistDraft.ts';
import { formatLength } from './time.ts';

export type Change = { readonly kind: 'added' | 'removed' | 'changed'; readonly text: string };
type Cue = NonNullable<ContentItem['cuePoints']>[number];
type Pair = { readonly from: number; readonly to: number };

const nameOf = ({ url }: ContentItem): string => (url === undefined ? 'the placeholder' : nameOfUrl(url));
const isInTenths = (seconds: number): boolean => Math.abs(seconds * 10 - Math.round(seconds * 10)) < 1e-6;
/** To the last digit: two places are never told alike. */
function spotOf({ spliceTime }: Cue, { spliceType }: ContentItem): string {
  if (spliceType === 'percent') return `${spliceTime} %`;
  return isInTenths(spliceTime) ? formatLength(spliceTime, true) : `${spliceTime} s`;
}
const sizeOf = ({ maxDuration, maxAds }: Cue): string =>
  `${maxDuration} s${maxAds === undefined ? '' : `, at most ${maxAds} ${maxAds === 1 ? 'ad' : 'ads'}`}`;

/** Items of the same source are the same item, the first with the first. */
function pairItems(before: readonly ContentItem[], after: readonly ContentItem[]): Pair[] {
  const free = new Map<string | undefined, number[]>();
  before.forEach(({ url }, index) => {
    const places = free.get(url);
    if (places) places.push(index);
    else free.set(url, [index]);
  });
  return after.flatMap(({ url }, to) => {
    const from = free.get(url)?.shift();
    return from === undefined ? [] : [{ from, to }];
  });
}

/** Those of a list of pairs that keep their order: the longest run of growing `from`. */
function inOrder(pairs: readonly Pair[]): Set<Pair> {
  const best: { length: number; previous: number }[] = [];
  let last = -1;
  pairs.forEach(({ from }, index) => {
    let [length, previous] = [1, -1];
    for (let earlier = 0; earlier < index; earlier += 1) {
      if (pairs[earlier]!.from < from && best[earlier]!.length + 1 > length)
        [length, previous] = [best[earlier]!.length + 1, earlier];
    }
    best.push({ length, previous });
    if (last < 0 || length > best[last]!.length) last = index;
  });
  const kept = new Set<Pair>();
  for (let index = last; index >= 0; index = best[index]!.previous) kept.add(pairs[index]!);
  return kept;
}

/** Takes pairs that match out of two lists, each with the first that it can. */
function takePairs<T>(gone: T[], come: T[], isPair: (before: T, after: T) => boolean): [before: T, after: T][] {
  const pairs: [T, T][] = [];
  for (const before of [...gone]) {
    const at = come.findIndex((after) => isPair(before, after));
    if (at < 0) continue;
    pairs.push([before, come[at]!]);
    come.splice(at, 1);
    gone.splice(gone.indexOf(before), 1);
  }
  return pairs;
}

/** A break that goes and one like it that comes are one that moves. Two may stand at one place. */
function cueChanges(before: ContentItem, after: ContentItem): Change[] {
  const told = (item: ContentItem) =>
    (item.cuePoints ?? []).map((cue) => ({ spot: spotOf(cue, item), size: sizeOf(cue) }));
  const [gone, come] = [told(before), told(after)];
  takePairs(gone, come, (was, is) => was.spot === is.spot && was.size === is.size);
  const resized = takePairs(gone, come, (was, is) => was.spot === is.spot);
  const shifted = takePairs(gone, come, (was, is) => was.size === is.size);
  const change = (kind: Change['kind'], text: string): Change => ({ kind, text: `${nameOf(after)}: ${text}` });
  return [
    ...gone.map(({ spot }) => change('removed', `no break at ${spot} any more`)),
    ...shifted.map(([was, is]) => change('changed', `the break at ${was.spot} moves to ${is.spot}`)),
    ...resized.map(([was, is]) => change('changed', `the break at ${is.spot} has ${is.size} instead of ${was.size}`)),
    ...come.map(({ spot, size }) => change('added', `a break at ${spot}, ${size}`)),
  ];
}

const fields = [
  ['name', 'The name'],
  ['status', 'The status'],
  ['type', 'The type'],
  ['startDate', 'The start of the loop'],
] as const;

/** @returns nothing when both say the same */
export function diffPlaylists(before: PlaylistBody, after: PlaylistBody): Change[] {
  const [old, next] = [before.contents ?? [], after.contents ?? []];
  const pairs = pairItems(old, next);
  const kept = inOrder(pairs);
  const stays = new Set(pairs.map(({ from }) => from));
  const pairOf = new Map(pairs.map((pair) => [pair.to, pair]));
  return [
    ...fields.flatMap(([name, words]): Change[] => {
      const [was, is] = [before[name] ?? 'none', after[name] ?? 'none'];
      return was === is ? [] : [{ kind: 'changed', text: `${words} is ${is} instead of ${was}` }];
    }),
    ...old.flatMap((item, index): Change[] =>
      stays.has(index) ? [] : [{ kind: 'removed', text: `${nameOf(item)} is taken out` }],
    ),
    ...next.flatMap((item, index): Change[] => {
      const pair = pairOf.get(index);
      if (pair === undefined) {
        const breaks = item.cuePoints?.length ?? 0;
        const withBreaks = breaks === 0 ? '' : `, with ${breaks} ${breaks === 1 ? 'break' : 'breaks'}`;
        return [{ kind: 'added', text: `${nameOf(item)} is put in place ${index + 1}${withBreaks}` }];
      }
      const was = old[pair.from]!;
      const move: Change[] = kept.has(pair)
        ? []
        : [{ kind: 'changed', text: `${nameOf(item)} moves from place ${pair.from + 1} to ${index + 1}` }];
      const length: Change[] =
        Number(was.duration) === Number(item.duration) || was.duration === item.duration
          ? []
          : [{ kind: 'changed', text: `${nameOf(item)}: the stated length is ${item.duration ?? 'none'}` }];
      const told = [...move, ...length, ...cueChanges(was, item)];
      if (told.length > 0 || JSON.stringify(was) === JSON.stringify(item)) return told;
      return [{ kind: 'changed', text: `${nameOf(item)}: its breaks are written otherwise, and fall where they did` }];
    }),
  ];
}
