// SPDX-License-Identifier: Apache-2.0
// Breaks and ads as events of their Periods (ISO/IEC 23009-1 5.10.2). Players end an event with its Period (5.10.2.1), so
// each Period of a break announces the rest of the break. The announcement follows from the span alone and never changes,
// even though a late joiner's slate is published before it is decided where their ads begin (docs/decisions/008-ads-in-manifests.md).
import { memo } from '../../cache/memo.ts';
import { flicksToMicros, type Millis } from '../../time/units.ts';
import { announcedDuration, type Clip } from '../../timeline/asset/clip.ts';
import { AD_SCHEME, adSignal, BREAK_SCHEME } from '../../timeline/programme/adSignal.ts';
import { breakOf, clockAt, isPast, type Span } from '../../timeline/programme/span.ts';
import { escapeText } from '../../xml/write.ts';

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

/** The last signal of a clip, escaped: viewers who share a clip share its signal (adSignal.ts). */
const escapedSignals = memo((_: Clip): { signal: string; text: string } => ({ signal: '', text: '' }));

function escapeSignal(signal: string, clip: Clip): string {
  const last = escapedSignals(clip);
  if (last.signal !== signal) Object.assign(last, { signal, text: escapeText(signal) });
  return last.text;
}

/** The event streams of a span's Period; empty outside breaks. @param availabilityStart the channel's first instant */
export function announceSpan(span: Span, availabilityStart: Millis): string {
  const place = breakOf(span);
  if (place === undefined || isPast(span)) return '';
  const id = eventId(span, availabilityStart);
  const { startsAt, clip } = span.placed;
  const rest = flicksToMicros(place.duration) - (startsAt - place.startsAt) * 1000;
  const stream = eventStream(BREAK_SCHEME, id, rest, escapeText(place.id));
  const signal = adSignal(span);
  if (signal === undefined) return stream;
  return `${stream}\n${eventStream(AD_SCHEME, AD_IDS + id, flicksToMicros(announcedDuration(clip)), escapeSignal(signal, clip))}`;
}

/**
 * The event streams of a stretch: breaks of the channel that show its content. They follow from the break and the stretch
 * alone, so they do not change when some of their spans have left the window.
 */
function announceContent(spans: readonly Span[], start: Millis, availabilityStart: Millis): string {
  const places = new Map(spans.flatMap((span) => breakOf(span) ?? []).map((place) => [place.id, place]));
  return [...places.values()]
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

/** The event streams of a Period. @param rows one, or consecutive ones of a stretch */
export function announceSpans(rows: readonly { readonly span: Span }[], availabilityStart: Millis): string {
  const { span } = rows[0]!;
  if (span.stretch === undefined) return announceSpan(span, availabilityStart);
  const spans = rows.map((row) => row.span);
  return announceContent(spans, clockAt(span.stretch.start, 0), availabilityStart);
}
