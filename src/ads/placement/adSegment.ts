// SPDX-License-Identifier: Apache-2.0
// The URL of an ad segment: the single place that decides it, for manifests and for redirects. Conditioned creatives are
// served by this host, creatives used as is by their own.
import type { MediaRef } from '../../timeline/asset/asset.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';

/**
 * @param clip of the ad, from `ClipMaker.ad(mediaId, frames)`
 * @param rung index in the ladder
 * @param index counted from the ad's first segment in that rung
 * @returns a path on the live host (`/m/…`) or an absolute URL; undefined when the ad has no such segment
 */
export function adSegment(clip: Clip, rung: number, index: number): MediaRef | undefined {
  const cell = clip.cells[rung];
  if (cell === undefined || !Number.isInteger(index) || index < 0 || cell.first + index >= cell.end) return undefined;
  return segmentUrl(cell.track, cell.first + index);
}
