// SPDX-License-Identifier: Apache-2.0
// The newest break of a live channel that has started: what the next one may be like, and when this one was over.
import { flicksToSeconds, type Millis } from '../../time/units.ts';
import type { LastBreak } from '../../timeline/programme/programme.ts';
import { after, clockAt } from '../../timeline/programme/span.ts';
import { between } from './between.ts';
import type { LiveState } from './liveState.ts';

/** @param listedAt when an instant of the timeline was listed, by the clock */
export function lastBreak(
  { sections, breaks }: Pick<LiveState, 'sections' | 'breaks'>,
  listedAt: (instant: Millis) => Millis,
): LastBreak | undefined {
  // Slate while the origin is away is no break, and a blackout has no ads.
  const index = sections.findLastIndex(({ kind }) => kind === undefined);
  const last = sections[index];
  if (last === undefined) return undefined;
  const id = last.breakId;
  let first = index;
  while (sections[first - 1]?.breakId === id) first -= 1;
  const end = after(last.start, last.isClosed ? (last.junctions.at(-1)?.at ?? last.planned) : last.planned);
  const announced = breaks?.breaks.findLast((fact) => fact.id === id)?.duration;
  const seconds = flicksToSeconds(announced ?? between(sections[first]!.start, end));
  return { id, seconds, ...(last.isClosed ? { endedAt: listedAt(clockAt(end, 0)) } : {}) };
}
