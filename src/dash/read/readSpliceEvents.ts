// SPDX-License-Identifier: Apache-2.0
// Reads the EventStreams with SCTE-35 messages of a Period. Events never make an MPD invalid: an attribute that is wrong is
// ignored with a warning.
import { FLICKS_PER_SECOND, type Flicks, flicks } from '../../time/units.ts';
import type { XmlElement } from '../../xml/element.ts';
import type { SpliceEvent } from '../spliceEvent.ts';

const MAX_EVENTS = 20_000;
/** Flicks exceed the safe integers after 147 days; DASH of live origins counts from 1970. */
const MAX_FLICKS = 100 * 86_400 * FLICKS_PER_SECOND;

export function readSpliceEvents(period: XmlElement, warn: (warning: string) => void): SpliceEvent[] {
  const events: SpliceEvent[] = [];
  for (const stream of period.children.filter(({ local }) => local.toLowerCase() === 'eventstream')) {
    const scheme = stream.attributes.schemeIdUri?.trim() ?? '';
    if (!/^urn:scte:scte35:/i.test(scheme)) continue;
    const timescale = whole(stream, 'timescale', 1n, warn) || 1n;
    const offset = whole(stream, 'presentationTimeOffset', 0n, warn);
    for (const element of stream.children.filter(({ local }) => local.toLowerCase() === 'event')) {
      if (events.length >= MAX_EVENTS) return events;
      const start = toFlicks(whole(element, 'presentationTime', 0n, warn) - offset, timescale);
      if (start === undefined) {
        warn(`line ${element.line}: Event@presentationTime is not within 100 days of its Period; the event is ignored`);
        continue;
      }
      const { duration: written, id } = element.attributes;
      const duration = written === undefined ? undefined : toFlicks(whole(element, 'duration', 0n, warn), timescale);
      const { line } = element;
      events.push({ start, ...(duration && { duration }), ...(id && { id }), scheme, line, element });
    }
  }
  return events;
}

/** Media times since 1970 in fine timescales exceed the safe integers. */
function whole(element: XmlElement, name: string, fallback: bigint, warn: (warning: string) => void): bigint {
  const text = element.attributes[name]?.trim();
  if (text === undefined) return fallback;
  if (/^\d{1,20}$/.test(text)) return BigInt(text);
  warn(`line ${element.line}: ${element.local}@${name} must be a whole number; got "${text.slice(0, 40)}"`);
  return fallback;
}

function toFlicks(ticks: bigint, timescale: bigint): Flicks | undefined {
  const value = Number((ticks * BigInt(FLICKS_PER_SECOND)) / timescale);
  return Math.abs(value) <= MAX_FLICKS ? flicks(value) : undefined;
}
