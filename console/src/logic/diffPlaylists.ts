// What an edit changes, in sentences: for a look before it airs.
import type { PlaylistBody } from '../../../src/http/contract.ts';
import { nameOfUrl } from './nameOfUrl.ts';
import type { ContentItem } from './playlistDraft.ts';
import { formatLength } from './time.ts';

export type Change = { readonly kind: 'added' | 'removed' | 'changed'; readonly text: string };
type Cue = NonNullable<ContentItem['cuePoints']>[number];
type Pair = { readonly from: number; readonly to: number };

const nameOf = ({ url }: ContentItem): string => (url === undefined ? 'the placeholder' : nameOfUrl(url));
const spotOf = (cue: Cue, { spliceType }: ContentItem): string =>
  spliceType === 'percent' ? `${cue.spliceTime} %` : formatLength(cue.spliceTime, true);
const sizeOf = ({ maxDuration, maxAds }: Cue): string =>
  `${maxDuration} s${maxAds === undefined ? '' : `, at most ${maxAds} ${maxAds === 1 ? 'ad' : 'ads'}`}`;

/** Items of the same source are the same item, the first with the first. */
function pairItems(before: readonly ContentItem[], after: readonly ContentItem[]): Pair[] {
  const free = new Map<string | undefined, number[]>();
  before.forEach(({ url }, index) => void free.set(url, [...(free.get(url) ?? []), index]));
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

/** A break that goes and one like it that comes are one that moves. */
function cueChanges(before: ContentItem, after: ContentItem): Change[] {
  const was = new Map((before.cuePoints ?? []).map((cue) => [spotOf(cue, before), cue]));
  const is = new Map((after.cuePoints ?? []).map((cue) => [spotOf(cue, after), cue]));
  const name = nameOf(after);
  const gone = [...was].filter(([spot]) => !is.has(spot));
  const come = [...is].filter(([spot]) => !was.has(spot));
  const changes: Change[] = [];
  for (const [spot, cue] of gone) {
    const to = come.findIndex(([, other]) => sizeOf(other) === sizeOf(cue));
    const text = to < 0 ? `no break at ${spot} any more` : `the break at ${spot} moves to ${come[to]![0]}`;
    changes.push({ kind: to < 0 ? 'removed' : 'changed', text: `${name}: ${text}` });
    if (to >= 0) come.splice(to, 1);
  }
  for (const [spot, cue] of is) {
    const old = was.get(spot);
    if (old === undefined || sizeOf(old) === sizeOf(cue)) continue;
    const text = `the break at ${spot} has ${sizeOf(cue)} instead of ${sizeOf(old)}`;
    changes.push({ kind: 'changed', text: `${name}: ${text}` });
  }
  for (const [spot, cue] of come) {
    changes.push({ kind: 'added', text: `${name}: a break at ${spot}, ${sizeOf(cue)}` });
  }
  return changes;
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
  return [
    ...fields.flatMap(([name, words]): Change[] => {
      const [was, is] = [before[name] ?? 'none', after[name] ?? 'none'];
      return was === is ? [] : [{ kind: 'changed', text: `${words} is ${is} instead of ${was}` }];
    }),
    ...old.flatMap((item, index): Change[] =>
      pairs.some(({ from }) => from === index) ? [] : [{ kind: 'removed', text: `${nameOf(item)} is taken out` }],
    ),
    ...next.flatMap((item, index): Change[] => {
      const pair = pairs.find(({ to }) => to === index);
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
      return [...move, ...length, ...cueChanges(was, item)];
    }),
  ];
}
