// SPDX-License-Identifier: Apache-2.0
// Reads static MPDs (ISO/IEC 23009-1) into a model in which inheritance is resolved. It does not fetch anything and does
// not look into the media.

import { finish, type Sliced } from '../../time/sliced.ts';
import { type Flicks, flicks } from '../../time/units.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readDuration } from '../duration.ts';
import type { Mpd, MpdPeriod, MpdRepresentation } from '../mpd.ts';
import { childrenNamed, invalidAttribute, MpdFault, textAttribute } from '../mpdFault.ts';
import {
  chooseBase,
  type IsDeadBase,
  isEmptyRemote,
  type MpdRefusal,
  readingLimits,
  readRoot,
  resolveBases,
} from './mpdElements.ts';
import { readRepresentation } from './readRepresentation.ts';
import { readSegments } from './readSegments.ts';
import { readSpliceEvents } from './readSpliceEvents.ts';

/**
 * Returns the model of a static MPD, or one sentence that names the line, what was expected and what was found.
 * @param url the URL of the MPD; relative URLs are resolved against it (5.6.4)
 * @param isDead whether a BaseURL is used only if there is no other
 */
export const readMpd = (text: string, url: string, isDead?: IsDeadBase): Mpd | MpdRefusal =>
  finish(readingMpd(text, url, isDead));

export const readingMpd = (text: string, url: string, isDead?: IsDeadBase): Sliced<Mpd | MpdRefusal> =>
  readRoot(text, (root) => read(root, url, isDead));

function* read(root: XmlElement, url: string, isDead: IsDeadBase | undefined): Sliced<Mpd> {
  const type = root.attributes.type ?? 'static';
  const live = 'MPD@type is "dynamic" (a live stream); use the MPD of on-demand content (type="static")';
  if (type === 'dynamic') throw new MpdFault(root.line, 'LIVE', live);
  const limits = readingLimits();
  const baseUrls = resolveBases(root, [url]);
  const placed = placePeriods(root);
  const shown = placed.filter(({ duration }) => duration !== 0);
  for (const { element, where } of placed.filter(({ duration }) => duration === 0)) {
    limits.warn(`line ${element.line}: ${where} has a duration of zero; it is skipped`);
  }
  const periods: MpdPeriod[] = [];
  for (const [index, { element, where, start, duration }] of shown.entries()) {
    const edges = { isFirst: index === 0, isLast: index === shown.length - 1 };
    const periodUrls = resolveBases(element, baseUrls);
    const context = { ...limits, period: element, where, periodDuration: duration, edges, timelines: new Map() };
    const representations: MpdRepresentation[] = [];
    for (const set of childrenNamed(element, 'AdaptationSet').filter((each) => !isEmptyRemote(each))) {
      const setUrls = resolveBases(set, periodUrls);
      const listed = childrenNamed(set, 'Representation');
      limits.count(listed.length, set.line);
      for (const representation of listed) {
        yield;
        const { baseUrl, ...bases } = chooseBase(resolveBases(representation, setUrls), isDead);
        const found = yield* readRepresentation(representation, set, baseUrl, context, readSegments);
        if (found !== undefined) representations.push({ ...found, ...bases });
      }
    }
    const { presentationTimeOffset: ticks, timescale } = representations[0]?.segments ?? {};
    const offset = ticks && timescale ? { ticks, timescale } : undefined;
    const events = yield* readSpliceEvents(element, { duration, ...(offset && { offset }) }, limits.warn);
    const known = { ...(duration !== undefined && { duration }), ...(events.length > 0 && { events }) };
    periods.push({ where, ...edges, start, ...known, representations });
  }
  if (periods.length === 0)
    throw new MpdFault(root.line, 'NO_PERIOD', 'the MPD has no Period with a duration; it needs at least one');
  return { periods, warnings: limits.warnings };
}

function durationAttribute(element: XmlElement, name: string): Flicks | undefined {
  const text = textAttribute([element], name);
  if (text === undefined) return undefined;
  return readDuration(text) ?? invalidAttribute(element, name, 'a duration such as "PT1H2M3.5S"');
}

type Placed = {
  readonly element: XmlElement;
  readonly where: string;
  readonly start: Flicks;
  readonly duration: Flicks | undefined;
};

/** Start and duration of each Period; a missing attribute follows from the Periods around it (5.3.2.1). */
function placePeriods(root: XmlElement): Placed[] {
  const elements = childrenNamed(root, 'Period').filter((period) => !isEmptyRemote(period));
  const end = durationAttribute(root, 'mediaPresentationDuration');
  const placed: Placed[] = [];
  let expected: Flicks | undefined = flicks(0);
  for (const [index, element] of elements.entries()) {
    const where = `Period ${index + 1}`;
    const start: Flicks | undefined = durationAttribute(element, 'start') ?? expected;
    const problem = `${where} needs @start, or the Period before it needs @duration; both are missing`;
    if (start === undefined) throw new MpdFault(element.line, 'PERIOD_START', problem);
    const next = elements[index + 1];
    const until = next === undefined ? end : durationAttribute(next, 'start');
    const stated = durationAttribute(element, 'duration');
    const available: number | undefined = until === undefined ? undefined : Math.max(0, until - start);
    const duration: number | undefined =
      stated === undefined ? available : Math.min(stated, next === undefined ? stated : (available ?? stated));
    placed.push({ element, where, start, duration: duration === undefined ? undefined : flicks(duration) });
    expected = duration === undefined ? undefined : flicks(start + duration);
  }
  return placed;
}
