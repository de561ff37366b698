// SPDX-License-Identifier: Apache-2.0
// The model of a media playlist: each segment with the tags that apply to it.
import type { ByteRange } from '../timeline/asset/asset.ts';
import type { Attributes } from './attributes.ts';
import type { MarkerTag } from './markerTag.ts';

/** The EXT-X-KEY tags in force, one for each KEYFORMAT; segments with the same tags share this array. */
export type SegmentKeys = readonly Attributes[];
/** An EXT-X-MAP tag; all segments that it applies to share this object. */
export type SegmentMap = {
  readonly line: number;
  readonly uri: string;
  readonly range?: ByteRange;
  /** The keys in force at the tag, if any: they apply to the initialization section, too (RFC 8216 §4.3.2.4). */
  readonly keys?: SegmentKeys;
};

/** What an invalid line of a live playlist has left unknown: the length, the media, the initialization section, or the keys. */
export type Lack = 'length' | 'media' | 'map' | 'keys';

export type Segment = {
  /** The line of its EXTINF. */
  readonly line: number;
  /** As written, with variables replaced. */
  readonly uri: string;
  /** Duration in whole microseconds: EXTINF is decimal, and no media clock that it is rounded from is finer. */
  readonly micros: number;
  readonly range?: ByteRange;
  readonly map?: SegmentMap;
  readonly keys: SegmentKeys;
  /** True when EXT-X-DISCONTINUITY precedes it. */
  readonly discontinuity: boolean;
  /** True when the segment is missing (EXT-X-GAP). */
  readonly gap: boolean;
  readonly programDateTime?: string;
  /** Live only. Without its length or its media, it is a gap; the length is then that of the segment before it. */
  readonly lacks?: readonly Lack[];
};

export type MediaPlaylist = {
  readonly targetDuration?: number;
  readonly mediaSequence: number;
  readonly discontinuitySequence: number;
  /** True when the playlist is complete: EXT-X-ENDLIST, or EXT-X-PLAYLIST-TYPE:VOD. */
  readonly ended: boolean;
  readonly iFramesOnly: boolean;
  readonly segments: readonly Segment[];
  /** The tags that may mark ad breaks, in order. */
  readonly markers: readonly MarkerTag[];
};

export type LivePlaylist = MediaPlaylist & {
  /** One sentence for each invalid line. */
  readonly warnings: readonly string[];
  /** EXT-X-MEDIA-SEQUENCE is invalid: segments are numbered from 0. */
  readonly isUnnumbered?: true;
};
