// SPDX-License-Identifier: Apache-2.0
// Collects signals into breaks: several signals of one break are one break, an explicit end beats the announced length, and
// breaks within a break belong to it.
import { type Flicks, flicks, secondsToFlicks } from '../time/units.ts';
import type { MarkedBreak } from './markedBreak.ts';
import type { MarkerSignal, MarkerWarning } from './markerSignal.ts';
import { endOf, isRepetition, mergeStart, NEAR, type OpenBreak, openBreak } from './openBreak.ts';

/** A missing end is not looked for later than this after the announced end. */
const LATEST_END = secondsToFlicks(60);

type State = {
  readonly breaks: MarkedBreak[];
  readonly warnings: MarkerWarning[];
  open?: OpenBreak | undefined;
  /** The last break that was closed, with its end as far as it is known. */
  closed?: { readonly of: OpenBreak; readonly end: Flicks; readonly isExplicit: boolean } | undefined;
};

/**
 * @param signals in the order of their times
 * @param start of the timeline
 */
export function collectBreaks(
  signals: readonly MarkerSignal[],
  start: Flicks,
): { breaks: MarkedBreak[]; warnings: MarkerWarning[] } {
  const state: State = { breaks: [], warnings: [] };
  for (const signal of signals) apply[signal.kind](state, signal, start);
  if (state.open) close(state, state.open);
  return { breaks: state.breaks, warnings: state.warnings };
}

const apply: Readonly<Record<MarkerSignal['kind'], (state: State, signal: MarkerSignal, start: Flicks) => void>> = {
  out: addOut,
  continue: addContinuation,
  in: addIn,
  cancel: addCancel,
};

function close(state: State, open: OpenBreak, until?: Flicks): void {
  const { at, duration, start, source, line, raw, upid } = open;
  const end = until ?? flicks(at + (duration ?? 0));
  state.breaks.push({
    ...{ at, start, source, line, raw },
    ...(until === undefined ? {} : { until }),
    ...(duration === undefined ? {} : { duration }),
    ...(upid === undefined ? {} : { upid }),
  });
  state.closed = { of: open, end, isExplicit: until !== undefined };
  state.open = undefined;
}

function addOut(state: State, signal: MarkerSignal): void {
  const { open, closed } = state;
  if (open !== undefined && mergeStart(open, signal)) {
    if (signal.isComplete) close(state, open, flicks(Math.max(signal.at, endOf(open) ?? signal.at)));
    return;
  }
  if (open !== undefined) close(state, open);
  else if (closed !== undefined && isRepetition(closed.of, signal)) return;
  else if (closed?.isExplicit && closed.end === signal.at && closed.of.at === signal.at) {
    // Another spelling of an insertion point that is already known.
    return;
  }
  const started = openBreak(signal, signal.at, 'marked');
  state.open = started;
  if (signal.isPoint) close(state, started, signal.at);
  else if (signal.isComplete) close(state, started, endOf(started));
}

function addContinuation(state: State, signal: MarkerSignal, start: Flicks): void {
  const { open, closed } = state;
  const began = flicks(signal.at - (signal.elapsed ?? 0));
  if (open !== undefined) {
    const end = endOf(open);
    const isNext = signal.elapsed !== undefined && end !== undefined && end > open.at && began >= end - NEAR;
    if (!isNext) {
      if (!open.duration && signal.duration) open.duration = signal.duration;
      open.lastSegment = signal.segment;
      return;
    }
    close(state, open);
  } else if (closed !== undefined && isOver(closed, signal, began)) {
    // Some packagers repeat a break until its announced end, even after it has ended.
    if (signal.id === undefined) {
      const text = `${signal.source} continues a break that has ended; it is ignored`;
      state.warnings.push({ line: signal.line, text });
    }
    return;
  }
  const earliest = state.closed?.end ?? flicks(Math.min(began, start));
  state.open = openBreak(signal, flicks(Math.min(Math.max(began, earliest), signal.at)), 'continued');
}

/** Whether a continuation belongs to a break that has ended. */
function isOver({ of, end }: NonNullable<State['closed']>, { id, at, elapsed }: MarkerSignal, began: Flicks): boolean {
  if (at <= end || (id !== undefined && of.ids.has(id))) return true;
  return elapsed !== undefined && began < end - Math.min(NEAR, (end - of.at) / 2);
}

function addIn(state: State, signal: MarkerSignal, start: Flicks): void {
  const { open, closed } = state;
  if (open === undefined) {
    const isRepeated =
      closed !== undefined && (Math.abs(closed.end - signal.at) <= NEAR || isRepetition(closed.of, signal));
    if (isRepeated) return;
    if (closed === undefined && signal.at > start && (signal.rank ?? 3) >= 3) {
      close(state, openBreak(signal, start, 'unknown'), signal.at);
      return;
    }
    state.warnings.push({
      line: signal.line,
      text: `${signal.source} ends a break that was not started; it is ignored`,
    });
    return;
  }
  if (signal.rank !== undefined && signal.rank < Math.max(open.rank, open.hasCue ? 2 : 0)) return;
  if (endsInner(open, signal)) return;
  const end = endOf(open);
  if (end !== undefined && end > open.at && signal.at > end + Math.max(LATEST_END, open.duration!)) {
    const text = `${signal.source} is too long after the announced end of its break; the announced length is used`;
    state.warnings.push({ line: signal.line, text });
    close(state, open);
  } else close(state, open, signal.at);
}

/** Whether the signal ends a break within the open one. */
function endsInner(open: OpenBreak, { id, at }: MarkerSignal): boolean {
  const inner = open.inner.at(-1);
  const end = endOf(open);
  if (inner === undefined || (end !== undefined && at >= end - NEAR)) return false;
  if (id !== undefined && open.ids.has(id) && inner.id !== id) return false;
  open.inner.pop();
  return true;
}

/** A cancelled break was announced and does not take place. A break on air ends by its end only. */
function addCancel(state: State, signal: MarkerSignal): void {
  const { open } = state;
  if (open !== undefined && signal.id !== undefined && open.ids.has(signal.id) && open.at === signal.at)
    state.open = undefined;
}
