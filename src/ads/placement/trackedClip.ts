// SPDX-License-Identifier: Apache-2.0
// An ad's clip as a viewer's manifests list it, at URLs that name it (timeline/asset/listedCell.ts), and what such a URL stands for.
import { memo } from '../../cache/memo.ts';
import { weakValueCache } from '../../cache/weakValueCache.ts';
import type { MediaRef } from '../../timeline/asset/asset.ts';
import { type AudioJoin, readJoined } from '../../timeline/asset/audioJoin.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import type { StitchedAd } from './decision.ts';

/** Each viewer's ad has one, so all fields are in the object itself, which V8 does not do for a spread. */
export const trackedClip = (
  { kind, asset, part, from, duration, whole, cells, firsts, ends, sound }: Clip,
  ad: StitchedAd,
): Clip => ({ kind, asset, part, from, duration, whole, cells, firsts, ends, sound, ad });

const sharedClips = memo((_: Clip) => weakValueCache<string, Clip>());

/**
 * Like `trackedClip`, but the clip is shared, with its manifest text, as long as it is in use. On demand, ids of ads repeat:
 * they are the same for all viewers who see an ad at the same place of a pod.
 * @param clip of the ad's media and frames
 */
export const sharedTrackedClip = (clip: Clip, ad: StitchedAd): Clip =>
  sharedClips(clip)(ad.adId, () => trackedClip(clip, ad));

export type TrackedSegment = {
  readonly ad: StitchedAd;
  readonly rung: number;
  /** How the audio joins what is around it. */
  readonly join?: AudioJoin;
  readonly index: number;
};

const whole = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);

/** The segment that a path ends with; undefined if there is none. @param parts the last five, percent-decoded */
export function readTrackedPath(parts: readonly string[]): TrackedSegment | undefined {
  if (parts.length !== 5) return undefined;
  const [adId = '', mediaId = '', length = '', folder = '', file = ''] = parts;
  const joined = readJoined(folder);
  const frames = whole(length);
  const rung = whole(joined?.rung ?? '');
  const index = whole(/^(\d+)\.(m4s|ts)$/.exec(file)?.[1] ?? '');
  if (!/^\d+-\d+-\d+$/.test(adId) || mediaId === '' || Number.isNaN(frames + rung + index)) return undefined;
  return { ad: { adId, mediaId, frames }, rung, index, ...(joined?.join && { join: joined.join }) };
}

/** The target of a redirect. Paths from the root, such as `/m/…`, are made relative, because a proxy may add a prefix. */
export function redirectTarget({ url }: MediaRef): string {
  return url.replace(/^(\.\.\/)+/, FROM_SEGMENT).replace(/^\/(?!\/)/, FROM_SEGMENT);
}

/** From a segment up to the root: `hls/channel/session/ad/media/frames/rung`. */
const FROM_SEGMENT = '../'.repeat(7);

// The URL of an ad segment: the single place that decides it, for manifests and for redirects. Conditioned creatives are
// served by this host, creatives used as is by their own.

/** @param index from the ad's first segment @returns a path on the live host (`/m/…`) or an absolute URL */
export function adSegment(clip: Clip, rung: number, index: number): MediaRef | undefined {
  const cell = clip.cells[rung];
  if (cell === undefined || !Number.isInteger(index) || index < 0 || cell.first + index >= cell.end) return undefined;
  return segmentUrl(cell.track, cell.first + index);
}
