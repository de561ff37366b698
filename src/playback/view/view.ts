// One viewer, one instant: what they see of the channel. The clock comes in as an argument; the session comes from
// memory, or from its store when this process has not met it.
import { LRUCache } from 'lru-cache';
import { type DecidedBreak, decidedFor, personalise, shiftBefore } from '../../ads/placement/personalise.ts';
import type { Millis } from '../../time/units.ts';
import type { Programme } from '../../timeline/programme.ts';
import { type Shift, type Span, spanStart } from '../../timeline/span.ts';
import { leastWindow, type Window, windowAt } from '../../timeline/window.ts';
import type { Airing } from '../onAir/airing.ts';
import { DECISION_TIMEOUT_MS, LOOKAHEAD_MS, leadOf, type OwnBreak, ownBreak } from '../viewers/breaks.ts';
import type { Viewer } from '../viewers/viewers.ts';

export type View = {
  readonly airing: Airing;
  readonly viewer: Viewer;
  readonly window: Window;
  /** How far the viewer's decisions have moved the numbers of the window's first row. */
  readonly shift: Shift;
  readonly now: Millis;
  /** Milliseconds that the window reaches back. */
  readonly depth: number;
};

/** Decides breaks; whatever fails ends in slate, never in an error. */
export type BreakDecider = {
  /** From a break's lead on: starts to decide when it is the viewer's turn, unless somebody has; does not wait. */
  begin(airing: Airing, viewer: Viewer, own: OwnBreak, now: Millis): void;
  /**
   * Takes in what other nodes have decided of breaks that are due and not decided here. A break that nothing was decided for
   * within PATIENCE is decided when this resolves: as slate, whether the store responds or not. Never rejects.
   */
  settle(airing: Airing, viewer: Viewer, due: readonly OwnBreak[], now: Millis): Promise<void>;
};

type Depths = { readonly usual: number; readonly most: number };

function depthsOf({ session }: Pick<Viewer, 'session'>, { channel, ladder }: Airing): Depths {
  const { reach = channel } = session;
  const usual = Math.max(reach.playlistSize, leastWindow(ladder)) * 1000;
  return { usual, most: Math.max(usual, reach.timeShiftWindow * 1000) };
}

const depthWithin = ({ usual, most }: Depths, start: Millis | undefined, now: Millis): number =>
  start === undefined ? usual : Math.max(usual, Math.min(most, now - start));

/** Milliseconds that a session's window reaches back at an instant. */
export const depthOf = (viewer: Pick<Viewer, 'session'>, airing: Airing, now: Millis): number =>
  depthWithin(depthsOf(viewer, airing), viewer.session.start, now);

/** What all viewers of a channel have in common at a second: worked out once, for whoever asks. */
type Shared = {
  readonly key: number;
  readonly spans: readonly Span[];
  readonly breaks: readonly Span[];
  /** Windows of this second by what stands in its breaks: viewers with the same ads see the same. */
  readonly windows: Map<Span | undefined, { readonly at: number; readonly window: Window }>;
};
/** By depth. Depths that anybody may choose with `?start=` stay apart: they evict each other and nobody else's. */
type ByDepth = { readonly usual: LRUCache<number, Shared>; readonly chosen: LRUCache<number, Shared> };
const sharedOf = new WeakMap<Programme, ByDepth>();
const MOST_DEPTHS = 64;

function sharedAt(programme: Programme, depth: number, isUsual: boolean, now: Millis): Shared {
  let known = sharedOf.get(programme);
  if (known === undefined) {
    known = { usual: new LRUCache({ max: MOST_DEPTHS }), chosen: new LRUCache({ max: MOST_DEPTHS }) };
    sharedOf.set(programme, known);
  }
  const byDepth = isUsual ? known.usual : known.chosen;
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

/** Breaks that are the viewer's to fill and not decided yet. */
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

/** Most viewers have decided all there is. */
const none: readonly OwnBreak[] = [];

/** Milliseconds: the edge moves in steps of a quarter of a second, so that those who ask within one see the same window. */
const STEP = 250;
export const stepOf = (now: Millis): Millis => (now - (now % STEP)) as Millis;

/**
 * The window of a viewer, shared with all whose breaks are filled alike. A decided break's last span stands for all of
 * it: it is made once for each way to come there.
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

/** While the edge waits, the window is made for this viewer alone. Its start waits too, should the edge ever wait for longer. */
function waitingWindow({ programme }: Airing, { choices }: Viewer, from: number, edge: Millis): Window {
  const spans = programme.spansBetween(from as Millis, (edge + 1) as Millis);
  return windowAt(personalise(spans, choices.decided), from as Millis, edge);
}

function look(
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

/** @returns the view; a promise only when a due break is not decided here */
export function viewAt(airing: Airing, viewer: Viewer, decider: BreakDecider, now: Millis): View | Promise<View> {
  // From the step of the edge, too: a window that begins at an instant must not begin before it at some other time.
  const depths = depthsOf(viewer, airing);
  const depth = depthWithin(depths, viewer.session.start, stepOf(now));
  const isUsual = depth === depths.usual || depth === depths.most;
  const shared = sharedAt(airing.programme, depth, isUsual, now);
  const open = undecided(airing, viewer, shared.breaks);
  if (open === none || !open.some((own) => now >= own.due))
    return look(airing, viewer, decider, now, depth, shared, open);
  const due = open.filter((own) => now >= own.due);
  return decider
    .settle(airing, viewer, due, now)
    .then(() => look(airing, viewer, decider, now, depth, shared, undecided(airing, viewer, shared.breaks)));
}

/** Milliseconds. */
const SOON = 6000;

/**
 * Begins the decisions of a viewer whose session was opened in a break, or shortly before one. Their player may take
 * seconds until its first media playlist, but the time for a decision counts from the break: it is the same on every node.
 */
export function beginUpcoming(airing: Airing, viewer: Viewer, decider: BreakDecider, now: Millis): void {
  const { breaks } = sharedAt(airing.programme, depthsOf(viewer, airing).usual, true, now);
  for (const own of undecided(airing, viewer, breaks)) {
    if (now >= own.due - SOON) decider.begin(airing, viewer, own, now);
  }
}
