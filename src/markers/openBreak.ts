// SPDX-License-Identifier: Apache-2.0
// A break that has started and has not ended yet, and which further starts belong to it.
import { type Flicks, flicks, secondsToFlicks } from '../time/units.ts';
import type { MarkedBreak } from './markedBreak.ts';
import type { MarkerSignal } from './markerSignal.ts';

/** A start that is repeated at each segment comes again within this time, where segments are not counted. */
const NEXT = secondsToFlicks(15);

/** Two times that differ less are the same: announced lengths are not whole segments. */
export const NEAR = secondsToFlicks(1);

export type OpenBreak = {
  readonly at: Flicks;
  readonly start: MarkedBreak['start'];
  readonly source: string;
  readonly line: number;
  readonly raw: string;
  duration: Flicks | undefined;
  upid: string | undefined;
  /** Of all its signals. */
  readonly ids: Set<string>;
  readonly hints: Set<string>;
  /** The highest rank of the SCTE-35 messages that started it; 0 without any. */
  rank: number;
  /** True if a tag other than a SCTE-35 message started it. */
  hasCue: boolean;
  lastSegment: number | undefined;
  /** The last place at which it was on air. */
  lastAt: Flicks;
  /** The lowest of its signals. */
  order: number | undefined;
  /** Breaks that are announced to end earlier, innermost last. */
  readonly inner: { readonly id: string | undefined }[];
};

export function openBreak(signal: MarkerSignal, at: Flicks, start: MarkedBreak['start']): OpenBreak {
  const { source, line, raw, duration, upid, id, hint, rank = 0, segment, order } = signal;
  return {
    ...{ at, start, source, line, raw, duration, upid, rank, order },
    ids: new Set(id === undefined ? [] : [id]),
    hints: new Set(hint === undefined ? [] : [`${id} ${hint}`]),
    hasCue: signal.rank === undefined,
    lastSegment: segment,
    lastAt: signal.at,
    inner: [],
  };
}

/** Adds that a break is on air where a signal is. */
export function continueAt(open: OpenBreak, { at, segment, order }: MarkerSignal): void {
  open.lastSegment = segment;
  open.lastAt = flicks(Math.max(open.lastAt, at));
  if (order !== undefined) open.order = Math.min(open.order ?? order, order);
}

/** @param until its explicit end */
export function markedBreak(open: OpenBreak, until?: Flicks): MarkedBreak {
  const { at, duration, start, source, line, raw, upid, order, lastAt, ids } = open;
  const [sourceId] = ids;
  return {
    ...{ at, start, source, line, raw },
    ...(until === undefined ? {} : { until }),
    ...(duration === undefined ? {} : { duration }),
    ...(upid === undefined ? {} : { upid }),
    ...(sourceId === undefined ? {} : { sourceId: sourceId.slice(sourceId.indexOf(' ') + 1) }),
    ...(lastAt > at ? { continuesUntil: lastAt } : {}),
    ...(order === undefined ? {} : { order }),
  };
}

/** The announced end. */
export const endOf = ({ at, duration }: Pick<OpenBreak, 'at' | 'duration'>): Flicks | undefined =>
  duration === undefined ? undefined : flicks(at + duration);

/** Whether a signal repeats one of a break, by its id and its time as stated. */
export const isRepetition = ({ hints }: OpenBreak, { id, hint }: MarkerSignal): boolean =>
  id !== undefined && hint !== undefined && hints.has(`${id} ${hint}`);

/**
 * Adds a further start to an open break.
 * @returns false if it starts another break
 */
export function mergeStart(open: OpenBreak, signal: MarkerSignal): boolean {
  const { at, id, duration } = signal;
  if (at === open.at) {
    add(open, signal);
    return true;
  }
  const end = endOf(open);
  if (id !== undefined && open.ids.has(id)) {
    if (end !== undefined && end > open.at && at >= end - NEAR && !isRepetition(open, signal)) return false;
    // The newest announcement is valid, unless it counts down.
    const counted = duration === undefined ? undefined : flicks(at + duration);
    if (duration && (end === undefined || Math.abs(counted! - end) > NEAR)) open.duration = duration;
    // A date range is listed for as long as its window, so that it does not prolong its break.
    if (end === undefined || end === open.at || at < end - NEAR) continueAt(open, signal);
    return true;
  }
  if (end !== undefined && at >= end - (end > open.at ? NEAR : 0)) return false;
  if (id === undefined && signal.raw === open.raw && isNextTo(open, signal)) return true;
  const ends = duration ? flicks(at + duration) : undefined;
  if (ends === undefined) return isNextTo(open, signal) || end !== undefined;
  if (end === undefined) {
    if (!isNextTo(open, signal)) return false;
    open.duration = flicks(ends - open.at);
  } else if (ends > end + NEAR) open.duration = flicks(ends - open.at);
  else if (ends < end - NEAR) open.inner.push({ id });
  return true;
}

/** Some packagers repeat the start at each segment of a break. */
function isNextTo(open: OpenBreak, signal: MarkerSignal): boolean {
  const { segment, at } = signal;
  const isCounted = segment !== undefined && open.lastSegment !== undefined;
  if (isCounted ? segment - open.lastSegment! > 1 : at - open.lastAt > NEXT) return false;
  continueAt(open, signal);
  return true;
}

/** Another spelling of the same start, or the first ad of the break. The one of the highest rank states the length. */
function add(open: OpenBreak, { id, hint, duration, upid, rank = 0, rank: own, order }: MarkerSignal): void {
  if (order !== undefined) open.order = Math.min(open.order ?? order, order);
  if (id !== undefined && duration && open.duration && duration < open.duration - NEAR) {
    open.inner.push({ id });
    return;
  }
  const isStronger = own !== undefined && !open.hasCue && rank > open.rank;
  if (duration !== undefined && (open.duration === undefined || isStronger)) open.duration = duration;
  open.upid ??= upid;
  open.rank = Math.max(open.rank, rank);
  open.hasCue ||= own === undefined;
  if (id !== undefined) open.ids.add(id);
  if (id !== undefined && hint !== undefined) open.hints.add(`${id} ${hint}`);
}
