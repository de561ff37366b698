// SPDX-License-Identifier: Apache-2.0
// The cells of a clip as manifests list them. The segments of a viewer's ad are listed at URLs relative to the viewer's manifest,
// because a request for one of them is proof of delivery. These URLs do not identify the viewer, so viewers with the same ads share
// manifest text. They name the media, so a segment can be served after the session has expired. They are made when a text is
// written, and not kept: few viewers share an ad's clip.
import type { SegmentUrls } from './asset.ts';
import { joinText } from './audioJoin.ts';
import { type Cell, type Clip, cellOf, type TrackedAd } from './clip.ts';

/** The path of a tracked segment up to its rung (ads/placement/trackedClip.ts reads it). */
const folderOf = ({ adId, mediaId, frames }: TrackedAd): string => `${adId}/${encodeURIComponent(mediaId)}/${frames}`;

function trackedUrls({ track, rendition }: Cell, folder: string): SegmentUrls {
  const suffix = rendition.container === 'ts' ? '.ts' : '.m4s';
  if (track.urls.kind !== 'ranges') return { kind: 'number', prefix: folder, suffix, first: 0, width: 1 };
  const { starts, lengths } = track.urls;
  return { kind: 'numberedRanges', prefix: folder, suffix, starts, lengths };
}

/** Initialization sections keep their shared URL, because requesting one proves no delivery. */
export function listedCell(clip: Clip, rung: number): Cell {
  const cell = cellOf(clip, rung);
  const { rendition, track } = cell;
  // Text has no cues during an ad, and requesting it proves no delivery.
  if (clip.ad === undefined || rendition.kind === 'text') return cell;
  const join = joinText(clip.sound, rung, rendition.kind, track.borders.length - 2);
  const urls = trackedUrls(cell, `${folderOf(clip.ad)}/${rung}${join}/`);
  return { ...cell, track: { ...track, urls } };
}
