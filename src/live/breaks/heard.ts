// SPDX-License-Identifier: Apache-2.0
// Signals as they were read: those that are kept, and those of one reading.
import type { MarkerSignal } from '../../markers/markerSignal.ts';
import type { Flicks, Millis } from '../../time/units.ts';

export type Heard = {
  /** With `order`: its first announcement's. */
  readonly signal: MarkerSignal & { readonly order: number };
  readonly readAt: Millis;
  /** It was read before its time. */
  readonly isAhead: boolean;
  /** It ends a break at the instant for which the next one was announced earlier. */
  readonly isFirst: boolean;
};

/** What one reading found, with times counted like those of the earlier ones. */
export type Batch = {
  readonly signals: readonly Heard['signal'][];
  readonly readAt: Millis;
  /** The end of the timeline in the reading before, and in this one. */
  readonly lastEdge: Flicks;
  readonly edge: Flicks;
};
