// One viewer, one instant: what they see of the channel. The clock comes in as an argument; the session comes from
// memory, or from its store when this process has not met it.
import { personalise } from '../ads/personalise.ts';
import { timelineBetween } from '../channels/lineup.ts';
import type { Millis } from '../time/units.ts';
import { type Span, spanStart } from '../timeline/span.ts';
import { type Window, windowAt } from '../timeline/window.ts';
import type { Airing } from './airing.ts';
import { LOOKAHEAD, leadOf, type OwnBreak, ownBreak, PATIENCE } from './breaks.ts';
import type { Viewer } from './viewers.ts';

export type View = {
  readonly airing: Airing;
  readonly viewer: Viewer;
  readonly window: Window;
  readonly now: Millis;
  /** Milliseconds that the window reaches back. */
  readonly depth: number;
};

/** Decides breaks; whatever fails ends in slate, never in an error. */
export type BreakDecider = {
  /** Takes in what another process may have decided; for a break that is due and not decided here. */
  catchUp(airing: Airing, viewer: Viewer, now: Millis): Promise<void>;
  /** Starts to decide unless somebody has; does not wait. */
  begin(airing: Airing, viewer: Viewer, own: OwnBreak, now: Millis): void;
  /** Records that the break stays slate, because nobody decided in time; resolves once it is stored. */
  giveUp(airing: Airing, viewer: Viewer, own: OwnBreak, now: Millis): Promise<void>;
};

/** Milliseconds that a session's window reaches back at an instant. */
export function depthOf(viewer: Viewer, airing: Airing, now: Millis): number {
  const usual = airing.channel.playlistSize * 1000;
  const { start } = viewer.session;
  if (start === undefined) return usual;
  return Math.max(usual, Math.min(airing.channel.timeShiftWindow * 1000, now - start));
}

/** The instant at which the live edge must wait, or undefined: the break is decided, or the viewer has no say in it. */
async function waitAt(
  airing: Airing,
  viewer: Viewer,
  span: Span,
  decider: BreakDecider,
  now: Millis,
): Promise<Millis | undefined> {
  const isDecided = () => viewer.choices.decided.has(span.break!.id);
  if (isDecided()) return undefined;
  const own = ownBreak(span, viewer.session, airing.ladder.frameRate);
  if (own === undefined) return undefined;
  if (now >= own.due) {
    await decider.catchUp(airing, viewer, now);
    if (isDecided()) return undefined;
    if (now >= own.due + PATIENCE) {
      await decider.giveUp(airing, viewer, own, now);
      if (isDecided()) return undefined;
    }
  }
  if (now >= own.due - leadOf(own, viewer.spread)) decider.begin(airing, viewer, own, now);
  return own.due;
}

export async function viewAt(airing: Airing, viewer: Viewer, decider: BreakDecider, now: Millis): Promise<View> {
  const depth = depthOf(viewer, airing, now);
  const from = (now - depth) as Millis;
  const spans = timelineBetween(airing.lineup, from, (now + LOOKAHEAD) as Millis);
  let edge = now;
  for (const span of spans) {
    if (span.break === undefined) continue;
    const wait = await waitAt(airing, viewer, span, decider, now);
    if (wait !== undefined && wait < edge) edge = wait;
  }
  const shown = spans.filter((span) => spanStart(span) < edge);
  const own = personalise(shown, viewer.choices);
  return { airing, viewer, window: windowAt(own, from, edge), now, depth };
}
