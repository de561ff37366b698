// SPDX-License-Identifier: Apache-2.0
// A break that has ended, and which later signals go on stating it.
import { withoutUndefined } from '../invariant.ts';
import { type Flicks, flicks, millisToFlicks, secondsToFlicks } from '../time/units.ts';
import type { MarkedBreak, MarkerSignal } from './markerSignal.ts';
import { endOf, isRepetition, NEAR, type OpenBreak } from './openBreak.ts';
import { statedId } from './spliceStatements.ts';

export type ClosedBreak = {
  readonly of: OpenBreak;
  /** As far as it is known. */
  readonly end: Flicks;
  readonly isExplicit: boolean;
  /** An operator has ended it: the origin may go on stating it. */
  readonly isByHand?: true;
  /** The marker that ended it. */
  readonly endedBy?: Pick<MarkerSignal, 'source' | 'id'>;
  /** The last place at which a continuation went on stating it. */
  readonly statedAt?: Flicks;
};

/** @param until its explicit end */
export function markedBreak(open: OpenBreak, until = open.pending?.at): MarkedBreak {
  const { at, duration, start, source, line, raw, upid, order, lastAt, ids } = open;
  const [sourceId] = ids;
  return {
    at,
    start,
    source,
    line,
    raw,
    ...withoutUndefined({ until, duration, upid, sourceId: sourceId === undefined ? undefined : statedId(sourceId) }),
    ...withoutUndefined({ continuesUntil: lastAt > at ? lastAt : undefined, order }),
  };
}

/** Elapsed times and lengths are rounded: of a break that has less left, nothing is left. */
const ROUNDED = millisToFlicks(100);

/** Whether a continuation states how much of its break is left. */
export const hasLeft = ({ elapsed, duration }: Pick<MarkerSignal, 'elapsed' | 'duration'>): boolean =>
  elapsed !== undefined && duration !== undefined && duration - elapsed > ROUNDED;

/** Whether a continuation states that its break is over. */
export const isBeyond = ({ elapsed }: MarkerSignal, total: Flicks | undefined): total is Flicks =>
  elapsed !== undefined && total !== undefined && total !== 0 && elapsed > total - ROUNDED;

/** Ends of one break in different spellings are at most this far apart: packagers round to segments, up or down. */
const SPELLINGS = secondsToFlicks(15);

/** Whether a signal goes on stating a break that an operator has ended. */
export function isEndedByHand(closed: ClosedBreak | undefined, { at, id, raw, kind }: MarkerSignal): boolean {
  if (!closed?.isByHand) return false;
  const { of } = closed;
  const announced = endOf(of);
  if (announced !== undefined && at > announced + NEAR) return false;
  if (kind === 'in') return true;
  return id === undefined ? raw === of.raw : of.ids.has(id);
}

/** Whether a continuation belongs to a break that has ended. */
export function isOver({ of, end }: ClosedBreak, { id, at, elapsed }: MarkerSignal): boolean {
  if (at < end || (id !== undefined && of.ids.has(id))) return true;
  // One that begins where the last break ended is the next one.
  if (at === end) return elapsed !== 0;
  const began = flicks(at - (elapsed ?? 0));
  return elapsed !== undefined && began < end - Math.min(NEAR, (end - of.at) / 2);
}

export function isSameEnd({ of, end, endedBy, statedAt }: ClosedBreak, signal: MarkerSignal): boolean {
  const { at, id, source } = signal;
  if (Math.abs(end - at) <= NEAR || isRepetition(of, signal)) return true;
  const isOwn = id !== undefined && (of.ids.has(id) || endedBy?.id === id);
  const isNear = endedBy !== undefined && at <= end + SPELLINGS && (isOwn || endedBy.source !== source);
  return isNear || (statedAt !== undefined && at <= statedAt + SPELLINGS);
}

/** Whether a signal ends the break before the open one, which was announced for slightly before that end. */
export function isEndOfLast(closed: ClosedBreak | undefined, open: OpenBreak, { at }: MarkerSignal): boolean {
  if (closed === undefined || closed.isExplicit || at === open.at || closed.end === closed.of.at) return false;
  return at - open.at < NEAR / 2 && Math.abs(closed.end - at) <= NEAR;
}
