// SPDX-License-Identifier: Apache-2.0
// Reads the EventStreams with SCTE-35 messages of a Period. Events never make an MPD invalid: an attribute that is wrong is
// ignored with a warning.
import type { Sliced } from '../../time/sliced.ts';
import { FLICKS_PER_SECOND, type Flicks, flicks } from '../../time/units.ts';
import type { XmlElement } from '../../xml/element.ts';
import type { SpliceEvent } from '../mpd.ts';

const MAX_EVENTS = 20_000;
const EVENTS_IN_SLICE = 1000;
/** Flicks exceed the safe integers after 147 days; DASH of live origins counts from 1970. */
export const MAX_FLICKS = 100 * 86_400 * FLICKS_PER_SECOND;

/** What the times of events may be relative to. */
type PeriodTimes = {
  /** Absent when the MPD does not state it. */
  readonly duration: Flicks | undefined;
  /** presentationTimeOffset of the media, and its timescale. */
  readonly offset?: { readonly ticks: number; readonly timescale: number };
};

export function* readSpliceEvents(
  period: XmlElement,
  times: PeriodTimes,
  warn: (warning: string) => void,
): Sliced<SpliceEvent[]> {
  const elements = yield* spliceElements(period, warn);
  return elements.flatMap(({ time, timescale, isOffset, length, ...event }) => {
    const relative = toFlicks(time, timescale);
    const start = isOffset ? relative : (onMediaTime(time, timescale, relative, times) ?? relative);
    const duration = length === undefined ? undefined : toFlicks(length, timescale);
    if (start !== undefined) return [{ start, ...(duration && { duration }), ...event }];
    warn(`line ${event.line}: Event@presentationTime is not within 100 days of its Period; the event is ignored`);
    return [];
  });
}

export type SpliceElement = Omit<SpliceEvent, 'start' | 'duration'> & {
  /** Ticks of `timescale` after the start of the Period, if the EventStream states what they are relative to. */
  readonly time: bigint;
  readonly timescale: bigint;
  /** Whether EventStream@presentationTimeOffset is present. */
  readonly isOffset: boolean;
  readonly length?: bigint;
};

/** The events with SCTE-35 messages of a Period. */
export function* spliceElements(period: XmlElement, warn: (warning: string) => void): Sliced<SpliceElement[]> {
  const events: SpliceElement[] = [];
  for (const stream of period.children.filter(({ local }) => local.toLowerCase() === 'eventstream')) {
    const scheme = stream.attributes.schemeIdUri?.trim() ?? '';
    if (!isSpliceScheme(scheme)) continue;
    const located = (text: string): void => warn(`line ${stream.line}: ${text}`);
    const scale = whole(stream, 'timescale', 1n, located);
    const timescale = scale > 0n ? scale : 1n;
    const offset = whole(stream, 'presentationTimeOffset', 0n, located);
    const isOffset = stream.attributes.presentationTimeOffset !== undefined;
    for (const element of stream.children.filter(({ local }) => local.toLowerCase() === 'event')) {
      if (events.length >= MAX_EVENTS) {
        warn(
          `line ${element.line}: a Period may have at most ${MAX_EVENTS} events; this one and those after it are ignored. Remove events that have passed`,
        );
        return events;
      }
      if (events.length % EVENTS_IN_SLICE === EVENTS_IN_SLICE - 1) yield;
      const warnings: string[] = [];
      const note = (text: string): void => void warnings.push(text);
      const time = whole(element, 'presentationTime', 0n, note) - offset;
      const { duration: written, id } = element.attributes;
      const length = written === undefined ? undefined : whole(element, 'duration', 0n, note);
      const known = {
        ...(length !== undefined && length > 0n && { length }),
        ...(id && { id }),
        ...(warnings.length > 0 && { warnings }),
      };
      events.push({ time, timescale, isOffset, ...known, scheme, line: element.line, element });
    }
  }
  return events;
}

export const isSpliceScheme = (scheme: string): boolean => /^urn:scte:scte35:/i.test(scheme);

/**
 * Some packagers count events on the time of the media without stating presentationTimeOffset for the EventStream.
 * @returns undefined if the event is in its Period as it is, or is not when counted like this
 */
function onMediaTime(
  time: bigint,
  timescale: bigint,
  relative: Flicks | undefined,
  { duration, offset }: PeriodTimes,
): Flicks | undefined {
  const isWithin = (start: Flicks | undefined): boolean =>
    start !== undefined && start >= 0 && start <= (duration ?? MAX_FLICKS);
  if (!offset || isWithin(relative)) return undefined;
  const media = (BigInt(Math.round(offset.ticks)) * timescale) / BigInt(offset.timescale);
  const start = toFlicks(time - media, timescale);
  return isWithin(start) ? start : undefined;
}

/**
 * Media times since 1970 in fine timescales exceed the safe integers. Fractions are cut off; some packagers write negative
 * times for what began before the Period.
 */
function whole(element: XmlElement, name: string, fallback: bigint, warn: (warning: string) => void): bigint {
  const text = element.attributes[name]?.trim();
  if (text === undefined) return fallback;
  if (/^\d{1,20}$/.test(text)) return BigInt(text);
  warn(`${element.local}@${name} must be a whole number; got "${text.slice(0, 40)}"`);
  const [, digits] = /^([+-]?\d{1,20})(?:\.\d{0,40})?$/.exec(text) ?? [];
  return digits === undefined ? fallback : BigInt(digits.replace('+', ''));
}

function toFlicks(ticks: bigint, timescale: bigint): Flicks | undefined {
  const value = Number((ticks * BigInt(FLICKS_PER_SECOND)) / timescale);
  return Math.abs(value) <= MAX_FLICKS ? flicks(value) : undefined;
}
