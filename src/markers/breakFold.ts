// SPDX-License-Identifier: Apache-2.0
// Collects signals into breaks: several signals of one break are one break, an explicit end beats the announced length, and
// breaks within a break belong to it. A fold can be copied, so that a live timeline need not be collected from its start.
import { type Flicks, flicks, flicksToSeconds, secondsToFlicks } from '../time/units.ts';
import {
  type ClosedBreak,
  hasLeft,
  isBeyond,
  isEndedByHand,
  isEndOfLast,
  isOver,
  isSameEnd,
  markedBreak,
} from './closedBreak.ts';
import { isOfBreak, type MarkedBreak, type MarkerSignal, type MarkerWarning } from './markerSignal.ts';
import {
  AD,
  continueAt,
  endOf,
  isRepetition,
  mergeStart,
  NEAR,
  type OpenBreak,
  openBreak,
  rankOf,
} from './openBreak.ts';
import { eventOf, kindOf } from './spliceStatements.ts';

/** A missing end is not looked for later than this after the announced end. */
const LATEST_END = secondsToFlicks(60);

/** Times are lengths from a moving base and must stay below 147 days. */
const EARLIEST = secondsToFlicks(-60 * 86_400);

export type BreakFold = {
  readonly breaks: MarkedBreak[];
  readonly warnings: MarkerWarning[];
  readonly start: Flicks;
  /** A live timeline: an end without a start is no break, because it may belong to one before the timeline. */
  readonly isLive: boolean;
  open?: OpenBreak | undefined;
  /** What was named like the start of a break since the last signal, but starts none. */
  other?: Pick<MarkerSignal, 'source' | 'line'> | undefined;
  closed?: ClosedBreak | undefined;
};

export const newFold = (start: Flicks, isLive = false): BreakFold => ({ breaks: [], warnings: [], start, isLive });

/** @param signal not before those that were added already */
export function addSignal(fold: BreakFold, signal: MarkerSignal): void {
  for (const text of signal.warnings ?? []) fold.warnings.push({ line: signal.line, text });
  settlePending(fold, signal);
  if (signal.isByHand) endByHand(fold, signal);
  else if (signal.kind !== 'unread' && signal.kind !== 'programmeEnd') apply[signal.kind](fold, signal);
  fold.other = signal.isOther ? signal : isOfBreak(signal) ? undefined : fold.other;
}

/** The continuation of a segment states whether its break goes on in it. */
function settlePending(fold: BreakFold, signal: MarkerSignal): void {
  const { open } = fold;
  if (open?.pending === undefined || !isOfBreak(signal)) return;
  const isBeside = signal.kind === 'continue' && signal.at <= open.pending.at + NEAR;
  if (isBeside && hasLeft(signal)) open.pending = undefined;
  else close(fold, open, open.pending.at, open.pending);
}

/** Ends the fold: the break on air has no explicit end. */
function endFold(fold: BreakFold): void {
  if (fold.open) close(fold, fold.open);
}

/** A copy without breaks that have ended and warnings, with all times `by` later. */
export function copyFold({ start, isLive, open, closed, other }: BreakFold, by = 0): BreakFold {
  return {
    ...newFold(later(start, by), isLive),
    other,
    open: open && copyOpen(open, by),
    closed: closed && {
      ...closed,
      of: copyOpen(closed.of, by),
      end: later(closed.end, by),
      ...(closed.statedAt !== undefined && { statedAt: later(closed.statedAt, by) }),
    },
  };
}

const later = (time: Flicks, by: number): Flicks => flicks(Math.max(time + by, EARLIEST));

const copyOpen = (open: OpenBreak, by: number): OpenBreak => ({
  ...open,
  at: later(open.at, by),
  lastAt: later(open.lastAt, by),
  adsUntil: later(open.adsUntil, by),
  pending: open.pending && { ...open.pending, at: later(open.pending.at, by) },
  ids: new Set(open.ids),
  hints: new Set(open.hints),
  inner: [...open.inner],
});

const apply: Readonly<
  Record<Exclude<MarkerSignal['kind'], 'unread' | 'programmeEnd'>, (fold: BreakFold, signal: MarkerSignal) => void>
> = {
  out: addOut,
  continue: addContinuation,
  in: addIn,
  cancel: addCancel,
};

function close(fold: BreakFold, open: OpenBreak, until = open.pending?.at, endedBy?: ClosedBreak['endedBy']): void {
  const end = until ?? flicks(open.at + (open.duration ?? 0));
  fold.breaks.push(markedBreak(open, until));
  fold.closed = { of: open, end, isExplicit: until !== undefined, ...(endedBy && { endedBy }) };
  fold.open = undefined;
}

/** Changes the last break. @returns false if it cannot be changed any more */
function closeAgain(fold: BreakFold, closed: ClosedBreak): boolean {
  const index = fold.breaks.length - 1;
  if (fold.breaks[index]?.at !== closed.of.at) return false;
  fold.breaks[index] = markedBreak(closed.of, closed.end);
  fold.closed = closed;
  return true;
}

/** Ends a break, whatever its markers state. */
function endByHand(fold: BreakFold, { id, at }: MarkerSignal): void {
  const isMeant = ({ order }: { readonly order?: number | undefined }): boolean => `${order ?? 0}` === id;
  const { open, closed } = fold;
  if (open !== undefined && isMeant(open)) {
    close(fold, open, at);
    fold.closed = { of: open, end: at, isExplicit: true, isByHand: true };
  } else if (closed !== undefined && isMeant(closed.of) && closed.end > at)
    closeAgain(fold, { ...closed, end: at, isExplicit: true, isByHand: true });
}

function addOut(fold: BreakFold, signal: MarkerSignal): void {
  const { open, closed } = fold;
  if (open === undefined && isEndedByHand(fold.closed, signal)) return;
  if (open !== undefined && mergeStart(open, signal)) {
    // The length may be that of another tag, but not the end.
    if (signal.isComplete) close(fold, open, flicks(signal.at + (signal.duration ?? 0)));
    return;
  }
  if (open !== undefined) close(fold, open);
  else if (closed !== undefined && isRepetition(closed.of, signal)) return;
  else if (closed?.isExplicit && closed.of.at === signal.at) {
    // Another spelling of an insertion point, or of a break whose end was stated with its start.
    if (closed.end > signal.at && mergeStart(closed.of, signal)) closeAgain(fold, closed);
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
      const total = signal.duration ?? open.duration;
      if (!isBeyond(signal, total)) continueAt(open, signal);
      else open.isOver ||= warnOver(fold, signal, total);
      return;
    }
    close(fold, open);
  } else if (closed !== undefined && isOver(closed, signal)) {
    // Some packagers repeat a break until its announced end, even after it has ended.
    if (signal.id === undefined && closed.statedAt === undefined) {
      const text = `${signal.source} continues a break that has ended; it is ignored`;
      fold.warnings.push({ line: signal.line, text });
    }
    fold.closed = { ...closed, statedAt: signal.at };
    return;
  }
  const earliest = fold.closed?.end ?? flicks(Math.min(began, fold.start));
  const at = flicks(Math.min(Math.max(began, earliest), signal.at));
  const opened = openBreak(signal, at, 'continued');
  if (signal.elapsed !== undefined && opened.duration !== undefined)
    opened.duration = flicks(Math.max(0, opened.duration - (at - began)));
  if (isBeyond(signal, signal.duration)) {
    warnOver(fold, signal, signal.duration);
    fold.closed = { of: opened, end: endOf(opened) ?? at, isExplicit: false, statedAt: signal.at };
  } else fold.open = opened;
}

function warnOver(fold: BreakFold, { source, line, elapsed }: MarkerSignal, total: Flicks): boolean {
  if (elapsed === undefined || elapsed <= total + NEAR) return false;
  const text = `${source} states that ${flicksToSeconds(elapsed)} s of a break of ${flicksToSeconds(total)} s are over; it is ignored`;
  fold.warnings.push({ line, text });
  return true;
}

function addIn(fold: BreakFold, signal: MarkerSignal): void {
  const { open } = fold;
  if (signal.isOwnEnd) {
    const isOwn = open !== undefined && signal.id !== undefined && open.ids.has(signal.id);
    const stated = isOwn ? open.at + (signal.duration ?? 0) : 0;
    if (isOwn && (signal.at > open.at || signal.duration)) close(fold, open, flicks(Math.max(signal.at, stated)));
    return;
  }
  if (open === undefined) {
    addEndAfter(fold, signal);
    return;
  }
  if (endsOwnInner(open, signal)) return;
  if (signal.rank !== undefined && signal.rank < rankOf(open)) return;
  if (endsInner(open, signal) || isEndOfLast(fold.closed, open, signal)) return;
  const end = endOf(open);
  const { duration = flicks(0) } = open;
  if (end !== undefined && duration > 0 && signal.at > Math.max(end, open.lastAt) + Math.max(LATEST_END, duration)) {
    const text = `${signal.source} is too long after the announced end of its break; the announced length is used`;
    fold.warnings.push({ line: signal.line, text });
    close(fold, open);
  } else if (signal.isEarly) open.pending = signal;
  else close(fold, open, signal.at, signal);
}

function addEndAfter(fold: BreakFold, signal: MarkerSignal): void {
  const { closed, start, isLive, other } = fold;
  const { at, rank, source, line } = signal;
  if (isEndedByHand(closed, signal)) return;
  // The end was stated for later. Where a marker is counts.
  const isEarlier =
    closed !== undefined && at > closed.of.at && at < closed.end - NEAR && (rank ?? 3) >= rankOf(closed.of);
  if (isEarlier && closeAgain(fold, { ...closed, end: at, isExplicit: true, endedBy: signal })) return;
  if (closed !== undefined && isSameEnd(closed, signal)) return;
  if (closed === undefined && other === undefined && !isLive && at > start && (rank ?? 3) >= 3) {
    close(fold, openBreak(signal, start, 'unknown'), at);
    return;
  }
  const reason = other ? `: ${other.source} in line ${other.line} starts a programme or a chapter, not a break` : '';
  fold.warnings.push({ line, text: `${source} ends a break that was not started; it is ignored${reason}` });
}

/** A cancelled break was announced and does not take place. A break on air ends by its end only. */
function addCancel(fold: BreakFold, signal: MarkerSignal): void {
  const { open } = fold;
  if (open === undefined || signal.id === undefined || open.at !== signal.at) return;
  const event = eventOf(signal.id);
  if ([...open.ids].some((id) => eventOf(id) === event)) fold.open = undefined;
}

// Ends of the breaks and ads within a break. They do not end the break itself.

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

/** The breaks of a whole timeline. @param signals in the order of their times. @param start of the timeline */
export function collectBreaks(
  signals: readonly MarkerSignal[],
  start: Flicks,
): { breaks: MarkedBreak[]; warnings: MarkerWarning[] } {
  const fold = newFold(start);
  for (const signal of signals) addSignal(fold, signal);
  endFold(fold);
  return { breaks: fold.breaks, warnings: fold.warnings };
}
