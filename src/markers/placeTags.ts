// SPDX-License-Identifier: Apache-2.0
// Reads the marker tags of a media playlist and places them on the timeline of its segments. The position of a tag decides.
import type { MarkerTag } from '../hls/markerTag.ts';
import { dateReader, endedByNext, type SegmentTimes } from './dateRanges.ts';
import { upperAttributes } from './markerAttributes.ts';
import { type MarkerOptions, type MarkerSignal, type Reading, type Statement, statementsOf } from './markerSignal.ts';
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

/** @returns in the order of their times; those of one instant in the order of the playlist */
export function placeTags(
  tags: readonly MarkerTag[],
  times: SegmentTimes,
  options: MarkerOptions = {},
): readonly MarkerSignal[] {
  const { borders } = times;
  const starts = options.starts && new Set(options.starts);
  const signals: AheadSignal[] = [];
  const dateOf = dateReader(tags, times);
  const received = receivedEarlier(tags);
  const ended = endedByNext(tags);
  for (const tag of tags) {
    const { name, value, line, segment } = tag;
    const reading = received.has(tag) ? undefined : readers.get(name)?.(value, starts);
    if (reading === undefined) continue;
    const at = borders[Math.min(segment, borders.length - 1)]!;
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
  const newest = new Map(signals.flatMap((signal) => (signal.isAhead && signal.id ? [[keyOf(signal), signal]] : [])));
  const valid = signals.filter((signal) => !signal.isAhead || !signal.id || newest.get(keyOf(signal)) === signal);
  return inOrder(valid);
}

type AheadSignal = MarkerSignal & { readonly isAhead?: true };

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
