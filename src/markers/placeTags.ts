// SPDX-License-Identifier: Apache-2.0
// Reads the marker tags of a media playlist and places them on the timeline of its segments. The position of a tag decides.

import type { MarkerTag } from '../hls/markerTag.ts';
import { groupBy } from '../invariant.ts';
import { finish, type Sliced } from '../time/sliced.ts';
import type { Flicks } from '../time/units.ts';
import { hasLeft } from './closedBreak.ts';
import { borderAt, dateReader, endedByNext, type SegmentTimes } from './dateRanges.ts';
import { upperAttributes } from './markerAttributes.ts';
import { type MarkerOptions, type MarkerSignal, type Reading, type Statement, statementsOf } from './markerSignal.ts';
import { NEAR } from './openBreak.ts';
import {
  readAdPoint,
  readCue,
  readCueCont,
  readCueIn,
  readCueOut,
  readOpportunity,
  readSignalSpan,
} from './readCueTags.ts';
import { readDateRange, readScte35, readSpliceTag } from './readScteTags.ts';

const readers: ReadonlyMap<string, (value: string, starts?: ReadonlySet<number>) => Reading> = new Map([
  ['EXT-X-CUE-OUT', readCueOut],
  ['EXT-X-CUE-OUT-CONT', readCueCont],
  ['EXT-X-CUE-SPAN', readCueCont],
  ['EXT-X-CUE-CONT', readCueCont],
  ['EXT-X-CUE-IN', readCueIn],
  ['EXT-X-CUE', readCue],
  ['EXT-X-CUEPOINT', readAdPoint],
  ['EXT-X-AD', readAdPoint],
  ['EXT-X-PLACEMENT-OPPORTUNITY', readOpportunity],
  // CableLabs OC-SP-ESAM-API, which conditioners follow.
  ['EXT-X-SIGNAL-EXIT', readCueOut],
  ['EXT-X-SIGNAL-SPAN', readSignalSpan],
  ['EXT-X-SIGNAL-RETURN', readCueIn],
  ['EXT-OATCLS-SCTE35', readSpliceTag],
  ['EXT-X-SPLICEPOINT-SCTE35', readSpliceTag],
  ['EXT-X-SCTE35-OUT', readCueOut],
  ['EXT-X-SCTE35-OUT-CONT', readCueCont],
  ['EXT-X-SCTE35-IN', readCueIn],
  ['EXT-X-SCTE-OUT', readCueOut],
  ['EXT-X-SCTE-IN', readCueIn],
  ['EXT-X-SCTE35', readScte35],
  // ANSI/SCTE 67 2014.
  ['EXT-SCTE35', readScte35],
  ['EXT-X-DATERANGE', readDateRange],
]);

/** Each may contain a message. */
const TAGS_IN_SLICE = 50;

/** @returns in the order of their times; those of one instant in the order of the playlist */
export const placeTags = (
  tags: readonly MarkerTag[],
  times: SegmentTimes,
  options: MarkerOptions = {},
): readonly MarkerSignal[] => finish(placingTags(tags, times, options));

export function* placingTags(
  tags: readonly MarkerTag[],
  times: SegmentTimes,
  options: MarkerOptions = {},
): Sliced<readonly MarkerSignal[]> {
  const { borders } = times;
  const starts = options.starts && new Set(options.starts);
  const signals: AheadSignal[] = [];
  const dateOf = yield* dateReader(tags, times);
  yield;
  const received = receivedEarlier(tags);
  const ended = endedByNext(tags);
  yield;
  for (const [index, tag] of tags.entries()) {
    if (index % TAGS_IN_SLICE === TAGS_IN_SLICE - 1) yield;
    const { name, value, line, segment } = tag;
    const reading = received.has(tag) ? undefined : readers.get(name)?.(value, starts);
    if (reading === undefined) continue;
    const at = borderAt(borders, segment);
    const raw = value === '' ? `#${name}` : `#${name}:${value}`;
    const before = ended.get(tag);
    const warnings = reading.warnings.map((text) => `${name}: ${text}`);
    const statements = statementsOf({ ...reading, warnings });
    for (const statement of before === undefined ? statements : [endOfRange(before, value), ...statements]) {
      const placed = { ...statement, at, segment, source: name, line, raw };
      const isDated = name === 'EXT-X-DATERANGE' && (statement.kind === 'out' || statement.hint !== undefined);
      const dated = isDated ? dateOf(statement, segment) : undefined;
      if (dated !== 'past') signals.push({ ...placed, ...dated });
    }
  }
  const placed = endsOfMessages(signals, borders);
  const newest = new Map(placed.flatMap((signal) => (signal.isAhead && signal.id ? [[keyOf(signal), signal]] : [])));
  const valid = placed.filter((signal) => !signal.isAhead || !signal.id || newest.get(keyOf(signal)) === signal);
  return inOrder(valid);
}

type AheadSignal = MarkerSignal & { readonly segment: number; readonly isAhead?: true };

/** Tags that state for each segment of a break that it is within the break. */
const isContinuation = ({ kind, rank, source }: MarkerSignal): boolean =>
  kind === 'continue' && rank === undefined && /-(CONT|SPAN)$/.test(source);

/**
 * Packagers write a message in front of the segment that contains the end of its break. If a continuation beside it states that
 * the break goes on in that segment, or if the next segment has an EXT-X-CUE-IN, the break ends after the segment.
 */
function endsOfMessages(signals: readonly AheadSignal[], borders: readonly Flicks[]): readonly AheadSignal[] {
  const bySegment = groupBy(signals, ({ segment }) => segment);
  return signals.map((signal) => {
    const { kind, rank, source, at, isOwnEnd } = signal;
    const next = signal.segment + 1;
    const [border, beside = []] = [borders[next], bySegment.get(signal.segment)];
    const isMessage = rank !== undefined;
    const isEnd = kind === 'in' && !isOwnEnd && (isMessage || source === 'EXT-X-DATERANGE');
    if (!isEnd || border === undefined || beside.some((one) => one.kind === 'out' || isCueIn(one))) return signal;
    const goesOn = beside.some((one) => {
      // A date range may be at the instant of the end.
      const isInSegment = (one.duration ?? 0) - (one.elapsed ?? 0) <= border - at + NEAR;
      return isContinuation(one) && hasLeft(one) && (isMessage || isInSegment);
    });
    const isEarly = goesOn || (isMessage && bySegment.get(next)?.some(isCueIn));
    return isEarly ? { ...signal, at: border, segment: next, isEarly: true } : signal;
  });
}

const isCueIn = ({ kind, rank, source }: MarkerSignal): boolean =>
  kind === 'in' && rank === undefined && source !== 'EXT-X-DATERANGE';

/** What ends a break precedes what was announced to start at the same instant, unless that is what it ends. */
function inOrder(signals: readonly AheadSignal[]): MarkerSignal[] {
  const ahead = new Set(
    signals.flatMap(({ kind, isAhead, at, id }) => (isAhead && kind === 'out' ? [`${at} ${id}`] : [])),
  );
  const rank = ({ kind, isAhead, at, id }: AheadSignal): number =>
    isAhead && kind === 'out' ? 1 : kind === 'in' && ahead.has(`${at} ${id}`) ? 2 : 0;
  return signals.toSorted((a, b) => a.at - b.at || rank(a) - rank(b));
}

const keyOf = ({ kind, id }: Statement): string => `${kind} ${id}`;

/** A range that ends where that of another tag starts. */
const endOfRange = (id: string, value: string): Statement => {
  const start = upperAttributes(value).get('START-DATE');
  return { kind: 'in', isOwnEnd: true, id: `daterange ${id}`, ...(start === undefined ? {} : { hint: start }) };
};

/**
 * The tags of messages that a packager writes when it receives them and again, with CUE-OUT or CUE-IN, where they take
 * effect.
 */
function receivedEarlier(tags: readonly MarkerTag[]): ReadonlySet<MarkerTag> {
  const scte35 = tags.flatMap((tag) => {
    if (tag.name !== 'EXT-X-SCTE35') return [];
    const attributes = upperAttributes(tag.value);
    return [
      { tag, payload: attributes.get('CUE'), isEffective: attributes.has('CUE-OUT') || attributes.has('CUE-IN') },
    ];
  });
  const payloads = new Set(scte35.flatMap(({ payload, isEffective }) => (isEffective ? [payload] : [])));
  return new Set(
    scte35.flatMap(({ tag, payload, isEffective }) => (!isEffective && payloads.has(payload) ? [tag] : [])),
  );
}
