// SPDX-License-Identifier: Apache-2.0
// Breaks as SCTE-35 events of their Periods (ANSI/SCTE 214-1 §6.7), for those who replace them downstream, and after them the entries of
// schedules. A break starts a Period,
// except where content fills it. docs/decisions/054-markers-out.md states why they look like this.
import { breakEnd, breakStart, eventIdOf } from '../../scte35/breakMessages.ts';
import { programmeEnd, programmeStart } from '../../scte35/programmeMessages.ts';
import { base64Text } from '../../scte35/writeSection.ts';
import { MPEG_TIMESCALE } from '../../time/mpegClock.ts';
import { flicksToMillis, flicksToTicks, type Millis } from '../../time/units.ts';
import {
  announcedLength,
  type BreakPlace,
  breakOf,
  type EntryPlace,
  type Span,
} from '../../timeline/programme/span.ts';
import { type AttributeValue, element } from '../../xml/write.ts';

/** Both ends of a break are rounded to a millisecond. */
const ROUNDING_MS = 1;

function eventOf(attributes: Readonly<Record<string, AttributeValue>>, message: Uint8Array): string {
  const binary = element('scte35:Binary', {}, base64Text(message));
  const signal = element('scte35:Signal', { 'xmlns:scte35': 'http://www.scte.org/schemas/35/2016' }, binary);
  return element('Event', attributes, signal);
}

const ticksAfter = (start: Millis, time: Millis): number => ((time - start) * MPEG_TIMESCALE) / 1000;

function startOf(place: BreakPlace, start: Millis): string {
  const { id, startsAt } = place;
  const duration = announcedLength(place);
  const length = duration === undefined ? {} : { duration: flicksToTicks(duration, MPEG_TIMESCALE) };
  const attributes = { presentationTime: ticksAfter(start, startsAt), ...length, id: eventIdOf(place) };
  return eventOf(attributes, breakStart({ id, startsAt, duration }));
}

/** Other than at its start: players take events with one id for one event (ISO/IEC 23009-1 5.10.2.2). */
const endIdOf = (place: BreakPlace | EntryPlace): number => (eventIdOf(place) ^ 1) >>> 0;

/** The end of a break, if it is not the announced one. @param last its last span */
function endOf(place: BreakPlace, { placed: { endsAt } }: Span, start: Millis): string {
  const { id, startsAt } = place;
  const duration = announcedLength(place);
  if (duration !== undefined && Math.abs(startsAt + flicksToMillis(duration) - endsAt) <= ROUNDING_MS) return '';
  // After a hole of a live timeline, the next Period starts later.
  const attributes = { presentationTime: Math.max(0, ticksAfter(start, endsAt)), id: endIdOf(place) };
  return eventOf(attributes, breakEnd({ id, startsAt, duration }));
}

/** Where entries of a schedule end and start in a Period, whether or not the spans are listed that begin there. */
function programmesIn(spans: readonly Span[], start: Millis): string[] {
  const borders = new Set(spans.flatMap(({ border }) => (border !== undefined && border.at >= start ? [border] : [])));
  return [...borders].flatMap(({ at, ended, started }) => {
    const presentationTime = ticksAfter(start, at);
    return [
      ...(ended === undefined ? [] : [eventOf({ presentationTime, id: endIdOf(ended) }, programmeEnd(ended))]),
      ...(started === undefined
        ? []
        : [eventOf({ presentationTime, id: eventIdOf(started) }, programmeStart(started))]),
    ];
  });
}

/**
 * The markers of a Period. Starts of breaks are first, because some readers use only the first event of a Period.
 * @param start of the Period. @param before the span that is listed before it
 */
export function markerStream(spans: readonly Span[], start: Millis, before: Span | undefined): string {
  const [starts, ends]: [string[], string[]] = [[], []];
  let last = before;
  for (const span of spans) {
    const [place, ended] = [breakOf(span), last && breakOf(last)];
    if (last !== undefined && ended !== undefined && ended.id !== place?.id) ends.push(endOf(ended, last, start));
    // What began in an earlier Period is announced there.
    if (place !== undefined && place.id !== ended?.id && place.startsAt >= start) starts.push(startOf(place, start));
    last = span;
  }
  const events = [...starts, ...ends.filter((event) => event !== ''), ...programmesIn(spans, start)];
  const attributes = { schemeIdUri: 'urn:scte:scte35:2014:xml+bin', timescale: MPEG_TIMESCALE };
  return events.length === 0 ? '' : element('EventStream', attributes, ...events);
}
