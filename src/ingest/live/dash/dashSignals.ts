// SPDX-License-Identifier: Apache-2.0
// The SCTE-35 events of a live MPD and of its segments as signals, placed on the segments of the first rung.

import type { SpliceEvent } from '../../../dash/mpd.ts';
import type { LiveMpd, LivePeriod, LiveRepresentation, LiveSegment } from '../../../dash/read/live/liveMpd.ts';
import { afterTicks, flicksBetween, isBeyondReason } from '../../../dash/read/live/liveTimes.ts';
import { isSpliceScheme } from '../../../dash/read/readSpliceEvents.ts';
import type { OriginSegment, OriginSignal } from '../../../live/origin.ts';
import type { MarkerOptions, MarkerSignal } from '../../../markers/markerSignal.ts';
import { placingEvents } from '../../../markers/placeEvents.ts';
import { hexOf } from '../../../mp4/readCodec.ts';
import { type EventMessage, readEmsg } from '../../../mp4/segmentBoxes.ts';
import { createLastUpTo } from '../../../time/search.ts';
import type { Sliced } from '../../../time/sliced.ts';
import { type Flicks, flicks, millisToFlicks, ticksToFlicks } from '../../../time/units.ts';
import { after, type Instant } from '../../../timeline/programme/span.ts';
import { decodeXml } from '../../../xml/decodeXml.ts';
import type { XmlElement } from '../../../xml/element.ts';
import { readXml } from '../../../xml/read.ts';
import type { Origin } from '../../ports.ts';
import { shortUrl } from '../../source/mediaReader.ts';

/** The breaks of all signals of a reading are found in one turn. */
const MAX_EVENTS = 1000;
/** Places the same event of the MPD and of a segment, which has another timescale, on the same instant. */
const SAME = millisToFlicks(2000);

/** @param live the time that is live; by default, event times count from it */
export function nearestEvents(events: readonly SpliceEvent[], live = 0) {
  const [first] = events;
  if (first === undefined || events.length <= MAX_EVENTS) return { events, warnings: [] };
  const distance = ({ start }: SpliceEvent): number => Math.abs(start - live);
  const nearest = new Set(events.toSorted((a, b) => distance(a) - distance(b)).slice(0, MAX_EVENTS));
  const warning = `line ${first.line}: the MPD has ${events.length} SCTE-35 events; the ${MAX_EVENTS} nearest to what is live are read. Remove events that have passed`;
  return { events: events.filter((event) => nearest.has(event)), warnings: [warning] };
}

/** @returns what merges the events of each reading: an event that is in the MPD and in segments is one signal */
export function createSignalMerger(
  options: MarkerOptions,
): (listed: readonly SpliceEvent[], inband: readonly SpliceEvent[], epoch: Instant) => Sliced<readonly MarkerSignal[]> {
  /** The instants of signals from segments that an earlier reading contained. */
  let reported = new Set<string>();
  return function* (listed, inband, epoch) {
    const ofMpd = yield* placingEvents([{ start: flicks(0), events: listed }], options);
    const ofSegments = yield* placingEvents([{ start: flicks(0), events: inband }], options);
    const nameOf = (signal: MarkerSignal): string => {
      const at = after(epoch, signal.at);
      return `${signal.kind} ${signal.id} ${at.millis} ${at.rest}`;
    };
    const isSame = (one: MarkerSignal) => (other: MarkerSignal) =>
      one.kind === other.kind && one.id === other.id && Math.abs(one.at - other.at) <= SAME;
    const kept = ofSegments.filter((one) => reported.has(nameOf(one)) || !ofMpd.some(isSame(one)));
    reported = new Set(kept.map(nameOf));
    const signals = [...ofMpd.filter((one) => !kept.some(isSame(one))), ...kept.map(inSegment)];
    return signals.sort((a, b) => a.at - b.at);
  };
}

const inSegment = (signal: MarkerSignal): MarkerSignal => ({ ...signal, raw: signal.raw.replace(/^<Event/, '<emsg') });

type Segments = readonly OriginSegment[];

/** @param segments of the first rung, with their instants */
export function onSegments(signals: readonly MarkerSignal[], segments: Segments, epoch: Instant): OriginSignal[] {
  const dated = segments.flatMap(({ number, startsAt }) => (startsAt === undefined ? [] : [{ number, startsAt }]));
  const lastUpTo = createLastUpTo(dated.map(({ startsAt }) => flicksBetween(epoch, startsAt)));
  return signals.flatMap(({ at, segment: _segment, ...signal }) => {
    const on = dated[Math.max(0, lastUpTo(at))];
    if (on === undefined) return [];
    return [{ ...signal, number: on.number, offset: flicks(flicksBetween(on.startsAt, after(epoch, at))) }];
  });
}

// The SCTE-35 events in the segments of a live origin (`emsg`, ISO/IEC 23009-1 5.10.3). Segments are read only if the MPD
// announces such events: each once, from the Representation with the lowest bandwidth, and no further than its first bytes.

/** Event messages are at the start of a segment. */
const HEAD_BYTES = 64 * 1024;
const TIMEOUT_MS = 3_000;
/** The most segments that are read in the first reading, and after a pause. */
const MAX_SEGMENTS = 8;
const MAX_ATTEMPTS = 3;
const MAX_INBAND_EVENTS = 200;
/** Longest distance of an event from the segment that contains it. */
const MAX_AHEAD_MS = 24 * 3_600_000;
/** A message that is repeated in the next segments differs by rounding at most. */
const SAME_MS = 500;

type Announced = { readonly segment: LiveSegment; readonly of: LiveRepresentation; readonly period: LivePeriod };
type Found = { readonly at: Instant; readonly event: Omit<SpliceEvent, 'start'>; readonly name: string };

export function createInbandEvents(origin: Origin) {
  /** URLs of segments, with the number of failed attempts; those read have MAX_ATTEMPTS. */
  let attempts = new Map<string, number>();
  const found: Found[] = [];

  async function scanSegment(one: Announced, signal?: AbortSignal): Promise<string | undefined> {
    const { url, range } = one.segment.media;
    const head = { start: range?.start ?? 0, length: Math.min(HEAD_BYTES, range?.length ?? HEAD_BYTES) };
    const read = await origin.read(url, { range: head, timeoutMs: TIMEOUT_MS, signal });
    if (!read.ok) {
      attempts.set(url, (attempts.get(url) ?? 0) + 1);
      return `events in segments may be missing: ${shortUrl(url)} ${read.reason}`;
    }
    attempts.set(url, MAX_ATTEMPTS);
    const schemes = new Set(one.of.inband.map(({ scheme }) => scheme.toLowerCase()));
    for (const message of readEmsg(read.bytes)) {
      const scheme = message.scheme.toLowerCase();
      const isUsable =
        isSpliceScheme(scheme) && schemes.has(scheme) && !isBeyondReason(message.time, message.timescale);
      if (isUsable) keep(placed(message, one));
    }
    return undefined;
  }

  function keep(one: Found): void {
    const isKnown = found.some(({ name, at }) => name === one.name && Math.abs(at.millis - one.at.millis) <= SAME_MS);
    if (isKnown) return;
    found.push(one);
    if (found.length > MAX_INBAND_EVENTS) found.shift();
  }

  return {
    /** Reads the segments that are new. @returns warnings */
    async scan(periods: readonly LivePeriod[], signal?: AbortSignal): Promise<readonly string[]> {
      const announced = periods.flatMap((period) => {
        const [of] = period.representations
          .filter(({ inband, container }) => inband.length > 0 && container === 'fmp4')
          .sort((a, b) => (a.bandwidth ?? 0) - (b.bandwidth ?? 0));
        return of === undefined ? [] : of.segments.segments.map((segment) => ({ segment, of, period }));
      });
      const recent = announced.slice(-MAX_SEGMENTS);
      attempts = new Map(recent.map(({ segment: { media } }) => [media.url, attempts.get(media.url) ?? 0]));
      const fresh = recent.filter(({ segment: { media } }) => (attempts.get(media.url) ?? 0) < MAX_ATTEMPTS);
      const warnings = await Promise.all(fresh.map((one) => scanSegment(one, signal)));
      return warnings.filter((warning) => warning !== undefined);
    },
    /** All events found lately, with times after `epoch`. */
    events: (epoch: Instant): SpliceEvent[] =>
      found.flatMap(({ at, event }) => {
        const start = flicksBetween(epoch, at);
        return Number.isSafeInteger(start) && Math.abs(at.millis - epoch.millis) <= MAX_AHEAD_MS
          ? [{ ...event, start: flicks(start) }]
          : [];
      }),
  };
}

function placed(message: EventMessage, { segment, of, period }: Announced): Found {
  const { id, timescale, time, isMediaTime, duration, scheme, data } = message;
  const { presentationTimeOffset, timescale: mediaScale } = of.segments;
  const zero = isMediaTime ? afterTicks(period.start, -presentationTimeOffset, mediaScale) : segment.startsAt;
  const digits = hexOf(data);
  const { line } = of.inband[0] ?? of;
  const element = elementOf(message, digits, line);
  const length = duration === undefined ? undefined : lengthOf(duration, timescale);
  return {
    at: afterTicks(zero, time, timescale),
    event: { id: `${id}`, scheme, line, element, ...(length && { duration: length }) },
    name: `${id} ${digits}`,
  };
}

/** Weeks and years are mistakes: the length is unknown then. */
const lengthOf = (ticks: number, timescale: number): Flicks | undefined =>
  ticks * 1000 <= MAX_AHEAD_MS * timescale ? ticksToFlicks(ticks, timescale) : undefined;

/** A message in the form of an Event of an MPD, so that the same code reads both. The message is a section, or XML. */
function elementOf({ id, time, data }: EventMessage, digits: string, line: number): XmlElement {
  // Some senders end a text with a zero byte, as the fields before it.
  const text = decodeXml(data).replace(/\0+$/, '').trim();
  const xml = text.startsWith('<') ? readXml(text, { allowUnbound: true }) : undefined;
  const attributes: Record<string, string> = { presentationTime: `${time}`, id: `${id}` };
  const children = xml !== undefined && 'root' in xml ? [xml.root] : [];
  if (children.length === 0) attributes.messageData = digits;
  return { name: 'emsg', local: 'emsg', namespace: undefined, attributes, children, text: '', line, namespaces: {} };
}

export const hasInbandEvents = ({ periods }: Pick<LiveMpd, 'periods'>): boolean =>
  periods.some(({ representations }) => representations.some(({ inband }) => inband.length > 0));
