// SPDX-License-Identifier: Apache-2.0
// The timeline of a live channel in runs: content that is continuous, and sections of breaks that show slate. Runs are values.
import type { Instant, Stretch } from '../../timeline/programme/span.ts';
import type { Slot } from '../slot.ts';
import type { StretchOrigin } from './contentClip.ts';

/** Consecutive slots of one stretch that are listed as one span. Only the last one of the timeline grows. */
export type Chunk = {
  readonly slots: readonly [Slot, ...Slot[]];
  /** The media sequence number of its first segment, for each rung. */
  readonly numbers: readonly number[];
};

export type ContentRun = {
  readonly kind: 'content';
  readonly stretch: Stretch;
  readonly origin: StretchOrigin;
  readonly discontinuity: number;
  readonly chunks: readonly Chunk[];
  /** The id of the section that it is the content of, when breaks show content. */
  readonly sectionId?: string;
};

export type SlateRun = { readonly kind: 'slate'; readonly sectionId: string; readonly start: Instant };

export type Run = ContentRun | SlateRun;

/** A chunk starts at each slot whose number is a multiple, so chunks do not depend on how slots arrive in entries. */
export const SLOTS_PER_CHUNK = 16;
