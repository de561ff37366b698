// SPDX-License-Identifier: Apache-2.0
// The break of a viewer who joins: ads before the content (pre-roll). It replaces content from the first segment that the
// viewer is shown, and ends where a break of the channel begins.

import { noMemos } from '../../cache/memo.ts';
import { lastOf } from '../../invariant.ts';
import { type Flicks, flicks } from '../../time/units.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import { type Break, type BreakSpan, clockAt, type Instant, type Junction } from '../../timeline/programme/span.ts';
import { segmentsOf } from '../slot.ts';
import { between } from './between.ts';
import type { LiveState } from './liveState.ts';
import { type ContentRun, isPlain, type Run, startOf, startOfChunk } from './run.ts';
import { framesOf } from './section.ts';
import { chunkSpan } from './spans.ts';

/** Breaks of the origin have fewer sections. */
export const JOIN_BREAK_ID = '0-90000';

/** Each border of the slots of a run with the numbers there, its start included. */
function bordersOf(run: ContentRun): { readonly instant: Instant; readonly junction: Omit<Junction, 'at'> }[] {
  return run.chunks.flatMap(({ slots, numbers }) => {
    let next = numbers;
    return slots.map((slot) => {
      const border = { instant: slot.start, junction: { numbers: next, discontinuity: run.discontinuity } };
      next = next.map((number, rung) => number + segmentsOf(slot, rung).length);
      return border;
    });
  });
}

/**
 * @param start a border of content
 * @param length of the break
 * @returns undefined when the content there is not kept any more
 */
export function joinBreak(state: LiveState, start: Instant, length: Flicks, maxAds?: number): BreakSpan | undefined {
  const { runs, edge, next, media, feed } = state;
  const time = clockAt(start, 0);
  const index = runs.findLastIndex((run) => isPlain(run) && clockAt(run.stretch.start, 0) <= time);
  const head = runs[index];
  if (!isPlain(head) || edge === undefined) return undefined;
  const following = runs.slice(index + 1);
  const end = following.findIndex((run) => !isPlain(run));
  const content = [head, ...following.slice(0, end < 0 ? undefined : end).filter(isPlain)] as const;
  const chunk = head.chunks.findLast((one) => startOfChunk(one) <= time);
  const borders = content.flatMap(bordersOf);
  const first = borders.find(({ instant }) => between(start, instant) === 0);
  if (chunk === undefined || first === undefined) return undefined;
  const junctions = borders.flatMap(({ instant, junction }): Junction[] => {
    const at = between(start, instant);
    return at > 0 && at <= 2 * length ? [{ at, ...junction }] : [];
  });
  const closing = following[end];
  // The numbers after the last slot: those of the break that follows, or of the next slot.
  const after =
    closing === undefined
      ? { numbers: next.numbers, discontinuity: lastOf(content).discontinuity }
      : headOf(state, closing);
  if (after !== undefined) {
    const last = closing === undefined ? edge : startOf(closing);
    const at = between(start, last);
    if (at > 0 && junctions.at(-1)?.at !== at) junctions.push({ at, ...after });
  }
  const rate = media.ladder.frameRate;
  const own: Break = {
    id: JOIN_BREAK_ID,
    frames: Math.max(minSlateFrames(rate), framesOf(length, rate)),
    slateId: media.slateId,
    ...(maxAds === undefined ? {} : { maxAds }),
    place: { id: JOIN_BREAK_ID, startsAt: time, duration: flicks(length) },
    live: { fill: 'content', head: first.junction, junctions, isClosed: closing !== undefined },
  };
  const span = chunkSpan(feed, head, chunk);
  const placed = { ...span.placed, start, startsAt: time };
  return {
    id: span.id,
    placed,
    numbers: first.junction.numbers,
    discontinuity: first.junction.discontinuity,
    stretch: span.stretch,
    break: own,
    memos: noMemos(),
  };
}

function headOf({ sections }: LiveState, run: Run): Omit<Junction, 'at'> | undefined {
  return sections.find(({ id }) => id === run.sectionId)?.head;
}
