// SPDX-License-Identifier: Apache-2.0
// The ladder of a live feed, and the rendition of the origin that plays on each rung. Both are fixed while the feed is on air.
import type { PlayableOrigin } from '../../ingest/live/originAnalysis.ts';
import type { RungSource } from '../../live/feed.ts';
import type { Asset, Rendition } from '../../timeline/asset/asset.ts';
import { audioFault } from '../../timeline/asset/mpegAudio.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { fitToLadder, ladderOf } from '../../timeline/ladder/ladderOf.ts';

export type FeedLadder = {
  readonly ladder: Ladder;
  readonly rungs: readonly RungSource[];
  /** What is left out of the origin. */
  readonly warnings: readonly string[];
};

/** Subtitles of the origin are listed as they are: WebVTT in HLS, fragmented MP4 in DASH. */
const containers = { hls: 'vtt', dash: 'fmp4' } as const;

function withoutOtherText(asset: Asset, format: 'hls' | 'dash'): { asset: Asset; warnings: string[] } {
  const isListed = ({ kind, container }: Rendition) => kind !== 'text' || container === containers[format];
  const warnings = asset.renditions
    .filter((rendition) => !isListed(rendition))
    .map(({ id, language = 'und', codecs, container }) => {
      const wanted = format === 'hls' ? 'WebVTT segments' : 'fragmented MP4 (wvtt or stpp)';
      return `text ${id} (${language}) is left out: subtitles of live ${format.toUpperCase()} must be ${wanted}; got ${codecs || container}`;
    });
  return { asset: { ...asset, renditions: asset.renditions.filter(isListed) }, warnings };
}

function sourceOf({ tracks, id: key, ...described }: Rendition): RungSource {
  const protection = tracks.at(-1)!.protection?.dash;
  return { ...described, key, ...(protection === undefined ? {} : { protection }) };
}

export function feedLadder(origin: Pick<PlayableOrigin, 'asset' | 'format' | 'targetDuration'>): FeedLadder | string {
  const { asset, warnings } = withoutOtherText(origin.asset, origin.format);
  const fault = audioFault(asset);
  if (fault !== undefined) return fault;
  const derived = ladderOf([asset]);
  const ladder = { ...derived, targetDuration: Math.max(derived.targetDuration, origin.targetDuration) };
  const fit = fitToLadder(asset, ladder);
  if (!fit.ok) return fit.reason;
  const byId = new Map(asset.renditions.map((rendition) => [rendition.id, rendition]));
  // The text that fits is Midroll's own rendition, with the id of the origin's.
  return { ladder, rungs: fit.renditions.map(({ id }) => sourceOf(byId.get(id)!)), warnings };
}
