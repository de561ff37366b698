// SPDX-License-Identifier: Apache-2.0
// What one reading of a live origin found, in the form that the HLS and the DASH reader share. This folder turns readings
// into the timeline of a live channel and its breaks. It reads no manifest and has no clock.
import type { MarkerSignal } from '../markers/markerSignal.ts';
import type { Flicks } from '../time/units.ts';
import type { MediaRef } from '../timeline/asset/asset.ts';
import type { Instant } from '../timeline/programme/span.ts';

export type OriginSegment = {
  /** The origin's own number: media sequence number, `$Number$`, or for `$Time$` a count that the reader keeps. */
  readonly number: number;
  /** The instant that the origin states: EXT-X-PROGRAM-DATE-TIME, or MPD@availabilityStartTime plus Period time. */
  readonly startsAt?: Instant;
  readonly duration: Flicks;
  readonly media: MediaRef;
  readonly init?: MediaRef;
  /** Attribute lists of the EXT-X-KEY tags in force, with absolute URIs, and with an IV if the number is the IV. */
  readonly keys?: readonly string[];
  /** The attribute lists in force at the EXT-X-MAP, if they differ from `keys`; without an IV if none is stated. */
  readonly initKeys?: readonly string[];
  /** Changes at an EXT-X-DISCONTINUITY and at a Period: the discontinuity sequence number, or a Period's key. */
  readonly stretch: string;
  /** EXT-X-GAP: the segment is missing. */
  readonly isGap?: true;
  /** The media time of its start, in ticks of the rendition's timescale: always in DASH, in HLS only where it was read. */
  readonly mediaTime?: number;
  /** ContentProtection elements as XML, where they differ from those of the rung: keys change with a Period. */
  readonly protection?: readonly string[];
};

export type OriginRendition = {
  /** The key in `LiveFeed.rungs`. */
  readonly key: string;
  /** In the order of the manifest; numbers grow by one. */
  readonly segments: readonly OriginSegment[];
};

/** A marker with its place on the segments of the first rendition: `offset` after the start of segment `number`. */
export type OriginSignal = Omit<MarkerSignal, 'at' | 'segment'> & {
  /** May be the next segment's, which is not listed yet. */
  readonly number: number;
  /** Negative before it; longer than the segment for a break that is announced ahead. */
  readonly offset: Flicks;
};

export type OriginReading = {
  /** One for each rung of the ladder, in its order. */
  readonly renditions: readonly OriginRendition[];
  readonly signals: readonly OriginSignal[];
  /** One sentence each, with the line if there is one. */
  readonly warnings: readonly string[];
  /** EXT-X-ENDLIST, or an MPD that became static: no further segment will come. */
  readonly isEnded: boolean;
  /** Seconds, if it is longer than that of the feed. */
  readonly targetDuration?: number;
  /** True if it is unknown whether the origin grows: its playlist may be old. Only for origins that are not on air. */
  readonly isUnproven?: boolean | undefined;
};
