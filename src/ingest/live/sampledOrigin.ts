// SPDX-License-Identifier: Apache-2.0
// What a first look at a live origin found, before a channel uses it: what is needed to measure its renditions, and what
// operators should know. The HLS and the DASH reader share this form.
import type { OriginReading } from '../../live/origin.ts';
import type { PlacedSignal } from '../../live/slot.ts';
import type { Instant } from '../../timeline/programme/span.ts';
import type { NominalRendition, Refusal } from '../source/presentation.ts';

export type SampledOrigin = {
  readonly format: 'hls' | 'dash';
  /** Of the manifest, after redirects. */
  readonly url: string;
  /**
   * The newest segments that all renditions share, two or three where there are as many: one track each, without a
   * discontinuity. `id` is the key of the rendition (`RungSource.key`). Text may have other segments than the others.
   */
  readonly renditions: readonly NominalRendition[];
  /** Seconds: EXT-X-TARGETDURATION, or the longest segment. */
  readonly targetDuration: number;
  /** What the manifest lists of the first rendition. */
  readonly window: { readonly seconds: number; readonly segments: number };
  /** True if the origin states instants (EXT-X-PROGRAM-DATE-TIME); always in DASH. */
  readonly hasDates: boolean;
  /** `METHOD` of EXT-X-KEY (`AES-128`), or `schemeIdUri` of ContentProtection; each once, empty if all is clear. */
  readonly encryption: readonly string[];
  /** The whole window: of all renditions that are not left out, in the order of `renditions`, and the markers in it. */
  readonly reading: OriginReading & {
    /** What the first rendition lists before the segments of the reading. */
    readonly earlier?: { readonly startsAt: Instant };
  };
  /** One sentence each: what is left out, what will not work, and why. */
  readonly warnings: readonly string[];
};

/** The ad markers that the manifests of an origin list, on the timeline. */
export type SeenMarkers = {
  readonly signals: readonly PlacedSignal[];
  /** The start and the end of what is listed. */
  readonly start: Instant;
  readonly edge: Instant;
  /** Whether the origin states dates. */
  readonly isDated: boolean;
  /** One sentence each. */
  readonly warnings?: readonly string[];
};

/** An origin that cannot be used, with the markers in those of its manifests that can be read. */
export type UnusableOrigin = Refusal & { readonly seen?: SeenMarkers };
