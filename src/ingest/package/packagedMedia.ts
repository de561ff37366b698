// SPDX-License-Identifier: Apache-2.0
// The contents of a media folder, as its `meta.json` describes them. Sample counts and byte sizes suffice to serve every
// segment except the last without reading the samples. This folder stores and cuts encoded media; how they are encoded is
// left to `condition`, and paths and requests to adapters/media and src/http.
//
// Each encode is one file: its initialization section, then its segments, one CMAF fragment each. A rung plays one file, or
// a video and an audio file together. A creative that is used as is (`media.asset`) has no files: no tracks and no rungs.

import type { ConditionedMedia } from '../../ads/creative/creative.ts';
import { numberAt } from '../../time/row.ts';
import type { FrameRate } from '../../time/units.ts';
import type { TransportLayout } from '../../timeline/asset/transportLayout.ts';

export type PackagedTrack = {
  readonly file: string;
  readonly kind: 'video' | 'audio';
  readonly codecs: string;
  readonly timescale: number;
  /** Ticks per sample. All samples have the same duration. */
  readonly unit: number;
  /** The decoder configuration (avcC, hvcC, AudioSpecificConfig) in base64. */
  readonly config: string;
  readonly initSize: number;
  /** The number of the first stored sample on the media's own timeline: its decode time is `first · unit`. */
  readonly first: number;
  /** The number of samples in each stored segment, and its bytes. */
  readonly counts: readonly number[];
  readonly sizes: readonly number[];
};

export type PackagedRung = {
  readonly id: string;
  readonly video?: number;
  readonly audio?: number;
  /** For MPEG-TS: the PIDs and ids of the content. Absent if they are unknown. */
  readonly transport?: TransportLayout;
};

export type PackagedMedia = {
  readonly kind: 'creative' | 'slate';
  readonly container: 'fmp4' | 'ts';
  readonly frameRate: FrameRate;
  readonly media: ConditionedMedia;
  readonly tracks: readonly PackagedTrack[];
  /** In the order of the ladder. The numbers are indexes in `tracks`. */
  readonly rungs: readonly PackagedRung[];
};

/** The tracks of a rung, video first. */
export const tracksOf = ({ tracks }: Pick<PackagedMedia, 'tracks'>, { video, audio }: PackagedRung): PackagedTrack[] =>
  [video, audio].flatMap((place) => (place === undefined ? [] : (tracks[place] ?? [])));

/** The stored segments `from` to `to` (exclusive) that contain samples `start` to `start + count`, and their byte range. */
export function storedSegments(track: PackagedTrack, start: number, count: number) {
  let [from, skipped, offset] = [0, 0, track.initSize];
  while (from < track.counts.length && skipped + numberAt(track.counts, from) <= start) {
    skipped += numberAt(track.counts, from);
    offset += numberAt(track.sizes, from);
    from += 1;
  }
  let [to, held, length] = [from, skipped, 0];
  while (to < track.counts.length && held < start + count) {
    held += numberAt(track.counts, to);
    length += numberAt(track.sizes, to);
    to += 1;
  }
  return { from, to, skip: start - skipped, offset, length, isWhole: start === skipped && held === start + count };
}
