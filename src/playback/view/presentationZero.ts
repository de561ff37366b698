// Where HLS players begin to count. They take the first segment of the first playlist that they read for zero; which one
// that will be is known when a session is opened, so it is kept with it and never changes. A player that reads its first
// playlist a segment later finds the number of its own first segment beside the anchor's.
import type { Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import { segmentStart } from '../../timeline/clip.ts';
import { clockAt } from '../../timeline/span.ts';
import { firstNumber, windowAt } from '../../timeline/window.ts';
import type { Airing } from '../onAir/airing.ts';
import { depthOf, stepOf } from './view.ts';

/** The first rung's: the others begin within half a frame of it, or have segments of other lengths. */
const RUNG = 0;

/** @returns undefined when the channel has nothing to show yet */
export function presentationZero(airing: Airing, session: Session): { at: Millis; number: number } | undefined {
  const to = stepOf(session.openedAt);
  const from = millis(to - depthOf({ session }, airing, to));
  const [top] = windowAt(airing.programme.spansBetween(from, to), from, to).rows;
  if (top === undefined) return undefined;
  const { clip, start } = top.span.placed;
  const at = clockAt(start, segmentStart(clip, clip.cells[RUNG]!, top.first[RUNG]!));
  return { at, number: firstNumber(top, RUNG) };
}
