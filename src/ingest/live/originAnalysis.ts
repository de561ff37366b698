// SPDX-License-Identifier: Apache-2.0
// What an analysis of a live origin finds out.
import type { Millis } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';

/** `line`: of the manifest or the playlist. */
export type OriginWarning = { readonly line?: number; readonly text: string };

/** A break that the manifests list at the moment. */
export type SeenBreak = {
  /** Absent if the origin states no dates, or the break began before what it lists. */
  readonly startsAt?: Millis;
  /** Seconds from the start of what the origin lists to that of the break; absent if the break began before. */
  readonly offset?: number;
  /** The same for the end that a marker states. */
  readonly endOffset?: number;
  /** Seconds, as announced. */
  readonly duration?: number;
  /** The end that a marker states. */
  readonly endsAt?: Millis;
  readonly source: string;
  readonly raw: string;
  readonly line: number;
  readonly upid?: string;
};

/** An origin that can be played. */
export type PlayableOrigin = {
  readonly format: 'hls' | 'dash';
  /** The formats that sessions may have. */
  readonly serves: 'hls' | 'dash' | 'both';
  /** For HLS: why DASH cannot be made from it. */
  readonly noDash?: string;
  /** The newest segments, measured. The id of a rendition is its key in the origin. Media times may be moved. */
  readonly asset: Asset;
  /** Seconds. */
  readonly targetDuration: number;
};

export type OriginAnalysis = {
  readonly url: string;
  /** Absent if the URL leads to no manifest. */
  readonly format?: 'hls' | 'dash';
  /** Absent if there is a problem that prevents playback. */
  readonly playable?: PlayableOrigin;
  /** What the origin lists. */
  readonly window?: { readonly seconds: number; readonly segments: number };
  /** Whether it states when its segments start: EXT-X-PROGRAM-DATE-TIME, or MPD@availabilityStartTime. */
  readonly hasDates?: boolean;
  readonly breaks: readonly SeenBreak[];
  readonly warnings: readonly OriginWarning[];
  /** What will not work, and why: one sentence each. */
  readonly problems: readonly string[];
};
