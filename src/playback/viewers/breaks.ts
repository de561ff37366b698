// SPDX-License-Identifier: Apache-2.0
// Which breaks of a channel a viewer's ads may fill, and from which frame on. Pure, so every node computes the same (law 8).
import { joinFrame } from '../../ads/placement/breakClips.ts';
import type { Session } from '../../sessions/session.ts';
import { FLICKS_PER_SECOND, type FrameRate, framesToFlicks, type Millis, millisToFlicks } from '../../time/units.ts';
import { clockAt, type Span, spanEnd, spanStart } from '../../timeline/programme/span.ts';

/** A break that a viewer's ads may fill, from the frame `joined` on. */
export type OwnBreak = {
  readonly span: Span;
  readonly joined: number;
  /** The start of the first ad. The live edge waits here until there is a decision. */
  readonly due: Millis;
};

/** How long the live edge waits for a decision (docs/decisions/017-store-outages.md). */
export const DECISION_TIMEOUT_MS = 3000;

export function ownBreak(span: Span, session: Session, rate: FrameRate): OwnBreak | undefined {
  if (span.break === undefined || spanEnd(span) <= session.openedAt) return undefined;
  const start = spanStart(span);
  const elapsedMillis = Math.max(0, session.openedAt - start);
  const elapsed = Math.ceil((millisToFlicks(elapsedMillis) * rate.n) / (FLICKS_PER_SECOND * rate.d));
  const joined = joinFrame(span.break.frames, elapsed, rate);
  if (joined === undefined) return undefined;
  return { span, joined, due: clockAt(span.placed.start, framesToFlicks(joined, rate)) };
}

const MIN_LEAD_MS = 30_000;
const MAX_LEAD_MS = 60_000;
/** The share of the lead time over which viewers are spread. The rest is for creatives and slow ad servers. */
const SPREAD = 0.6;

/**
 * How long before a break its decision is begun, in milliseconds: the length of the break, within limits, so that a new creative
 * can be conditioned in time. Viewers are spread over this time.
 * @param spread the viewer's constant, from 0 (earliest) to 1
 */
export function leadOf({ span }: OwnBreak, spread = 0): number {
  const length = spanEnd(span) - spanStart(span);
  const lead = Math.min(MAX_LEAD_MS, Math.max(MIN_LEAD_MS, length));
  return lead * (1 - SPREAD * spread);
}

/** How far ahead of the live edge undecided breaks are searched. */
export const LOOKAHEAD_MS = MAX_LEAD_MS;
