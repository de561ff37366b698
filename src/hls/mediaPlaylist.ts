// A media playlist as it was read: what its tags say about each segment.
import type { Attributes } from './attributes.ts';

export type SegmentRange = { readonly start: number; readonly length: number };
/** An EXT-X-MAP tag; every segment that it applies to holds the same object. */
export type SegmentMap = { readonly line: number; readonly uri: string; readonly range?: SegmentRange };
/** EXT-X-KEY tags in force, one for each KEYFORMAT; segments under the same tags hold the same array. */
export type SegmentKeys = readonly Attributes[];

export type Segment = {
  /** Where its EXTINF stands. */
  readonly line: number;
  /** As written, variables replaced. */
  readonly uri: string;
  /** Whole millionths of a second: EXTINF is decimal, and finer than this is no media clock that it is rounded from. */
  readonly micros: number;
  readonly title?: string;
  readonly range?: SegmentRange;
  readonly map?: SegmentMap;
  readonly keys: SegmentKeys;
  /** True when EXT-X-DISCONTINUITY stands before it. */
  readonly discontinuity: boolean;
  /** True when the playlist says that it can't be had (EXT-X-GAP). */
  readonly gap: boolean;
  /** Kilobits a second (EXT-X-BITRATE). */
  readonly bitrate?: number;
  readonly programDateTime?: string;
};

export type MediaPlaylist = {
  readonly version: number;
  readonly targetDuration?: number;
  readonly mediaSequence: number;
  readonly discontinuitySequence: number;
  /** True when nothing will be added any more: EXT-X-ENDLIST, or a playlist that says it is VOD. */
  readonly ended: boolean;
  readonly iFramesOnly: boolean;
  readonly segments: readonly Segment[];
};
