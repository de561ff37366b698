// SPDX-License-Identifier: Apache-2.0
// An asset without the parts that have no segment in one of the rungs. Manifests cannot list those (law 5), so they do not
// count: source time is exactly what a presentation without ads shows.
import { type Flicks, flicks } from '../time/units.ts';
import type { Asset, Rendition } from '../timeline/asset/asset.ts';
import { cutClip } from '../timeline/asset/clip.ts';
import { contentTimeOf } from './contentClock.ts';

type Fitted = { readonly asset: Asset; readonly renditions: readonly Rendition[] };

/**
 * @param renditions the asset's rendition for each rung
 * @returns undefined when no part can be played
 */
export function playableParts({ asset, renditions }: Fitted): Fitted | undefined {
  const isPlayable = ({ duration }: Asset['parts'][number], part: number): boolean =>
    cutClip('content', asset, renditions, part, flicks(0), duration) !== undefined;
  const kept = asset.parts.map(isPlayable);
  if (!kept.includes(false)) return { asset, renditions };
  if (!kept.includes(true)) return undefined;
  const removed = asset.parts.filter((_, part) => !kept[part]);
  const stretches = removed.map(({ start, duration }) => ({ at: start, until: flicks(start + duration) }));
  const timeOf = (time: Flicks): Flicks => contentTimeOf({ breaks: stretches }, time);
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
