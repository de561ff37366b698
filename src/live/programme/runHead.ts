// SPDX-License-Identifier: Apache-2.0
import type { Instant, Stretch } from '../../timeline/programme/span.ts';

/** Where the media of a stretch start. A Period's start and its presentationTimeOffset follow from it (law 7). */
export type StretchOrigin = {
  readonly start: Instant;
  /** By rung: the media time at `start`, in ticks; undefined when it is not known (most HLS origins). */
  readonly mediaTimes: readonly (number | undefined)[];
};

/** A run of continuous content without its slots. */
export type RunHead = {
  readonly stretch: Stretch;
  readonly origin: StretchOrigin;
  readonly discontinuity: number;
  /** The id of the section that it is the content of, when breaks show content. */
  readonly sectionId?: string;
};
