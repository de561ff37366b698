// SPDX-License-Identifier: Apache-2.0
// Which breaks of a channel a viewer's ads may fill, and from which frame on. Pure, so every node computes the same (law 8).
import { joinFrame } from '../../ads/placement/breakClips.ts';
import { prerollOf, type Session } from '../../sessions/session.ts';
import {
  FLICKS_PER_SECOND,
  type FrameRate,
  flicks,
  flicksToMillis,
  framesToFlicks,
  type Millis,
  millis,
  millisToFlicks,
} from '../../time/units.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import type { Programme } from '../../timeline/programme/programme.ts';
import { type BreakSpan, clockAt, isBreakSpan, placeOf, type Span, spanStart } from '../../timeline/programme/span.ts';

/** A break that a viewer's ads may fill, from the frame `joined` on. */
export type OwnBreak = {
  readonly span: BreakSpan;
  readonly joined: number;
  /** The start of the first ad on the timeline. The live edge waits here until there is a decision. */
  readonly startsAt: Millis;
  /** When the first ad could be listed, by the clock. */
  readonly due: Millis;
  /** Whether these are ads before the content of a viewer who joins. */
  readonly isJoin?: true;
};

/** How long the live edge waits for a decision (docs/decisions/017-store-outages.md). */
export const DECISION_TIMEOUT_MS = 3000;

const joinedAt = (session: Session): Millis => (session.kind === 'live' ? session.live.joinedAt : session.openedAt);

const millisOf = (frames: number, rate: FrameRate): Millis => flicksToMillis(framesToFlicks(frames, rate));

const isLive = ({ break: { live } }: BreakSpan): boolean => live !== undefined && !live.isScheduled;

/** When a break ends on the timeline, as far as it is known. */
function endOf(span: BreakSpan): Millis {
  const { live } = span.break;
  const closed = live?.isClosed ? live.junctions.at(-1)?.at : undefined;
  const start = isLive(span) ? { millis: placeOf(span).startsAt, rest: flicks(0) } : span.placed.start;
  return clockAt(start, closed ?? placeOf(span).duration);
}

/** The frames of a break that are over at an instant of the timeline. */
function elapsedFrames(span: BreakSpan, at: Millis, { n, d }: FrameRate): number {
  const elapsed = Math.max(0, at - placeOf(span).startsAt);
  return Math.ceil((millisToFlicks(millis(elapsed)) * n) / (FLICKS_PER_SECOND * d));
}

/** With content, a viewer who joins sees content up to the border where they joined. */
function joinedFrames(span: BreakSpan, at: Millis, rate: FrameRate): number | undefined {
  const { frames, live } = span.break;
  const elapsed = elapsedFrames(span, at, rate);
  if (live?.fill !== 'content') return joinFrame(frames, elapsed, rate);
  return frames - elapsed >= 2 * minSlateFrames(rate) ? elapsed : undefined;
}

/**
 * A live edge has moved a whole segment ago when a break is read that was not announced, so it waits that much shorter: it
 * must move every 1.5 target durations (law 4).
 */
const LIVE_WAIT_SHORTER_MS = 1000;

export function ownBreak(
  span: Span,
  session: Session,
  rate: FrameRate,
  { listedAt }: Pick<Programme, 'listedAt'>,
): OwnBreak | undefined {
  const at = joinedAt(session);
  if (!isBreakSpan(span) || endOf(span) <= at) return undefined;
  const joined = joinedFrames(span, at, rate);
  if (joined === undefined) return undefined;
  const startsAt = isLive(span)
    ? millis(placeOf(span).startsAt + millisOf(joined, rate))
    : clockAt(span.placed.start, framesToFlicks(joined, rate));
  // An operator has ended it before the viewer's ads would start.
  if (span.break.live?.isScheduled && startsAt >= endOf(span)) return undefined;
  const early = isLive(span) ? LIVE_WAIT_SHORTER_MS : 0;
  return { span, joined, startsAt, due: millis(listedAt(startsAt) - early) };
}

/** The ads before the content of a viewer who joins (pre-roll). */
export function joinBreak(session: Session, { joinBreak: find }: Programme): OwnBreak | undefined {
  const preroll = prerollOf(session);
  const span = preroll && find?.(preroll.start, preroll.duration, preroll.maxAds);
  if (!isBreakSpan(span)) return undefined;
  return { span, joined: 0, startsAt: spanStart(span), due: session.openedAt, isJoin: true };
}

const MIN_LEAD_MS = 30_000;
const MAX_LEAD_MS = 60_000;
/** The share of the lead time over which viewers are spread. The rest is for creatives and slow ad servers. */
const SPREAD = 0.6;
/** If the requests need more time than that, this is the rest. */
const MIN_REST_MS = MIN_LEAD_MS * (1 - SPREAD);

/**
 * How long before a break its decision is begun, in milliseconds: the length of the break, within limits, so that a new creative
 * can be conditioned in time. Viewers are spread over this time.
 * @param length milliseconds
 * @param spread the viewer's constant, from 0 (earliest) to 1
 * @param requests the milliseconds that the requests of all viewers take (`requestTime`)
 */
export function leadFor(length: number, spread = 0, requests = 0): number {
  const lead = Math.min(MAX_LEAD_MS, Math.max(MIN_LEAD_MS, length, requests + MIN_REST_MS));
  return lead - spread * Math.max(SPREAD * lead, Math.min(requests, lead - MIN_REST_MS));
}

export const leadOf = ({ span }: OwnBreak, spread?: number, requests?: number): number =>
  leadFor(flicksToMillis(placeOf(span).duration), spread, requests);

/** How many milliseconds before a break the requests of so many viewers must begin. */
export const requestTime = (viewers: number, maxPerSecond: number): number =>
  Math.min(MAX_LEAD_MS, Math.ceil((1000 * viewers) / maxPerSecond));

/** How far ahead of the live edge undecided breaks are searched. */
export const LOOKAHEAD_MS = MAX_LEAD_MS;
