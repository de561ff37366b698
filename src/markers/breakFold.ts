// SPDX-License-Identifier: Apache-2.0
// Collects signals into breaks: several signals of one break are one break, an explicit end beats the announced length, and
// breaks within a break belong to it. A fold can be copied, so that a live timeline need not be collected from its start.
import { type Flicks, flicks, secondsToFlicks } from '../time/units.ts';
import { isEndedByHand } from './endedByHand.ts';
import type { MarkedBreak } from './markedBreak.ts';
import type { MarkerSignal, MarkerWarning } from './markerSignal.ts';
import {
  AD,
  continueAt,
  endOf,
  isRepetition,
  markedBreak,
  mergeStart,
  NEAR,
  type OpenBreak,
  openBreak,
  rankOf,
} from './openBreak.ts';
import { eventOf, kindOf } from './signalId.ts';

/** A missing end is not looked for later than this after the announced end. */
const LATEST_END = secondsToFlicks(60);

/** Times are lengths from a moving base and must stay below 147 days. */
const EARLIEST = secondsToFlicks(-60 * 86_400);

export type BreakFold = {
  /** Those that have ended. */
  readonly breaks: MarkedBreak[];
  readonly warnings: MarkerWarning[];
  /** The start of the timeline. */
  readonly start: Flicks;
  /** A live timeline: an end without a start is no break, because it may belong to one before the timeline. */
  readonly isLive: boolean;
  open?: OpenBreak | undefined;
  /** The last break that was closed, with its end as far as it is known. */
  closed?:
    | {
        readonly of: OpenBreak;
        readonly end: Flicks;
        readonly isExplicit: boolean;
        /** An operator has ended it: the origin may go on stating it. */
        readonly isByHand?: true;
      }
    | undefined;
};

export const newFold = (start: Flicks, isLive = false): BreakFold => ({ breaks: [], warnings: [], start, isLive });

/** @param signal not before those that were added already */
export function addSignal(fold: BreakFold, signal: MarkerSignal): void {
  for (const text of signal.warnings ?? []) fold.warnings.push({ line: signal.line, text });
  if (signal.isByHand) endByHand(fold, signal);
  else if (signal.kind !== 'unread') apply[signal.kind](fold, signal);
}

/** Ends the fold: the break on air has no explicit end. */
export function endFold(fold: BreakFold): void {
  if (fold.open) close(fold, fold.open);
}

/** A copy without the breaks that have ended and the warnings, with all times `by` later. */
export function copyFold({ start, isLive, open, closed }: BreakFold, by = 0): BreakFold {
  return {
    ...newFold(later(start, by), isLive),
    open: open && copyOpen(open, by),
    closed: closed && { ...closed, of: copyOpen(closed.of, by), end: later(closed.end, by) },
  };
}

const later = (time: Flicks, by: number): Flicks => flicks(Math.max(time + by, EARLIEST));

const copyOpen = (open: OpenBreak, by: number): OpenBreak => ({
  ...open,
  at: later(open.at, by),
  lastAt: later(open.lastAt, by),
  adsUntil: later(open.adsUntil, by),
  ids: new Set(open.ids),
  hints: new Set(open.hints),
  inner: [...open.inner],
});

const apply: Readonly<
  Record<Exclude<MarkerSignal['kind'], 'unread'>, (fold: BreakFold, signal: MarkerSignal) => void>
> = {
  out: addOut,
  continue: addContinuation,
  in: addIn,
  cancel: addCancel,
};

function close(fold: BreakFold, open: OpenBreak, until?: Flicks): void {
  const end = until ?? flicks(open.at + (open.duration ?? 0));
  fold.breaks.push(markedBreak(open, until));
  fold.closed = { of: open, end, isExplicit: until !== undefined };
  fold.open = undefined;
}

/** Ends a break, whatever its markers state. */
function endByHand(fold: BreakFold, { id, at }: MarkerSignal): void {
  const isMeant = ({ order }: { readonly order?: number | undefined }): boolean => `${order ?? 0}` === id;
  const { open, closed } = fold;
  if (open !== undefined && isMeant(open)) {
    close(fold, open, at);
    fold.closed = { of: open, end: at, isExplicit: true, isByHand: true };
  } else if (closed !== undefined && isMeant(closed.of) && closed.end > at) {
    const index = fold.breaks.findLastIndex(isMeant);
    if (index < 0) return;
    fold.breaks[index] = markedBreak(closed.of, at);
    fold.closed = { ...closed, end: at, isExplicit: true, isByHand: true };
  }
}

function addOut(fold: BreakFold, signal: MarkerSignal): void {
  const { open, closed } = fold;
  if (open === undefined && isEndedByHand(fold.closed, signal)) return;
  if (open !== undefined && mergeStart(open, signal)) {
    if (signal.isComplete) close(fold, open, flicks(Math.max(signal.at, endOf(open) ?? signal.at)));
    return;
  }
  if (open !== undefined) close(fold, open);
  else if (closed !== undefined && isRepetition(closed.of, signal)) return;
  else if (closed?.isExplicit && closed.end === signal.at && closed.of.at === signal.at) {
    // Another spelling of an insertion point that is already known.
    return;
  }
  const started = openBreak(signal, signal.at, 'marked');
  fold.open = started;
  if (signal.isPoint) close(fold, started, signal.at);
  else if (signal.isComplete) close(fold, started, endOf(started));
}

function addContinuation(fold: BreakFold, signal: MarkerSignal): void {
  const { open, closed } = fold;
  const began = flicks(signal.at - (signal.elapsed ?? 0));
  if (open !== undefined) {
    const end = endOf(open);
    const isNext = signal.elapsed !== undefined && end !== undefined && end > open.at && began >= end - NEAR;
    if (!isNext) {
      if (!open.duration && signal.duration) open.duration = signal.duration;
      continueAt(open, signal);
      return;
    }
    close(fold, open);
  } else if (closed !== undefined && isOver(closed, signal, began)) {
    // Some packagers repeat a break until its announced end, even after it has ended.
    if (signal.id === undefined) {
      const text = `${signal.source} continues a break that has ended; it is ignored`;
      fold.warnings.push({ line: signal.line, text });
    }
    return;
  }
  const earliest = fold.closed?.end ?? flicks(Math.min(began, fold.start));
  const at = flicks(Math.min(Math.max(began, earliest), signal.at));
  const opened = openBreak(signal, at, 'continued');
  if (signal.elapsed !== undefined && opened.duration !== undefined)
    opened.duration = flicks(Math.max(0, opened.duration - (at - began)));
  fold.open = opened;
}

/** Whether a continuation belongs to a break that has ended. */
function isOver(
  { of, end }: NonNullable<BreakFold['closed']>,
  { id, at, elapsed }: MarkerSignal,
  began: Flicks,
): boolean {
  if (at < end || (id !== undefined && of.ids.has(id))) return true;
  // One that begins where the last break ended is the next one.
  if (at === end) return elapsed !== 0;
  return elapsed !== undefined && began < end - Math.min(NEAR, (end - of.at) / 2);
}

function addIn(fold: BreakFold, signal: MarkerSignal): void {
  const { open, closed } = fold;
  if (signal.isOwnEnd) {
    const isOwn = open !== undefined && signal.id !== undefined && open.ids.has(signal.id);
    const stated = isOwn ? open.at + (signal.duration ?? 0) : 0;
    if (isOwn && (signal.at > open.at || signal.duration)) close(fold, open, flicks(Math.max(signal.at, stated)));
    return;
  }
  if (open === undefined) {
    if (isEndedByHand(fold.closed, signal)) return;
    const isRepeated =
      closed !== undefined && (Math.abs(closed.end - signal.at) <= NEAR || isRepetition(closed.of, signal));
    if (isRepeated) return;
    if (closed === undefined && !fold.isLive && signal.at > fold.start && (signal.rank ?? 3) >= 3) {
      close(fold, openBreak(signal, fold.start, 'unknown'), signal.at);
      return;
    }
    fold.warnings.push({
      line: signal.line,
      text: `${signal.source} ends a break that was not started; it is ignored`,
    });
    return;
  }
  if (endsOwnInner(open, signal)) return;
  if (signal.rank !== undefined && signal.rank < rankOf(open)) return;
  if (endsInner(open, signal) || isEndOfLast(fold, open, signal)) return;
  const end = endOf(open);
  const last = end === undefined ? undefined : Math.max(end, open.lastAt);
  if (last !== undefined && end! > open.at && signal.at > last + Math.max(LATEST_END, open.duration!)) {
    const text = `${signal.source} is too long after the announced end of its break; the announced length is used`;
    fold.warnings.push({ line: signal.line, text });
    close(fold, open);
  } else close(fold, open, signal.at);
}

/** Whether the signal ends the break before the open one, which was announced for slightly before that end. */
function isEndOfLast({ closed }: BreakFold, open: OpenBreak, { at }: MarkerSignal): boolean {
  if (closed === undefined || closed.isExplicit || at === open.at || closed.end === closed.of.at) return false;
  return at - open.at < NEAR / 2 && Math.abs(closed.end - at) <= NEAR;
}

/** Whether the signal ends a break within the open one that has its id. */
function endsOwnInner(open: OpenBreak, { id, at, rank }: MarkerSignal): boolean {
  const end = endOf(open);
  if (id === undefined || (rank === undefined && end !== undefined && at >= end - NEAR)) return false;
  const index = open.inner.findLastIndex((inner) => inner.id === id);
  if (index < 0) return false;
  open.inner.splice(index, 1);
  return true;
}

/** Whether the signal ends the last break within the open one: it has another id, or none. The end of an ad ends ads only. */
function endsInner(open: OpenBreak, { id, at, rank }: MarkerSignal): boolean {
  const inner = open.inner.findLast((each) => each.rank !== AD || rank === AD);
  const end = endOf(open);
  if (inner === undefined || !inner.isSized || (end !== undefined && at >= end - NEAR)) return false;
  if (id !== undefined && open.ids.has(id)) return false;
  const isTyped = id !== undefined && rank !== undefined && inner.id !== undefined && inner.rank !== undefined;
  if (isTyped && kindOf(id) !== kindOf(inner.id)) return false;
  open.inner.splice(open.inner.lastIndexOf(inner), 1);
  return true;
}

/** A cancelled break was announced and does not take place. A break on air ends by its end only. */
function addCancel(fold: BreakFold, signal: MarkerSignal): void {
  const { open } = fold;
  if (open === undefined || signal.id === undefined || open.at !== signal.at) return;
  const event = eventOf(signal.id);
  if ([...open.ids].some((id) => eventOf(id) === event)) fold.open = undefined;
}
