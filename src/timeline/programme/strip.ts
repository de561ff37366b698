// SPDX-License-Identifier: Apache-2.0
// Strips: what viewers share of a schedule. A viewer's manifest is the channel's strips, with those of decided breaks replaced, so
// that its cost does not depend on the number of spans and of viewers.
import { type Memos, noMemos } from '../../cache/memo.ts';
import type { NonEmpty } from '../../invariant.ts';
import type { Millis } from '../../time/units.ts';
import { breakOf, type Shift, type Span } from './span.ts';

/** Consecutive spans of one break, or of the content between two breaks. */
export type Strip = {
  readonly spans: NonEmpty<Span>;
  /** Whether a viewer's decision shows it. Others are the channel's, and shown to most viewers. */
  readonly isOwn: boolean;
  memos: Memos;
};

export const ownStrip = (spans: NonEmpty<Span>): Strip => ({ spans, isOwn: true, memos: noMemos() });

/**
 * What a manifest lists: every segment that ends after `from` and not after `to`; and what later ones can list while the strips are
 * the same: segments that start before `until`.
 */
export type Reach = {
  readonly strips: readonly Strip[];
  readonly from: Millis;
  readonly to: Millis;
  readonly until: number;
};

/** What moves a viewer's sequence numbers: each decision those after it. */
export type Shifts = {
  readonly decided: readonly { readonly startsAt: number; readonly shift: Shift; readonly strip?: Strip | undefined }[];
  readonly odometer: Shift;
};

/** `breakId`: of the break that the channel shows here. */
export type ChannelStrip = Strip & { readonly breakId: string | undefined };

/**
 * A manifest of these spans follows from their segments alone: none is continued by the next one, ends later than is known, or has
 * tags of its own. Manifests of live channels are written row by row (`windowAt`).
 */
export const isFixed = (span: Span): boolean =>
  span.stretch === undefined && span.open === undefined && breakOf(span)?.tags === undefined;

/** @param spans consecutive ones of a channel. @returns undefined if one of them is not fixed */
export function stripsOf(spans: readonly Span[]): readonly ChannelStrip[] | undefined {
  if (!spans.every(isFixed)) return undefined;
  const strips: (ChannelStrip & { readonly spans: [Span, ...Span[]] })[] = [];
  for (const span of spans) {
    const breakId = breakOf(span)?.id;
    const last = strips.at(-1);
    if (last !== undefined && last.breakId === breakId) last.spans.push(span);
    else strips.push({ breakId, spans: [span], isOwn: false, memos: noMemos() });
  }
  return strips;
}
