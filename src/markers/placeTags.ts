// SPDX-License-Identifier: Apache-2.0
// Reads the marker tags of a media playlist and places them on the timeline of its segments. The position of a tag decides.
// Dates are hints, because packagers truncate them to whole seconds; only a date range that starts well after its position
// is placed by its date, since it is announced ahead, and so is one of a break that began before the first segment.
import type { MarkerTag } from '../hls/markerTag.ts';
import { type Flicks, flicks, millisToFlicks, secondsToFlicks } from '../time/units.ts';
import type { MarkerOptions, MarkerSignal, MarkerWarning, Reading, Statement } from './markerSignal.ts';
import {
  readAdPoint,
  readCue,
  readCueCont,
  readCueIn,
  readCueOut,
  readSignalSpan,
  upperAttributes,
} from './readCueTags.ts';
import { readDateRange, readScte35, readSpliceTag } from './readScteTags.ts';

export type SegmentTimes = {
  /** The start of each segment and the end of the last one. */
  readonly borders: readonly Flicks[];
  /** EXT-X-PROGRAM-DATE-TIME of segments that have one, as written. */
  readonly dates: readonly (string | undefined)[];
  /** More segments will follow: what is dated after the last one is announced ahead. */
  readonly isLive?: boolean;
};

export type PlacedMarkers = {
  /** In the order of their times; those of one instant in the order of the playlist. */
  readonly signals: readonly MarkerSignal[];
  readonly warnings: readonly MarkerWarning[];
};

const readers: ReadonlyMap<string, (value: string, starts?: ReadonlySet<number>) => Reading> = new Map([
  ['EXT-X-CUE-OUT', readCueOut],
  ['EXT-X-CUE-OUT-CONT', readCueCont],
  ['EXT-X-CUE-SPAN', readCueCont],
  ['EXT-X-CUE-CONT', readCueCont],
  ['EXT-X-CUE-IN', readCueIn],
  ['EXT-X-CUE', readCue],
  ['EXT-X-CUEPOINT', readAdPoint],
  ['EXT-X-AD', readAdPoint],
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
  ['EXT-X-DATERANGE', readDateRange],
]);

/** A date range that has ended this long before the first segment belongs to content that is not listed any more. */
const PAST = secondsToFlicks(3);
/** A tag this much before its date, beyond the segment that follows it, is announced ahead. */
const AHEAD = secondsToFlicks(1);
/** Dates are written in milliseconds; those that are not truncated to seconds are this near to the border that they state. */
const AT_BORDER = millisToFlicks(20);
/** In milliseconds; dates that are further apart do not belong together. */
const MAX_DISTANCE = 1_000_000_000;

export function placeTags(tags: readonly MarkerTag[], times: SegmentTimes, options: MarkerOptions = {}): PlacedMarkers {
  const { borders } = times;
  const starts = options.starts && new Set(options.starts);
  const warnings: MarkerWarning[] = [];
  const signals: (MarkerSignal & { readonly isAhead?: true })[] = [];
  const dateOf = dateReader(times);
  const received = receivedEarlier(tags);
  for (const tag of tags) {
    const { name, value, line, segment } = tag;
    const reading = received.has(tag) ? undefined : readers.get(name)?.(value, starts);
    if (reading === undefined) continue;
    for (const text of reading.warnings) warnings.push({ line, text: `${name}: ${text}` });
    const at = borders[Math.min(segment, borders.length - 1)]!;
    const raw = value === '' ? `#${name}` : `#${name}:${value}`;
    for (const statement of reading.statements) {
      const placed = { ...statement, at, segment, source: name, line, raw };
      const isStart = name === 'EXT-X-DATERANGE' && statement.kind === 'out';
      const dated = isStart ? dateOf(statement, segment) : undefined;
      if (dated !== 'past') signals.push({ ...placed, ...dated });
    }
  }
  const newest = new Map(signals.flatMap((signal) => (signal.isAhead && signal.id ? [[signal.id, signal]] : [])));
  const valid = signals.filter((signal) => !signal.isAhead || !signal.id || newest.get(signal.id) === signal);
  return { signals: valid.sort((a, b) => a.at - b.at), warnings };
}

/**
 * The tags of messages that a packager writes when it receives them and again, with CUE-OUT or CUE-IN, where they take
 * effect.
 */
function receivedEarlier(tags: readonly MarkerTag[]): ReadonlySet<MarkerTag> {
  const scte35 = tags.filter(({ name }) => name === 'EXT-X-SCTE35');
  const [effective, others] = [true, false].map((isEffective) =>
    scte35.filter(({ value }) => /(^|,)\s*CUE-(OUT|IN)=/i.test(value) === isEffective),
  ) as [MarkerTag[], MarkerTag[]];
  const payloadOf = ({ value }: MarkerTag): string | undefined => upperAttributes(value).get('CUE');
  const payloads = new Set(effective.map(payloadOf));
  return new Set(others.filter((tag) => payloads.has(payloadOf(tag))));
}

type Dated = { readonly at: Flicks; readonly segment: number; readonly isAhead?: true };

/** The place of a date range that is far ahead of its tag, or that began before the first segment; undefined otherwise. */
function dateReader({
  borders,
  dates,
  isLive = false,
}: SegmentTimes): (statement: Statement, segment: number) => Dated | 'past' | undefined {
  const known = dates.flatMap((text, index) => {
    const date = Date.parse(text ?? '');
    return Number.isNaN(date) ? [] : [{ date, index }];
  });
  return ({ hint, duration = flicks(0) }, segment) => {
    const date = Date.parse(hint ?? '');
    if (Number.isNaN(date) || known.length === 0) return undefined;
    const base = known.findLast((each) => each.date <= date) ?? known[0]!;
    if (Math.abs(date - base.date) > MAX_DISTANCE) return undefined;
    const instant = flicks(borders[base.index]! + millisToFlicks(Math.round(date - base.date)));
    if (segment === 0 && instant < borders[0]! - AHEAD && instant + duration > borders[0]!)
      return { at: instant, segment };
    // What is repeated on a live playlist was placed by an earlier reading.
    const past = isLive && instant < borders[0]! - AHEAD ? borders[0]! : borders[0]! - PAST;
    if (segment === 0 && duration > 0 && instant + duration <= past) return 'past';
    const [tagged, next] = [
      borders[Math.min(segment, borders.length - 1)]!,
      borders[Math.min(segment + 1, borders.length - 1)]!,
    ];
    const isAtNext = next - tagged > AHEAD && Math.abs(instant - next) <= AT_BORDER;
    if (instant <= next + AHEAD && !isAtNext) return undefined;
    if (instant > borders.at(-1)! + AT_BORDER) {
      return isLive ? { at: instant, segment: borders.length - 1, isAhead: true } : undefined;
    }
    const nearest = nearestIndex(borders, instant);
    return { at: borders[nearest]!, segment: nearest, isAhead: true };
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
