// SPDX-License-Identifier: Apache-2.0
// Reads the marker tags of a media playlist and places them on the timeline of its segments. The position of a tag decides.
// Dates are hints, because packagers truncate them to whole seconds; only a date range that starts well after its position
// is placed by its date, since it is announced ahead.
import type { MarkerTag } from '../hls/markerTag.ts';
import { type Flicks, flicks, millisToFlicks, secondsToFlicks } from '../time/units.ts';
import type { MarkerSignal, MarkerWarning, Reading } from './markerSignal.ts';
import { readCue, readCueCont, readCueIn, readCueOut } from './readCueTags.ts';
import { readDateRange, readScte35, readSpliceTag } from './readScteTags.ts';

export type SegmentTimes = {
  /** The start of each segment and the end of the last one. */
  readonly borders: readonly Flicks[];
  /** EXT-X-PROGRAM-DATE-TIME of segments that have one, as written. */
  readonly dates: readonly (string | undefined)[];
};

export type PlacedMarkers = {
  /** In the order of their times; those of one instant in the order of the playlist. */
  readonly signals: readonly MarkerSignal[];
  readonly warnings: readonly MarkerWarning[];
};

const readers: ReadonlyMap<string, (value: string) => Reading> = new Map([
  ['EXT-X-CUE-OUT', readCueOut],
  ['EXT-X-CUE-OUT-CONT', readCueCont],
  ['EXT-X-CUE-SPAN', readCueCont],
  ['EXT-X-CUE-CONT', readCueCont],
  ['EXT-X-CUE-IN', readCueIn],
  ['EXT-X-CUE', readCue],
  ['EXT-OATCLS-SCTE35', readSpliceTag],
  ['EXT-X-SPLICEPOINT-SCTE35', readSpliceTag],
  ['EXT-X-SCTE35', readScte35],
  ['EXT-X-DATERANGE', readDateRange],
]);

/** A tag this much before its date, beyond the segment that follows it, is announced ahead. */
const AHEAD = secondsToFlicks(1);

export function placeTags(tags: readonly MarkerTag[], times: SegmentTimes): PlacedMarkers {
  const { borders } = times;
  const warnings: MarkerWarning[] = [];
  const signals: (MarkerSignal & { readonly isAhead?: true })[] = [];
  const dateOf = dateReader(times);
  for (const { name, value, line, segment } of tags) {
    const reading = readers.get(name)?.(value);
    if (reading === undefined) continue;
    for (const text of reading.warnings) warnings.push({ line, text: `${name}: ${text}` });
    const at = borders[Math.min(segment, borders.length - 1)]!;
    const raw = value === '' ? `#${name}` : `#${name}:${value}`;
    for (const statement of reading.statements) {
      const placed = { ...statement, at, segment, source: name, line, raw };
      const ahead =
        name === 'EXT-X-DATERANGE' && statement.kind === 'out' ? dateOf(statement.hint, segment) : undefined;
      signals.push(ahead === undefined ? placed : { ...placed, ...ahead, isAhead: true });
    }
  }
  const newest = new Map(signals.flatMap((signal) => (signal.isAhead && signal.id ? [[signal.id, signal]] : [])));
  const valid = signals.filter((signal) => !signal.isAhead || !signal.id || newest.get(signal.id) === signal);
  return { signals: valid.sort((a, b) => a.at - b.at), warnings };
}

/** The segment border nearest to a date that is later than the segment after a tag; undefined if it is not later. */
function dateReader({ borders, dates }: SegmentTimes) {
  const known = dates.flatMap((text, index) => {
    const date = Date.parse(text ?? '');
    return Number.isNaN(date) ? [] : [{ date, index }];
  });
  return (text: string | undefined, segment: number): { at: Flicks; segment: number } | undefined => {
    const date = Date.parse(text ?? '');
    if (Number.isNaN(date) || known.length === 0) return undefined;
    const base = known.findLast((each) => each.date <= date);
    if (base === undefined || date - base.date > 1_000_000_000) return undefined;
    const instant = flicks(borders[base.index]! + millisToFlicks(Math.round(date - base.date)));
    const after = borders[Math.min(segment + 1, borders.length - 1)]!;
    if (instant <= after + AHEAD || instant > borders.at(-1)!) return undefined;
    const nearest = nearestIndex(borders, instant);
    return { at: borders[nearest]!, segment: nearest };
  };
}

function nearestIndex(borders: readonly Flicks[], instant: Flicks): number {
  let [low, high] = [0, borders.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (borders[middle]! <= instant) low = middle;
    else high = middle;
  }
  return instant - borders[low]! <= borders[high]! - instant ? low : high;
}
