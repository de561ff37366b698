// SPDX-License-Identifier: Apache-2.0
// What one tag or event states about a break. This folder turns the ad markers of manifests into a list of breaks: it reads
// all spellings into signals, and signals into breaks. It reads no manifest and no media, and does not decide what is shown
// in a break.
import type { Flicks } from '../time/units.ts';

/** What a tag or event states, before it is placed. */
export type Statement = {
  /**
   * `out` starts a break, `continue` is repeated within one, `in` ends one. `programmeEnd` concerns none. `unread`: it states nothing that
   * can be used.
   */
  readonly kind: 'out' | 'continue' | 'in' | 'cancel' | 'programmeEnd' | 'unread';
  /** The announced length of the whole break. 0: an insertion point. Absent: unknown. */
  readonly duration?: Flicks;
  /** How much of the break is over. */
  readonly elapsed?: Flicks;
  /** True for what is named like the start of a break, and starts a programme or a chapter. */
  readonly isOther?: true;
  /** True for a single tag that starts and ends a break at one instant. */
  readonly isPoint?: boolean;
  /** True if the tag also states the end of the break, `duration` after its start. */
  readonly isComplete?: boolean;
  /** True if it ends only the break of its id, `duration` after its start or where the tag is, whichever is later. */
  readonly isOwnEnd?: boolean;
  /** The id of the break in the scheme of its source. */
  readonly id?: string;
  /** Time as stated by the source; two tags with the same id and hint are one tag, repeated. */
  readonly hint?: string;
  /** The rank of what SCTE-35 starts or ends (scte35/spliceActions.ts); absent for tags that end any break. */
  readonly rank?: number;
  readonly upid?: string;
};

/** A statement with its place on the timeline of the content. */
export type MarkerSignal = Statement & {
  readonly at: Flicks;
  /** Counted from 0; absent in DASH and on live timelines. */
  readonly segment?: number;
  /** The order in which signals were read, where it differs from that of their times. */
  readonly order?: number;
  readonly source: string;
  readonly line: number;
  readonly raw: string;
  /** An end whose tag is in front of the segment before. */
  readonly isEarly?: true;
  /** An operator caused it: `id` is the order of the break that it ends. */
  readonly isByHand?: true;
  /** What was not used as written in the tag or event, without its line. */
  readonly warnings?: readonly string[];
};

/** A marker that is not used as written. `text` has no line number. */
export type MarkerWarning = { readonly line: number; readonly text: string };

/** Whether it states something of a break. */
export const isOfBreak = ({ kind }: Pick<Statement, 'kind'>): boolean => kind !== 'unread' && kind !== 'programmeEnd';

/** A reader's result: none for markers that state nothing about breaks or the end of a programme. */
export type Reading = { readonly statements: readonly Statement[]; readonly warnings: readonly string[] };

/** How a channel reads markers. */
export type MarkerOptions = {
  /** The segmentation types that start breaks; `breakStarts` when absent. The end has the next number. */
  readonly starts?: readonly number[];
};

export const noStatement: Reading = { statements: [], warnings: [] };
export const otherStart: Reading = { statements: [{ kind: 'unread', isOther: true }], warnings: [] };

/** What a reading states, with its warnings at the first statement. */
export function statementsOf({
  statements,
  warnings,
}: Reading): readonly (Statement & Pick<MarkerSignal, 'warnings'>)[] {
  if (warnings.length === 0) return statements;
  const [first = { kind: 'unread' as const }, ...others] = statements;
  return [{ ...first, warnings }, ...others];
}

/** A break as the markers state it. Breaks are in order; one without an explicit end may be announced beyond the next one. */
export type MarkedBreak = Pick<MarkerSignal, 'source' | 'line' | 'raw' | 'upid'> & {
  /** May be before the timeline if a continuation states how much of the break is over. */
  readonly at: Flicks;
  /** The end that a marker states explicitly; equals `at` for an insertion. */
  readonly until?: Flicks;
  /** The announced length. 0: an insertion point. */
  readonly duration?: Flicks;
  /** `marked`: by a marker at its start. `continued`: it began before its first marker. `unknown`: only its end is marked. */
  readonly start: 'marked' | 'continued' | 'unknown';
  /** The id of its first signal that has one, in the scheme of the source. */
  readonly sourceId?: string;
  /** The last place at which a continuation or a repeated start states that the break is on air. */
  readonly continuesUntil?: Flicks;
  /** The lowest `order` of its signals. */
  readonly order?: number;
};
