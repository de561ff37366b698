// SPDX-License-Identifier: Apache-2.0
// The Periods of rows (ISO/IEC 23009-1 5.3.2): one for each span, or for each stretch of live content.
import { ownMemo } from '../../cache/memo.ts';
import type { NonEmpty } from '../../invariant.ts';
import { flicksToMicros, type Millis } from '../../time/units.ts';
import { announcedDuration } from '../../timeline/asset/clip.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import { AD_SCHEME, adSignal, BREAK_SCHEME, keptSignals } from '../../timeline/programme/adSignal.ts';
import { type BreakPlace, breakOf, clockAt, isPast, type Span } from '../../timeline/programme/span.ts';
import type { Row } from '../../timeline/programme/window.ts';
import { escapeAttribute, escapeText, utf8Bytes } from '../../xml/write.ts';
import { writeDuration } from '../duration.ts';
import { adaptationSets, stretchSets } from './adaptationSets.ts';
import { type Alternative, alternativesStream } from './alternatives.ts';
import { markerStream } from './markerEvents.ts';

/** What the Periods of a channel have in common. */
export type PeriodFrame = {
  readonly ladder: Ladder;
  /** The channel's first instant. */
  readonly availabilityStart: Millis;
  /** Whether breaks and ads are announced as events; true by default. */
  readonly announces?: boolean;
  /** For guided insertion, as in `alternativesStream`: breaks are alternatives instead. */
  readonly breaksUrl?: string | undefined;
  /** Whether breaks have SCTE-35 events; false by default. */
  readonly hasMarkers?: boolean;
};

/** The rows of one Period: one span, or consecutive spans of one stretch of live content. */
type Group = NonEmpty<Row>;

function groupRows(rows: readonly Row[]): Group[] {
  const groups: [Row, ...Row[]][] = [];
  for (const row of rows) {
    const { stretch } = row.span;
    const last = groups.at(-1);
    if (stretch !== undefined && stretch.id === last?.[0].span.stretch?.id) last.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** @param start in milliseconds. @returns the tag up to its further attributes */
export const periodTag = (id: string, start: number): string =>
  `<Period id="${escapeAttribute(id)}" start="${writeDuration(start)}"`;

/** What a Period shows: one span, or consecutive ones of a stretch. */
type Shown = NonEmpty<Pick<Row, 'span'>>;

/** When the Period of a span starts. */
const periodStart = ({ stretch, placed }: Span): Millis =>
  stretch === undefined ? placed.startsAt : clockAt(stretch.start, 0);

/** A Period up to its AdaptationSets, which are on the lines that follow. @param before the span that is listed before it */
export function periodHead(shown: Shown, frame: PeriodFrame, before?: Span): string {
  const [{ span }] = shown;
  const start = periodStart(span);
  const tag = `${periodTag(span.stretch?.id ?? span.id, start - frame.availabilityStart)}>`;
  const spans = frame.hasMarkers ? shown.map((row) => row.span) : undefined;
  const markers = spans === undefined ? '' : markerStream(spans, start, before);
  const announced = announcedIn(shown, frame);
  return `${tag}${markers === '' ? '' : '\n'}${markers}${announced === '' ? '' : '\n'}${announced}`;
}

function writePeriod(group: Group, frame: PeriodFrame, before: Span | undefined): string {
  const { ladder } = frame;
  const [{ span, first, end }] = group;
  const { clip } = span.placed;
  const sets = span.stretch === undefined ? adaptationSets({ clip, first, end }, ladder) : stretchSets(group, ladder);
  return `${periodHead(group, frame, before)}\n${sets}\n</Period>`;
}

/** Consecutive Periods of an MPD. */
export type Periods = {
  /** On separate lines, as bytes (`utf8Bytes`). */
  readonly text: string;
  /** The last one; empty without any. */
  readonly last: string;
  /** Whether one of them has a SegmentList. */
  readonly hasLists: boolean;
};

export const NO_PERIODS: Periods = { text: '', last: '', hasLists: false };

export const joinPeriods = (one: Periods, next: Periods): Periods =>
  one === NO_PERIODS
    ? next
    : next === NO_PERIODS
      ? one
      : { text: `${one.text}\n${next.text}`, last: next.last, hasLists: one.hasLists || next.hasLists };

type KnownPeriod = Pick<PeriodFrame, 'announces' | 'breaksUrl' | 'hasMarkers'> & {
  readonly group: Group;
  /** The span before it, if markers depend on it. */
  readonly before: Span | undefined;
  readonly periods: Periods;
};

/** Viewers who join later, or wait for a decision, have other windows. */
const MAX_TEXTS = 4;

/** By the first row, because `frame` is the same for all rows of a channel except for how breaks are announced. The newest text is first. */
const knownPeriods = ownMemo((_: Row): KnownPeriod[] => []);

const isEqual = (one: Group, other: Group): boolean =>
  one.length === other.length && one.every((row, index) => row === other[index]);

/** A Period is written once for all viewers who see the same segments. */
function period(group: Group, frame: PeriodFrame, last: Group | undefined): Periods {
  const all = knownPeriods(group[0]);
  const { announces = true, breaksUrl, hasMarkers = false } = frame;
  const before = hasMarkers ? last?.at(-1)?.span : undefined;
  const known = all.find(
    (one) =>
      one.announces === announces &&
      one.breaksUrl === breaksUrl &&
      one.hasMarkers === hasMarkers &&
      one.before === before &&
      isEqual(one.group, group),
  );
  if (known !== undefined) return known.periods;
  const text = utf8Bytes(writePeriod(group, frame, before));
  const periods = { text, last: text, hasLists: text.includes('<SegmentList') };
  all.unshift({ group, announces, breaksUrl, hasMarkers, before, periods });
  all.length = Math.min(all.length, MAX_TEXTS);
  return periods;
}

/** The Periods of consecutive rows. */
export const writePeriods = (rows: readonly Row[], frame: PeriodFrame): Periods =>
  groupRows(rows).reduce(
    (periods, group, index, groups) => joinPeriods(periods, period(group, frame, groups[index - 1])),
    NO_PERIODS,
  );

// Breaks and ads as events of their Periods (ISO/IEC 23009-1 5.10.2). Players end an event with its Period (5.10.2.1), so
// each Period of a break announces the rest of the break. The announcement follows from the span alone and never changes,
// even though a late joiner's slate is published before it is decided where their ads begin (docs/decisions/008-ads-in-manifests.md).

const TIMESCALE = 1_000_000;

/**
 * Event@id is an unsigned 32-bit number that is unique within its scheme: the Period's start in milliseconds, which repeats
 * after 24 days. rx-player (4.5) treats events with equal ids and times as one even if their schemes differ, so ads use the
 * upper half of the range.
 */
const eventId = (span: Span, availabilityStart: Millis): number => (span.placed.startsAt - availabilityStart) % 2 ** 31;
const AD_IDS = 2 ** 31;

/** Without `element`: a static MPD has a hundred streams for each viewer. @param message escaped */
const eventStream = (scheme: string, id: number, duration: number, message: string, time = 0): string =>
  `<EventStream schemeIdUri="${scheme}" timescale="${TIMESCALE}">\n` +
  `<Event presentationTime="${time}" duration="${duration}" id="${id}">${message}</Event>\n</EventStream>`;

/** The signal of an ad, for texts that are kept. */
const newSignal = (span: Span): string | undefined => adSignal(span, escapeText);

/** The same, kept with the clip. */
export const keptSignal = keptSignals(escapeText);

/** The event streams of a span's Period; empty outside breaks. @param availabilityStart the channel's first instant */
export function announceSpan(span: Span, availabilityStart: Millis, signalOf = newSignal): string {
  const place = breakOf(span);
  if (place === undefined || isPast(span)) return '';
  const id = eventId(span, availabilityStart);
  const { startsAt, clip } = span.placed;
  const rest = flicksToMicros(place.duration) - (startsAt - place.startsAt) * 1000;
  // Until a live break is cut at its end, an ad may start after the announced one.
  const stream = rest > 0 ? eventStream(BREAK_SCHEME, id, rest, escapeText(place.id)) : '';
  const signal = signalOf(span);
  if (signal === undefined) return stream;
  const ad = eventStream(AD_SCHEME, AD_IDS + id, flicksToMicros(announcedDuration(clip)), signal);
  return stream === '' ? ad : `${stream}\n${ad}`;
}

/** The breaks that a Period has a part of. */
const placesIn = (shown: Shown): Iterable<BreakPlace> =>
  new Map(shown.flatMap(({ span }) => breakOf(span) ?? []).map((place) => [place.id, place])).values();

/**
 * The event streams of a stretch: breaks of the channel that show its content. They follow from the break and the stretch
 * alone, so they do not change when some of their spans have left the window.
 */
function announceContent(shown: Shown, start: Millis, availabilityStart: Millis): string {
  return Array.from(placesIn(shown))
    .flatMap(({ id, startsAt, duration }) => {
      const from = Math.max(start, startsAt);
      const rest = flicksToMicros(duration) - (from - startsAt) * 1000;
      // A break that lasts longer than announced, and continues in another stretch.
      if (rest <= 0) return [];
      const eventId = (from - availabilityStart) % 2 ** 31;
      return [eventStream(BREAK_SCHEME, eventId, rest, escapeText(id), (from - start) * 1000)];
    })
    .join('\n');
}

function announcedIn(shown: Shown, { availabilityStart, announces, breaksUrl }: PeriodFrame): string {
  if (breaksUrl !== undefined) return replacementsIn(shown, availabilityStart, breaksUrl);
  return announces === false ? '' : announceSpans(shown, availabilityStart);
}

/** The breaks that start in a Period, for players that insert ads. */
function replacementsIn(shown: Shown, availabilityStart: Millis, breaksUrl: string): string {
  const start = periodStart(shown[0].span);
  const events = Array.from(placesIn(shown)).flatMap(({ id, startsAt, duration }): Alternative[] => {
    if (startsAt < start) return [];
    const eventId = (startsAt - availabilityStart) % 2 ** 31;
    return [{ eventId, breakId: id, time: (startsAt - start) * 1000, duration: flicksToMicros(duration) }];
  });
  return alternativesStream('replace', events, breaksUrl, true);
}

/** The event streams of a Period. */
export function announceSpans(shown: Shown, availabilityStart: Millis): string {
  const [{ span }] = shown;
  return span.stretch === undefined
    ? announceSpan(span, availabilityStart)
    : announceContent(shown, periodStart(span), availabilityStart);
}
