// SPDX-License-Identifier: Apache-2.0
// The timeline of a live channel in runs: content that is continuous, and sections of breaks that show slate. Runs are values.
import type { Millis } from '../../time/units.ts';
import { clockAt, type Instant } from '../../timeline/programme/span.ts';
import type { RunHead, Slot } from '../slot.ts';

/** Consecutive slots of one stretch that are listed as one span. Only the last one of the timeline grows. */
export type Chunk = {
  readonly slots: readonly [Slot, ...Slot[]];
  /** The media sequence number of its first segment, for each rung. */
  readonly numbers: readonly number[];
};

export type ContentRun = RunHead & { readonly kind: 'content'; readonly chunks: readonly Chunk[] };

type SlateRun = { readonly kind: 'slate'; readonly sectionId: string; readonly start: Instant };

export type Run = ContentRun | SlateRun;

export const isPlain = (run: Run | undefined): run is ContentRun =>
  run?.kind === 'content' && run.sectionId === undefined;

export const startOf = (run: Run): Instant => (run.kind === 'content' ? run.stretch.start : run.start);
export const startOfRun = (run: Run): Millis => clockAt(startOf(run), 0);
export const startOfChunk = ({ slots: [first] }: Chunk): Millis => clockAt(first.start, 0);

/** A chunk starts at each slot whose number is a multiple, so chunks do not depend on how slots arrive in entries. */
export const SLOTS_PER_CHUNK = 16;
