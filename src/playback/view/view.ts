// SPDX-License-Identifier: Apache-2.0
// What one viewer is shown of a channel at one instant. The time is an argument.
import { LRUCache } from 'lru-cache';
import { type DecidedBreak, decidedFor, personalise, shiftBefore } from '../../ads/placement/personalise.ts';
import { memo } from '../../cache/memo.ts';
import type { Millis } from '../../time/units.ts';
import type { Programme } from '../../timeline/programme/programme.ts';
import { type Shift, type Span, spanStart } from '../../timeline/programme/span.ts';
import { minWindowSeconds, type Window, windowAt } from '../../timeline/programme/window.ts';
import type { Airing } from '../onAir/airing.ts';
import { DECISION_TIMEOUT_MS, LOOKAHEAD_MS, leadOf, type OwnBreak, ownBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';

export type View = {
  readonly airing: Airing;
  readonly viewer: Viewer;
  readonly window: Window;
  /** What the viewer's decisions add to the numbers of the window's first row. */
  readonly shift: Shift;
  readonly now: Millis;
  /** The window's depth in milliseconds. */
  readonly depth: number;
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
};

type Depths = { readonly standard: number; readonly largest: number };

function depthsOf({ session }: Pick<Viewer, 'session'>, { channel, ladder }: Airing): Depths {
  const { reach = channel } = session;
  const standard = Math.max(reach.playlistSize, minWindowSeconds(ladder)) * 1000;
  return { standard, largest: Math.max(standard, reach.timeShiftWindow * 1000) };
}

const depthWithin = ({ standard, largest }: Depths, start: Millis | undefined, now: Millis): number =>
  start === undefined ? standard : Math.max(standard, Math.min(largest, now - start));

/** The depth of a session's window at an instant, in milliseconds. */
export const depthOf = (viewer: Pick<Viewer, 'session'>, airing: Airing, now: Millis): number =>
  depthWithin(depthsOf(viewer, airing), viewer.session.start, now);

/** What all viewers of a channel share within one second; computed once. */
type Shared = {
  readonly key: number;
  readonly spans: readonly Span[];
  readonly breaks: readonly Span[];
  /** The windows of this second, by the last span of their decided break: viewers with the same ads share a window. */
  readonly windows: Map<Span | undefined, { readonly at: number; readonly window: Window }>;
};
/** By depth. Depths chosen with `?start=` have a cache of their own, so that they evict only each other. */
type ByDepth = { readonly standard: LRUCache<number, Shared>; readonly chosen: LRUCache<number, Shared> };
const MAX_DEPTHS = 64;
const sharedByDepth = memo(
  (_: Programme): ByDepth => ({
    standard: new LRUCache({ max: MAX_DEPTHS }),
    chosen: new LRUCache({ max: MAX_DEPTHS }),
  }),
);

function sharedAt(programme: Programme, depth: number, isStandard: boolean, now: Millis): Shared {
  const { standard, chosen } = sharedByDepth(programme);
  const byDepth = isStandard ? standard : chosen;
  const key = Math.floor(now / 1000);
  const last = byDepth.get(depth);
  if (last?.key === key) return last;
  const from = (key * 1000 - depth) as Millis;
  const ahead = programme.spansBetween(from, (key * 1000 + LOOKAHEAD_MS) as Millis);
  const spans = ahead.filter((span) => spanStart(span) < (key + 1) * 1000);
  const breaks = ahead.filter((span) => span.break !== undefined);
  const shared: Shared = { key, spans, breaks, windows: new Map() };
  byDepth.set(depth, shared);
  return shared;
}

/** The viewer's breaks without a decision. */
function undecided(airing: Airing, viewer: Viewer, breaks: readonly Span[]): readonly OwnBreak[] {
  let found: OwnBreak[] | undefined;
  for (const span of breaks) {
    if (decidedFor(viewer.choices.decided, span.break!.id) !== undefined) continue;
    const own = ownBreak(span, viewer.session, airing.ladder.frameRate);
    if (own === undefined) continue;
    if (found === undefined) found = [own];
    else found.push(own);
  }
  return found ?? none;
}

/** Shared, because most viewers have no undecided breaks. */
const none: readonly OwnBreak[] = [];

/** The live edge moves in steps, so that requests within one step share a window. */
const STEP_MS = 250;
export const stepOf = (now: Millis): Millis => (now - (now % STEP_MS)) as Millis;

/**
 * A viewer's window, shared with all viewers who have the same ads. The last span of a decided break identifies its content:
 * it is built once for each combination of ads.
 */
function windowFor({ spans, windows }: Shared, decided: readonly DecidedBreak[], from: Millis, to: Millis): Window {
  let key: Span | undefined;
  for (const { spans: own } of decided) {
    const last = own[own.length - 1]!;
    if (last.placed.endsAt <= from || own[0]!.placed.startsAt >= to) continue;
    if (key !== undefined) return windowAt(personalise(spans, decided), from, to);
    key = last;
  }
  const known = windows.get(key);
  if (known?.at === to) return known.window;
  const window = windowAt(personalise(spans, decided), from, to);
  windows.set(key, { at: to, window });
  return window;
}

/** The window of a viewer whose edge waits for a decision. Its start stops too if the edge waits longer than the timeout. */
function waitingWindow({ programme }: Airing, { choices }: Viewer, from: number, edge: Millis): Window {
  const spans = programme.spansBetween(from as Millis, (edge + 1) as Millis);
  return windowAt(personalise(spans, choices.decided), from as Millis, edge);
}

function buildView(
  airing: Airing,
  viewer: Viewer,
  decider: BreakDecider,
  now: Millis,
  depth: number,
  shared: Shared,
  open: readonly OwnBreak[],
): View {
  const at = stepOf(now);
  let edge = at;
  for (const own of open) {
    if (now >= own.due - leadOf(own)) decider.begin(airing, viewer, own, now);
    if (own.due < edge) edge = own.due;
  }
  const { choices } = viewer;
  const window =
    edge === at
      ? windowFor(shared, choices.decided, (at - depth) as Millis, at)
      : waitingWindow(airing, viewer, Math.min(at, edge + DECISION_TIMEOUT_MS) - depth, edge);
  const [top] = window.rows;
  const shift = top === undefined ? choices.odometer : shiftBefore(top.span, choices);
  return { airing, viewer, window, shift, now, depth };
}

/** @returns the view; a promise only if a due break has no decision in memory */
export function viewAt(airing: Airing, viewer: Viewer, decider: BreakDecider, now: Millis): View | Promise<View> {
  // Rounded to the edge's step as well: a window with a fixed start must never begin before it.
  const depths = depthsOf(viewer, airing);
  const depth = depthWithin(depths, viewer.session.start, stepOf(now));
  const isStandard = depth === depths.standard || depth === depths.largest;
  const shared = sharedAt(airing.programme, depth, isStandard, now);
  const open = undecided(airing, viewer, shared.breaks);
  if (open === none || !open.some((own) => now >= own.due))
    return buildView(airing, viewer, decider, now, depth, shared, open);
  const due = open.filter((own) => now >= own.due);
  return decider
    .settle(airing, viewer, due, now)
    .then(() => buildView(airing, viewer, decider, now, depth, shared, undecided(airing, viewer, shared.breaks)));
}

const UPCOMING_MS = 6000;

/**
 * Begins the decisions of a session opened during a break or shortly before one. The player may need seconds until it requests
 * its first media playlist, while the decision timeout counts from the start of the break on every node.
 */
export function beginUpcoming(airing: Airing, viewer: Viewer, decider: BreakDecider, now: Millis): void {
  const { breaks } = sharedAt(airing.programme, depthsOf(viewer, airing).standard, true, now);
  for (const own of undecided(airing, viewer, breaks)) {
    if (now >= own.due - UPCOMING_MS) decider.begin(airing, viewer, own, now);
  }
}
