// SPDX-License-Identifier: Apache-2.0
import type { Flicks } from '../time/units.ts';

/** A break as the markers state it. Breaks are in order; one without an explicit end may be announced beyond the next one. */
export type MarkedBreak = {
  /** May be before the timeline if a continuation states how much of the break is over. */
  readonly at: Flicks;
  /** The end that a marker states explicitly; equals `at` for an insertion. */
  readonly until?: Flicks;
  /** The announced length. 0: an insertion point. */
  readonly duration?: Flicks;
  /** `marked`: by a marker at its start. `continued`: it began before its first marker. `unknown`: only its end is marked. */
  readonly start: 'marked' | 'continued' | 'unknown';
  readonly source: string;
  readonly line: number;
  readonly raw: string;
  readonly upid?: string;
  /** The id of its first signal that has one, in the scheme of the source. */
  readonly sourceId?: string;
  /** The last place at which a continuation or a repeated start states that the break is on air. */
  readonly continuesUntil?: Flicks;
  /** The lowest `order` of its signals. */
  readonly order?: number;
};
