// SPDX-License-Identifier: Apache-2.0
// Random VoD presentations of synthetic media: titles of several items and parts, breaks with and without ads, and stretches
// of content that ads replace.
import { clipIdOf } from '../../src/ads/placement/decision.ts';
import { millis } from '../../src/time/units.ts';
import type { Asset } from '../../src/timeline/asset/asset.ts';
import { fitToLadder, ladderOf } from '../../src/timeline/ladder/ladderOf.ts';
import { type FrozenBreak, layOut, type Presentation } from '../../src/vod/layOut.ts';
import { type KeyedAsset, makeTitle, type Title } from '../../src/vod/title.ts';
import { clipsFor } from './syntheticChannel.ts';

type Random = () => number;

const pick = <T>(random: Random, all: readonly T[]): T => all[Math.floor(random() * all.length)]!;

/** One asset with the media of two as its parts; both have the same renditions. */
export const inParts = (one: Asset, other: Asset): Asset => ({
  ...one,
  id: `${one.id}+${other.id}`,
  duration: (one.duration + other.duration) as Asset['duration'],
  parts: [...one.parts, ...other.parts.map((part) => ({ ...part, start: one.duration }))],
  renditions: one.renditions.map((rendition, index) => ({
    ...rendition,
    tracks: [...rendition.tracks, ...other.renditions[index]!.tracks],
  })),
});

/** The title of the assets that fit the first one's ladder. */
export function titleOf(assets: readonly [Asset, ...Asset[]]): Title {
  const [first, ...others] = assets;
  const fitting = others.filter((other) => fitToLadder(other, ladderOf([first, ...others])).ok);
  const keyed = [first, ...fitting].map((asset): KeyedAsset => ({ key: asset.id, asset }));
  const title = makeTitle(keyed as [KeyedAsset, ...KeyedAsset[]]);
  if ('misfits' in title) throw new Error(title.misfits.map(({ reason }) => reason).join());
  return title;
}

/** The cut points of a title, in source time. */
export const cutPointsOf = ({ items }: Title): number[] => [
  ...new Set(
    items.flatMap(({ start, asset }) =>
      asset.parts.flatMap((part) => [...part.cutPoints].map((point) => start + part.start + point)),
    ),
  ),
];

/** Breaks at random cut points, perhaps at the start and at the end. */
export function randomBreaks(title: Title, random: Random): FrozenBreak[] {
  const { n, d } = title.ladder.frameRate;
  const medium = (name: string, seconds: number) => {
    const frames = Math.round((seconds * n) / d);
    return { mediaId: `${name}x${frames}`, frames };
  };
  const points = cutPointsOf(title).sort((a, b) => a - b);
  const breaks: FrozenBreak[] = [];
  for (let index = 0; index < points.length; index += 1) {
    if (random() < 0.6) continue;
    const at = points[index]!;
    const end = random() < 0.3 ? points[index + 1 + Math.floor(random() * 3)] : undefined;
    const isEmpty = end !== undefined && random() < 0.4;
    const id = `0-${breaks.length + 1}`;
    const intro = !isEmpty && random() < 0.3 ? medium('intro', 1.2) : undefined;
    const outro = !isEmpty && random() < 0.3 ? medium('outro', 0.8) : undefined;
    const count = isEmpty ? 0 : 1 + Math.floor(random() * 3);
    const ads = Array.from({ length: count }, (_, ad) => ({
      ...medium(`c${ad}`, pick(random, [1, 6.3, 10, 15.0153])),
      adId: clipIdOf(id, ad + (intro === undefined ? 0 : 1)),
    }));
    breaks.push({
      id,
      at: at as FrozenBreak['at'],
      ...(end === undefined ? {} : { until: end as FrozenBreak['at'] }),
      ads,
      ...(intro === undefined ? {} : { intro }),
      ...(outro === undefined ? {} : { outro }),
    });
    while (end !== undefined && points[index + 1]! < end) index += 1;
  }
  return breaks;
}

export const presentationOf = (title: Title, breaks: readonly FrozenBreak[], startsAt: number): Presentation =>
  layOut(title, { breaks }, clipsFor(title.ladder), millis(startsAt));
