// SPDX-License-Identifier: Apache-2.0
// What one viewer is shown of a channel at one instant. The time is an argument.

import {
  type Choices,
  type Cutting,
  decidedFor,
  personalise,
  personaliseStrips,
  shiftBefore,
} from '../../ads/placement/personalise.ts';
import type { Channel } from '../../channels/channel.ts';
import { AppError } from '../../errors.ts';
import { type OnAirSession, prerollOf, type Session } from '../../sessions/session.ts';
import { flicks, type Millis, millis } from '../../time/units.ts';
import type { ContentPart, Programme } from '../../timeline/programme/programme.ts';
import { clockAt, type Shift, type Span, spanEnd } from '../../timeline/programme/span.ts';
import type { Strip } from '../../timeline/programme/strip.ts';
import { startOfRow, type Window, windowAt } from '../../timeline/programme/window.ts';
import type { Airing } from '../onAir/airing.ts';
import { DECISION_TIMEOUT_MS, joinBreak, leadOf, type OwnBreak, ownBreak } from '../viewers/breaks.ts';
import { choicesOf, markVoidDecisions } from '../viewers/choicesOf.ts';
import { type Depths, depthsOf, finalDepth, startOf, waitingFrom } from '../viewers/depths.ts';
import type { Viewer } from '../viewers/viewers.ts';
import { type Shared, sharedAt } from './sharedAt.ts';

export type View = {
  readonly airing: Airing;
  readonly viewer: Viewer;
  /** The viewer's choices when the view was made: by the time it is written, they can have changed. */
  readonly choices: Choices;
  /** What is listed: every segment that ends after `from` and not after `to`, the live edge. */
  readonly from: Millis;
  readonly to: Millis;
  /** The viewer's strips; undefined where manifests are written row by row (`windowOf`). */
  readonly strips: readonly Strip[] | undefined;
  /**
   * Until then, views of the same choices differ in time only: the strips are the same, and there is nothing to decide. 0 if that
   * is not known.
   */
  readonly until: number;
  readonly spans: readonly Span[];
  readonly now: Millis;
  /** The window's depth in milliseconds. */
  readonly depth: number;
  /** Only films have one (viewings.ts). */
  readonly presentation?: undefined;
};

/** Decides breaks. Every failure ends in slate; nothing is thrown. */
export type BreakDecider = {
  /** Called from the break's lead time on. Starts the decision when it is the viewer's turn; does not wait for it. */
  begin(airing: Airing, viewer: Viewer, own: OwnBreak, now: Millis): void;
  /**
   * Reads what other nodes have decided for breaks that are due and not decided here. When it resolves, a break without a
   * decision after DECISION_TIMEOUT_MS is decided as slate, even if the store does not respond. Never rejects.
   */
  settle(airing: Airing, viewer: Viewer, due: readonly OwnBreak[], now: Millis): Promise<void>;
  /** Live: called while the viewer has no undecided break. Requests the ads of the next one ahead; does not wait for them. */
  prefetch?(airing: Airing, viewer: Viewer, now: Millis): void;
  /** Milliseconds that the requests of all viewers of the channel take (`requestTime`). Absent if no ad source has a rate. */
  requestTimeOf?(channel: Channel): number;
};

/** Decides a break whose ads a guided player has requested. At the deadline, it is decided as slate. Never rejects. */
export type DecideBy = (airing: Airing, viewer: Viewer, own: OwnBreak, deadline: Millis) => Promise<void>;

const depthWithin = ({ standard, largest }: Depths, start: Millis | undefined, now: Millis): number =>
  start === undefined ? standard : Math.max(standard, Math.min(largest, now - start));

/** The depth of a session's window at an instant, in milliseconds. */
export const depthOf = (session: OnAirSession, airing: Airing, now: Millis): number =>
  depthWithin(depthsOf(session, airing), session.start, now);

/**
 * The viewer's breaks without a decision.
 * @param from the start of the window. Decisions of breaks of a schedule before it may have been folded into the odometer
 */
function undecided(airing: Airing, viewer: Viewer, breaks: readonly Span[], from: number): readonly OwnBreak[] {
  let found: OwnBreak[] | undefined;
  for (const span of breaks) {
    if (airing.programme.partOf === undefined && spanEnd(span) <= from) continue;
    if (span.break === undefined || decidedFor(viewer.choices.decided, span.break.id) !== undefined) continue;
    const own = ownBreak(span, viewer.session, airing.ladder.frameRate, airing.programme);
    if (own === undefined) continue;
    if (found === undefined) found = [own];
    else found.push(own);
  }
  const join = undecidedJoin(airing, viewer);
  return join === undefined ? (found ?? none) : [join, ...(found ?? none)];
}

function undecidedJoin({ programme }: Airing, { session, choices }: Viewer): OwnBreak | undefined {
  if (prerollOf(session) === undefined) return undefined;
  const own = joinBreak(session, programme);
  return own === undefined || decidedFor(choices.decided, own.span.break.id) !== undefined ? undefined : own;
}

/** Shared, because most viewers have no undecided breaks. */
const none: readonly OwnBreak[] = [];

/** The live edge moves in steps, so that requests within one step share a window. */
const STEP_MS = 250;
export const stepOf = (now: Millis): Millis => (now - (now % STEP_MS)) as Millis;

/** The live edge on the timeline at an instant of the clock. */
export const edgeOf = ({ programme }: Airing, now: Millis): Millis => programme.edgeAt(stepOf(now));

/** How a live programme cuts content around a viewer's ads. */
function cuttingOf({ programme }: Airing, { format }: Session): Cutting | undefined {
  const { partOf } = programme;
  return partOf && { partOf, hasPeriods: format === 'dash' };
}

/**
 * Nothing before a viewer's pre-roll is listed: the segment before it ends at this millisecond, rounded as the ends of segments
 * are.
 */
export function floorOf(session: Session): Millis {
  const preroll = prerollOf(session);
  return preroll === undefined ? millis(0) : clockAt(preroll.start, 0);
}

/** The rows of a view. They are shared with all viewers who see the same spans. */
export function windowOf({ airing, viewer, choices, spans, from, to }: View): Window {
  const own = personalise(spans, choices.decided, cuttingOf(airing, viewer.session));
  return windowAt(own, from, to, airing.programme.borders);
}

/** What the viewer's decisions add to the numbers of the window's first row. */
export function shiftOf({ choices }: View, { rows: [top] }: Window): Shift {
  return top === undefined ? choices.odometer : shiftBefore(top.span, choices, startOfRow(top));
}

/** What is listed while the viewer's edge waits for a decision. Its start stops too if the edge waits longer than the timeout. */
function waiting(airing: Airing, { session }: Viewer, from: number, edge: Millis) {
  const floor = Math.max(from, floorOf(session)) as Millis;
  return {
    from: floor,
    to: edge,
    spans: airing.programme.spansBetween(floor, (edge + 1) as Millis),
    strips: undefined,
    until: 0,
  };
}

/** What a view is made of. `open`: the breaks without a decision. */
type ViewParts = Pick<View, 'airing' | 'viewer' | 'now' | 'depth'> & {
  readonly decider: BreakDecider;
  readonly shared: Shared;
  readonly open: readonly OwnBreak[];
};

function viewOf(parts: ViewParts): View {
  const { airing, viewer, decider, now, depth, shared, open } = parts;
  const at = edgeOf(airing, now);
  let edge = at;
  for (const own of open) {
    if (now >= own.due - leadOf(own, 0, decider.requestTimeOf?.(airing.channel)))
      decider.begin(airing, viewer, own, now);
    if (own.startsAt < edge) edge = own.startsAt;
  }
  if (edge < at) {
    const from = waitingFrom(airing, Math.min(at, edge + DECISION_TIMEOUT_MS) - depth, edge);
    return { airing, viewer, choices: viewer.choices, now, depth, ...waiting(airing, viewer, from, edge) };
  }
  const { spans, strips } = shared;
  const { choices } = viewer;
  const start = startOf(airing, at - depth);
  const from = Math.max(start, floorOf(viewer.session)) as Millis;
  const own = strips === undefined || from > start ? undefined : personaliseStrips(strips, choices.decided);
  const until = own === undefined ? 0 : untilOf(parts);
  return { airing, viewer, choices, now, depth, from, to: at, spans, strips: own, until };
}

/** Until when views differ in time only; 0 while the window grows. */
function untilOf({ airing, viewer, decider, now, depth, shared, open }: ViewParts): number {
  if (depth !== finalDepth(viewer.session, airing)) return 0;
  let until = shared.until;
  for (const own of open) {
    const requests = decider.requestTimeOf?.(airing.channel);
    // The first viewers of a break begin its decision as early as possible, the others when it is their turn.
    const earliest = own.due - leadOf(own, 0, requests);
    until = Math.min(until, now < earliest ? earliest : own.due - leadOf(own, viewer.spread, requests));
  }
  return until;
}

export const NOTHING_LISTED = 'This channel has just started, or continues after an interruption. Retry soon.';

/**
 * After a hole, it may be that nothing is listed yet: the edge waits for a decision, or no segment of a break has ended. Then
 * what was listed before the hole is.
 * @throws {AppError} UNAVAILABLE where this process does not have that: a manifest is never empty (law 5)
 */
function buildView(parts: ViewParts): View {
  const { airing, viewer, now, depth } = parts;
  const view = viewOf(parts);
  if (airing.programme.before === undefined || windowOf(view).rows.length > 0) return view;
  const before = airing.programme.before();
  if (before === undefined) throw new AppError('UNAVAILABLE', NOTHING_LISTED, { part: 'channel', retryAfter: 2 });
  const earlier = { ...airing, programme: before };
  const state = markVoidDecisions(earlier, viewer.state);
  const known = { ...viewer, state, choices: choicesOf(earlier, state) };
  const shared = sharedAt(before, depth, true, before.edgeAt(now));
  const open = undecided(earlier, known, shared.breaks, 0);
  return buildView({ ...parts, airing: earlier, viewer: known, shared, open });
}

/**
 * Ads before the content always: a playlist without them is empty. The clock of the process that opened the session may be ahead of
 * this one's.
 */
const isDue = ({ isJoin, due }: OwnBreak, now: Millis): boolean => isJoin === true || now >= due;

/** @returns the view; a promise only if a due break has no decision in memory */
export function viewAt(airing: Airing, viewer: Viewer, decider: BreakDecider, now: Millis): View | Promise<View> {
  // Rounded to the edge's step as well: a window with a fixed start must never begin before it.
  const depths = depthsOf(viewer.session, airing);
  const edge = edgeOf(airing, now);
  const depth = depthWithin(depths, viewer.session.start, edge);
  const isStandard = depth === depths.standard || depth === depths.largest;
  const shared = sharedAt(airing.programme, depth, isStandard, airing.programme.edgeAt(now));
  const findOpen = () => undecided(airing, viewer, shared.breaks, edge - depth);
  const open = findOpen();
  if (open === none) decider.prefetch?.(airing, viewer, now);
  const due = open === none ? open : open.filter((own) => isDue(own, now));
  const parts = { airing, viewer, decider, now, depth, shared, open };
  if (due.length === 0) return buildView(parts);
  return decider.settle(airing, viewer, due, now).then(() => buildView({ ...parts, open: findOpen() }));
}

const UPCOMING_MS = 6000;

/**
 * Begins the decisions of a session opened during a break or shortly before one. The player may need seconds until it requests
 * its first media playlist, while the decision timeout counts from the start of the break on every node.
 */
export function beginUpcoming(airing: Airing, viewer: Viewer, decider: BreakDecider, now: Millis): void {
  const { breaks } = sharedAt(
    airing.programme,
    depthsOf(viewer.session, airing).standard,
    true,
    airing.programme.edgeAt(now),
  );
  for (const own of undecided(airing, viewer, breaks, 0)) {
    if (now >= own.due - UPCOMING_MS) decider.begin(airing, viewer, own, now);
  }
}

// A view of an earlier time, from what is known now. Decisions and spans that were listed never change, so it lists the same, except
// after some changes, as when an open break has ended: a caller that needs exactly what was listed compares the results.

/** Continuous live content ends at the edge, and its last segment as the origin announced it: the next one tells exactly. */
function programmeUntil(programme: Programme, edge: Millis): Programme {
  const { partOf, borders } = programme;
  if (partOf === undefined) return programme;
  const end = { millis: edge, rest: flicks(0) };
  const isLater = ({ to }: ContentPart): boolean => to === undefined || clockAt(to, 0) > edge;
  const cut = (span: Span, part: ContentPart) => partOf(span, isLater(part) ? { ...part, to: end } : part);
  const isCut = (span: Span): boolean => span.stretch !== undefined && spanEnd(span) > edge;
  return {
    ...programme,
    ...(borders && { borders: borders.filter((border) => clockAt(border, 0) <= edge) }),
    partOf: cut,
    spansBetween: (from, to) =>
      programme.spansBetween(from, to).flatMap((span) => (isCut(span) ? (cut(span, {}) ?? []) : span)),
  };
}

/** What was listed of the time between `from` and `to`, when `to` was the live edge. */
export function pastView(view: View, from: Millis, to: Millis): View {
  const programme = programmeUntil(view.airing.programme, to);
  const spans = programme.spansBetween(from, millis(to + 1));
  return { ...view, airing: { ...view.airing, programme }, from, to, spans, strips: undefined, until: 0 };
}
