// Where the media of an ad lie: the one place that says so, for manifests that list them and for whoever sends a player
// on to them. A conditioned creative lies on this host, one that is used as it is at its own.
import type { MediaRef } from '../../timeline/asset.ts';
import type { Clip } from '../../timeline/clip.ts';
import { segmentUrl } from '../../timeline/segmentUrl.ts';

/**
 * @param clip of the ad, as `ClipMaker.ad(mediaId, frames)` makes it
 * @param rung place in the ladder
 * @param index counted from the ad's first segment in that rung
 * @returns undefined when the ad has no such segment; a path on the live host (`/m/…`) or an absolute URL
 */
export function adSegment(clip: Clip, rung: number, index: number): MediaRef | undefined {
  const cell = clip.cells[rung];
  if (cell === undefined || !Number.isInteger(index) || index < 0 || cell.first + index >= cell.end) return undefined;
  return segmentUrl(cell.track, cell.first + index);
}
