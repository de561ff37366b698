// SPDX-License-Identifier: Apache-2.0
// A title: the content of a VoD presentation. Its items are laid end to end on one time line, the source time, in flicks from
// the start of the first. Sessions of the same content share a title, with everything that is memoized for its clips.
import { LRUCache } from 'lru-cache';
import { signallingOf } from '../channels/signalling.ts';
import { defined } from '../invariant.ts';
import { FLICKS_PER_SECOND, type Flicks, flicks } from '../time/units.ts';
import type { Asset, Rendition } from '../timeline/asset/asset.ts';
import { type BreakPoints, breakPointsOf } from '../timeline/asset/breakPoints.ts';
import { type Clip, cutClip } from '../timeline/asset/clip.ts';
import { anyFormatFault, type Signalling } from '../timeline/ladder/formatFault.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { declaredRungs } from '../timeline/ladder/ladder.ts';
import { fitToLadder, ladderOf } from '../timeline/ladder/ladderOf.ts';
import { contentTimeOf } from './contentClock.ts';

/** An imported asset and the key that it is stored under. */
export type KeyedAsset = { readonly key: string; readonly asset: Asset };

/** An item whose asset has only the parts that can be played. */
export type TitleItem = KeyedAsset & {
  /** In source time. */
  readonly start: Flicks;
  /** The asset's rendition for each rung. */
  readonly renditions: readonly Rendition[];
};

export type Title = {
  readonly ladder: Ladder;
  /** The ladder as the multivariant playlist declares it. */
  readonly declared: Ladder;
  readonly signalling: Signalling;
  readonly items: readonly TitleItem[];
  readonly duration: Flicks;
  /** Clips by their ends, so that sessions share them and the manifest text that is derived from them. */
  readonly clips: LRUCache<string, readonly Clip[]>;
};

/** An item that cannot be played together with the others. */
type TitleMisfit = { readonly index: number; readonly reason: string };

/** Each session cuts a title at its own breaks; most sessions of a title have the same ones. */
const MAX_CUTS = 500;
/** A cache with `max` would allocate all its entries at once. */
const limits = { maxSize: MAX_CUTS, sizeCalculation: () => 1 };

const UNPLAYABLE = 'none of its parts has all of its qualities and languages';

/** @param assets the first one determines the rungs @returns the title, or the items that do not fit its ladder */
export function makeTitle(assets: readonly [KeyedAsset, ...KeyedAsset[]]): Title | { readonly misfits: TitleMisfit[] } {
  const ladder = ladderOf([assets[0].asset, ...assets.slice(1).map(({ asset }) => asset)]);
  const items: TitleItem[] = [];
  const misfits: TitleMisfit[] = [];
  let start = 0;
  assets.forEach(({ key, asset }, index) => {
    const fit = fitToLadder(asset, ladder, key);
    const playable = fit.ok ? playableParts({ asset, renditions: fit.renditions }) : undefined;
    if (playable === undefined) misfits.push({ index, reason: fit.ok ? UNPLAYABLE : fit.reason });
    else items.push({ key, start: flicks(start), ...playable });
    start += playable?.asset.duration ?? 0;
  });
  if (misfits.length > 0) return { misfits };
  const whole = items.flatMap((item) => wholeClips(item));
  const signalling = signallingOf(whole);
  const fault = anyFormatFault({ ladder, signalling });
  // Items that are signalled in the format of the first one, or are not encrypted, can be played together.
  if (fault !== undefined) return { misfits: signalledApart(items).map((index) => ({ index, reason: fault })) };
  return {
    ladder,
    declared: { ...ladder, rungs: declaredRungs(ladder, whole) },
    signalling,
    items,
    duration: flicks(start),
    clips: new LRUCache(limits),
  };
}

function signalledApart(items: readonly TitleItem[]): number[] {
  const each = items.map((item) => signallingOf(wholeClips(item)));
  const first = each.find((one) => one === 'hls' || one === 'dash');
  return each.flatMap((one, index) => (one === undefined || one === 'both' || one === first ? [] : [index]));
}

const wholeClips = (item: TitleItem): Clip[] => clipsOf(item, flicks(0), item.asset.duration);

/** The clips of an item between two times of its asset that are cut points: one for each part. */
function clipsOf({ asset, renditions }: TitleItem, from: Flicks, to: Flicks): Clip[] {
  return asset.parts.flatMap(({ start, duration }, part) => {
    const first = Math.max(from - start, 0);
    const end = Math.min(to - start, duration);
    if (first >= end) return [];
    const clip = cutClip({ kind: 'content', asset, part, from: flicks(first) }, renditions, flicks(end));
    return clip === undefined ? [] : [clip];
  });
}

/** The content between two source times that are cut points. @returns clips to be played one after the other */
export function contentBetween({ items, clips }: Title, from: Flicks, to: Flicks): readonly Clip[] {
  const key = `${from} ${to}`;
  const known = clips.get(key);
  if (known !== undefined) return known;
  const made = items.flatMap((item) => {
    const first = Math.max(from - item.start, 0);
    const end = Math.min(to - item.start, item.asset.duration);
    return first < end ? clipsOf(item, flicks(first), flicks(end)) : [];
  });
  clips.set(key, made);
  return made;
}

// An asset without the parts that have no segment in one of the rungs. Manifests cannot list those (law 5), so they do not
// count: source time is exactly what a presentation without ads shows.

type Fitted = { readonly asset: Asset; readonly renditions: readonly Rendition[] };

/** @param renditions the asset's rendition for each rung @returns undefined when no part can be played */
function playableParts({ asset, renditions }: Fitted): Fitted | undefined {
  const isPlayable = ({ duration }: Asset['parts'][number], part: number): boolean =>
    cutClip({ kind: 'content', asset, part, from: flicks(0) }, renditions, duration) !== undefined;
  const kept = asset.parts.map(isPlayable);
  if (!kept.includes(false)) return { asset, renditions };
  if (!kept.includes(true)) return undefined;
  const removed = asset.parts.filter((_, part) => !kept[part]);
  const ranges = removed.map(({ start, duration }) => ({ at: start, until: flicks(start + duration) }));
  const timeOf = (time: Flicks): Flicks => contentTimeOf({ breaks: ranges }, time);
  const withKept = (rendition: Rendition): Rendition => ({
    ...rendition,
    tracks: rendition.tracks.filter((_, part) => kept[part]),
  });
  const { markers } = asset;
  const moved = markers?.map(({ at, until, ...marker }) => ({
    ...marker,
    at: timeOf(at),
    ...(until === undefined ? {} : { until: timeOf(until) }),
  }));
  return {
    asset: {
      ...asset,
      duration: timeOf(asset.duration),
      parts: asset.parts.filter((_, part) => kept[part]).map((part) => ({ ...part, start: timeOf(part.start) })),
      renditions: asset.renditions.map(withKept),
      ...(moved === undefined ? {} : { markers: moved }),
    },
    renditions: renditions.map(withKept),
  };
}

/** Where a title can have breaks, in source time. The borders between its items always are such points. */
export type TitlePoints = BreakPoints & {
  /** The break points of one item, in flicks after its start. */
  of(index: number): BreakPoints;
};

/** Durations that editors and ad servers state are rounded, so a position up to a second past the end means the end. */
export const PAST_THE_END = FLICKS_PER_SECOND;

export function titlePoints({ items }: Title): TitlePoints {
  const itemAt = (index: number): TitleItem => defined(items[index], 'a title has the item');
  const known = new Map<number, BreakPoints>();
  function of(index: number): BreakPoints {
    const { asset, renditions } = itemAt(index);
    const points = known.get(index) ?? breakPointsOf(asset, renditions);
    known.set(index, points);
    return points;
  }
  function within(requested: number, find: keyof BreakPoints): Flicks {
    const index = Math.max(
      items.findLastIndex(({ start }) => start <= requested),
      0,
    );
    const { start } = itemAt(index);
    return flicks(start + of(index)[find](requested - start));
  }
  return {
    of,
    nearest: (requested) => within(requested, 'nearest'),
    atOrBefore: (requested) => within(requested, 'atOrBefore'),
  };
}
