// SPDX-License-Identifier: Apache-2.0
// The zero of presentation times in HLS. Players count from the first segment of the first playlist that they read. That segment
// is known when a session is opened; it is stored with the session and never changes. Its number lets a player that reads its
// first playlist a segment later compute the offset.
import type { Session } from '../../sessions/session.ts';
import { type Millis, millis } from '../../time/units.ts';
import { segmentStart } from '../../timeline/asset/clip.ts';
import { clockAt } from '../../timeline/programme/span.ts';
import { firstNumber, windowAt } from '../../timeline/programme/window.ts';
import type { Airing } from '../onAir/airing.ts';
import { depthOf, edgeOf, floorOf } from './view.ts';
import { startOf } from './windowStart.ts';

/** The first rung. The others start within half a frame of it, or have segments of other lengths. */
const RUNG = 0;

/** @returns undefined while the channel has nothing to show */
export function presentationZero(airing: Airing, session: Session): { at: Millis; number: number } | undefined {
  const to = edgeOf(airing, session.openedAt);
  const from = millis(Math.max(floorOf(session), startOf(airing, to - depthOf({ session }, airing, to))));
  const [top] = windowAt(airing.programme.spansBetween(from, to), from, to).rows;
  if (top === undefined) return undefined;
  const { clip, start } = top.span.placed;
  const at = clockAt(start, segmentStart(clip, clip.cells[RUNG]!, top.first[RUNG]!));
  return { at, number: firstNumber(top, RUNG) };
}
