// SPDX-License-Identifier: Apache-2.0
// A break that has started and has not ended yet, and which further starts belong to it.
import { type Flicks, flicks, secondsToFlicks } from '../time/units.ts';
import type { MarkedBreak, MarkerSignal } from './markerSignal.ts';

/** A start that is repeated at each segment comes again within this time, where segments are not counted. */
const NEXT = secondsToFlicks(15);

/** Ads belong to a break without an announced end if they begin within this time after the one before. */
const NEXT_AD = secondsToFlicks(60);
/** The rank of ads: they start and end within a break, and do not state its length. */
export const AD = 1;

const DATE_RANGE = 'EXT-X-DATERANGE';

/** Two times that differ less are the same: announced lengths are not whole segments. */
export const NEAR = secondsToFlicks(1);

export type OpenBreak = Pick<MarkedBreak, 'at' | 'start' | 'source' | 'line' | 'raw'> & {
  duration: Flicks | undefined;
  upid: string | undefined;
  /** The ids of all signals of the break. */
  readonly ids: Set<string>;
  readonly hints: Set<string>;
  /** The highest rank of the SCTE-35 messages that started it; 0 without any. */
  rank: number;
  /** True if a tag other than a SCTE-35 message started it. */
  hasCue: boolean;
  /** How much the tag counts that stated its length. */
  lengthRank: LengthRank;
  lastSegment: number | undefined;
  /** The last place at which it was on air. */
  lastAt: Flicks;
  /** A continuation has stated that more than its length is over. */
  isOver: boolean;
  /** An end that counts unless a continuation at its place states that the break goes on. */
  pending?: Pick<MarkerSignal, 'at' | 'source' | 'id'> | undefined;
  /** The lowest order of its signals. */
  order: number | undefined;
  /** Breaks and ads within it, innermost last. */
  readonly inner: Inner[];
  /** The latest announced end of the ads within it. */
  adsUntil: Flicks;
};

/** What states the length: 0 a message, or nothing; 1 a date range; 2 a CUE tag. The highest one counts. */
type LengthRank = 0 | 1 | 2;

const lengthRankOf = ({ rank, duration, source }: MarkerSignal): LengthRank =>
  rank !== undefined || !duration ? 0 : source === DATE_RANGE ? 1 : 2;

type Inner = {
  readonly id: string | undefined;
  readonly rank: number | undefined;
  /** Whether the length was announced. */
  readonly isSized: boolean;
};

export function openBreak(signal: MarkerSignal, at: Flicks, start: MarkedBreak['start']): OpenBreak {
  const { source, line, raw, duration, upid, id, hint, rank = 0, segment, order } = signal;
  // With a spread in front of so many properties, V8 makes a hash table of the object, which takes ten times longer.
  return {
    at,
    start,
    source,
    line,
    raw,
    duration,
    upid,
    rank,
    order,
    ids: new Set(id === undefined ? [] : [id]),
    hints: new Set(hint === undefined ? [] : [`${id} ${hint}`]),
    hasCue: signal.rank === undefined,
    lengthRank: lengthRankOf(signal),
    lastSegment: segment,
    lastAt: signal.at,
    isOver: false,
    inner: [],
    adsUntil: at,
  };
}

/** Adds that a break is on air where a signal is. */
export function continueAt(open: OpenBreak, { at, segment, order }: MarkerSignal): void {
  open.lastSegment = segment;
  open.lastAt = flicks(Math.max(open.lastAt, at));
  if (order !== undefined) open.order = Math.min(open.order ?? order, order);
}

export const endOf = ({ at, duration }: Pick<OpenBreak, 'at' | 'duration'>): Flicks | undefined =>
  duration === undefined ? undefined : flicks(at + duration);

/**
 * Whether a signal repeats one of a break, by its id and its time as stated. A message is repeated within its break, and may
 * be used again for a later one; a date range and EXT-X-CUE state their time, wherever they are listed.
 */
export function isRepetition(open: OpenBreak, { id, hint, at, source }: MarkerSignal): boolean {
  if (id === undefined || hint === undefined || !open.hints.has(`${id} ${hint}`)) return false;
  const end = open.duration ? endOf(open) : undefined;
  return end === undefined || at <= end + NEAR || /^EXT-X-(DATERANGE|CUE)$/.test(source);
}

/** The lowest rank that ends it; a tag that is no SCTE-35 message is not ended by the end of an ad. */
export const rankOf = ({ rank, hasCue }: OpenBreak): number => (hasCue ? Math.max(rank, AD + 1) : rank);

/** Adds a further start to an open break. @returns false if it starts another break */
export function mergeStart(open: OpenBreak, signal: MarkerSignal): boolean {
  const { at, id, duration } = signal;
  if (at === open.at || isSameStart(open, signal)) {
    add(open, signal);
    return true;
  }
  const end = endOf(open);
  if (id !== undefined && open.ids.has(id)) {
    if (end !== undefined && end > open.at && at >= end - NEAR && !isRepetition(open, signal)) return false;
    // The newest announcement is valid, unless it counts down.
    if (duration && (end === undefined || Math.abs(at + duration - end) > NEAR)) open.duration = duration;
    // A date range is listed for as long as its window, so that it does not prolong its break.
    if (end === undefined || end === open.at || at < end - NEAR) continueAt(open, signal);
    return true;
  }
  if (end !== undefined && at >= end - (end > open.at ? NEAR : 0)) return false;
  if (isAdWithin(open, signal)) {
    addInner(open, signal);
    if (end === undefined) continueAt(open, signal);
    return true;
  }
  if (id === undefined && signal.raw === open.raw && isNextTo(open, signal)) return true;
  const ends = duration ? flicks(at + duration) : undefined;
  if (ends === undefined) {
    const isWithin = isNextTo(open, signal) || end !== undefined;
    if (isWithin && signal.rank !== undefined) addInner(open, signal);
    return isWithin;
  }
  if (end === undefined) {
    if (!isNextTo(open, signal)) return false;
    open.duration = flicks(ends - open.at);
  } else if (ends > end + NEAR) prolong(open, signal, flicks(ends - open.at));
  else if (ends < end - NEAR) addInner(open, signal);
  return true;
}

/** Whether a signal is the start of a break in another spelling. The dates of ranges are not exact. */
function isSameStart(open: OpenBreak, signal: MarkerSignal): boolean {
  const { at, source } = signal;
  const isDated = (open.source === DATE_RANGE) !== (source === DATE_RANGE);
  return isDated && at - open.at <= NEAR && !isAnother(open, signal) && !isAdWithin(open, signal);
}

function isAdWithin(open: OpenBreak, { at, rank }: MarkerSignal): boolean {
  if (rank !== AD || rankOf(open) <= AD) return false;
  return open.duration !== undefined || at <= Math.max(open.adsUntil, open.lastAt) + NEXT_AD;
}

function addInner(open: OpenBreak, { id, rank, at, duration }: MarkerSignal): void {
  open.adsUntil = flicks(Math.max(open.adsUntil, at + (duration ?? 0)));
  if (id === undefined || !open.inner.some((inner) => inner.id === id))
    open.inner.push({ id, rank, isSized: duration !== undefined });
}

/** What was open so far ends within the break of the signal. */
function prolong(open: OpenBreak, { id, rank }: MarkerSignal, duration: Flicks): void {
  open.duration = duration;
  if (id === undefined || rank === undefined) return;
  enclose(open);
  open.ids.add(id);
  open.rank = Math.max(open.rank, rank);
}

/** Makes what was open so far a break within the open one. */
function enclose(open: OpenBreak): void {
  const { rank } = open;
  for (const id of open.ids) open.inner.push({ id, rank, isSized: true });
}

/** Some packagers repeat the start at each segment of a break. */
function isNextTo(open: OpenBreak, signal: MarkerSignal): boolean {
  const { segment, at } = signal;
  const { lastSegment, lastAt } = open;
  const isCounted = segment !== undefined && lastSegment !== undefined;
  if (isCounted ? segment - lastSegment > 1 : at - lastAt > NEXT) return false;
  continueAt(open, signal);
  return true;
}

/**
 * Another spelling of the same start, or what begins with the break. The length is that of the CUE tags if they state one, else
 * that of the message with the highest rank, in whichever order they are written.
 */
function add(open: OpenBreak, signal: MarkerSignal): void {
  const { id, hint, duration, upid, rank = 0, order } = signal;
  if (order !== undefined) open.order = Math.min(open.order ?? order, order);
  const isOwn = id !== undefined && open.ids.has(id);
  if (!isOwn && isInner(open, signal)) {
    if (open.hasCue) open.duration ??= duration;
    addInner(open, signal);
    return;
  }
  const isCue = signal.rank === undefined;
  if (!isCue && !open.hasCue && open.rank === AD && rank > AD) {
    enclose(open);
    open.ids.clear();
    open.duration = duration;
  } else if (duration !== undefined) {
    const own = lengthRankOf(signal);
    const isStronger = own > open.lengthRank || (own === open.lengthRank && (isOwn || (!isCue && rank > open.rank)));
    if (open.duration === undefined || (duration > 0 && (isStronger || !open.duration))) open.duration = duration;
    open.lengthRank = Math.max(open.lengthRank, own) as LengthRank;
  }
  open.upid ??= upid;
  open.rank = Math.max(open.rank, rank);
  open.hasCue ||= isCue;
  if (id !== undefined) open.ids.add(id);
  if (id !== undefined && hint !== undefined) open.hints.add(`${id} ${hint}`);
}

/** Whether what begins with the break ends before it. */
function isInner(open: OpenBreak, signal: MarkerSignal): boolean {
  const { duration } = signal;
  const isShorter = duration && open.duration && duration < open.duration - NEAR;
  return (isShorter && isAnother(open, signal)) || isAdWithin(open, signal);
}

/** Whether an id names something else than those of the break do. A tag and the message beside it have ids of their own. */
function isAnother({ ids, rank }: OpenBreak, signal: MarkerSignal): boolean {
  const { id } = signal;
  if (id === undefined || ids.has(id)) return false;
  const areMessages = signal.rank !== undefined && rank > 0;
  return areMessages || [...ids].some((other) => schemeOf(other) === schemeOf(id));
}

const schemeOf = (id: string): string => id.slice(0, id.indexOf(' '));
