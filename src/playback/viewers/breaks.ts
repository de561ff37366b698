// Which breaks of the channel a viewer has a say in, and since when. Pure: the same on every replica.
import { joinFrame } from '../../ads/placement/breakClips.ts';
import type { Session } from '../../sessions/session.ts';
import { FLICKS_PER_SECOND, type FrameRate, framesToFlicks, type Millis, millisToFlicks } from '../../time/units.ts';
import { clockAt, type Span, spanEnd, spanStart } from '../../timeline/span.ts';

/** A break that a viewer's ads may fill, from the frame `joined` on. */
export type OwnBreak = {
  readonly span: Span;
  readonly joined: number;
  /** When the first of their ads starts: the live edge waits here until there is a decision. */
  readonly due: Millis;
};

/** Milliseconds that the live edge waits at most for a decision (DESIGN §11). */
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

const SHORTEST_LEAD = 30_000;
const LONGEST_LEAD = 60_000;
/** The share of that time over which viewers are spread. What is left is for creatives and for slow ad servers. */
const SPREAD = 0.6;

/**
 * How long before a break its decision is asked for: a break's length, within bounds, so that an ad that was never seen
 * can be conditioned. Viewers are spread over it, each always at the same place.
 * @param spread 0 to 1, a viewer's own; 0 is the earliest of all
 */
export function leadOf({ span }: OwnBreak, spread = 0): number {
  const length = spanEnd(span) - spanStart(span);
  const lead = Math.min(LONGEST_LEAD, Math.max(SHORTEST_LEAD, length));
  return lead * (1 - SPREAD * spread);
}

/** How far ahead breaks are looked for. */
export const LOOKAHEAD_MS = LONGEST_LEAD;
