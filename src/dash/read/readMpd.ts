// SPDX-License-Identifier: Apache-2.0
// Reads static MPDs (ISO/IEC 23009-1) into a model in which inheritance is resolved. It does not fetch anything and does
// not look into the media.
import { type Flicks, flicks } from '../../time/units.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readXml } from '../../xml/read.ts';
import { readDuration } from '../duration.ts';
import type { Mpd, MpdPeriod } from '../mpd.ts';
import {
  childNamed,
  childrenNamed,
  invalidAttribute,
  MpdFault,
  type MpdFaultCode,
  textAttribute,
} from '../mpdFault.ts';
import { readRepresentation } from './readRepresentation.ts';
import { readSpliceEvents } from './readSpliceEvents.ts';

/** Borders of all Representations together; six hours of eight renditions are 86,000. */
const MAX_BORDERS = 3_000_000;
const MAX_REPRESENTATIONS = 5_000;
const MAX_WARNINGS = 50;

export type MpdRefusal = {
  readonly refused: string;
  readonly line: number;
  readonly code: MpdFaultCode | 'XML';
  /** The invalid attribute, e.g. `SegmentTemplate@duration`. */
  readonly attribute?: string;
};

/**
 * Returns the model of a static MPD, or one sentence that names the line, what was expected and what was found.
 * @param url the URL of the MPD; relative URLs are resolved against it (5.6.4)
 */
export function readMpd(text: string, url: string): Mpd | MpdRefusal {
  const xml = readXml(text);
  if (!('root' in xml)) {
    const refused = `the MPD is not well-formed XML: line ${xml.line}: ${xml.reason}`;
    return { refused, line: xml.line, code: 'XML' };
  }
  try {
    return read(xml.root, url);
  } catch (error) {
    if (!(error instanceof MpdFault)) throw error;
    const { message, line, code, attribute } = error;
    return { refused: message, line, code, ...(attribute === undefined ? {} : { attribute }) };
  }
}

function read(root: XmlElement, url: string): Mpd {
  if (root.local !== 'MPD') throw new MpdFault(root.line, 'ROOT', `the root element must be MPD; got ${root.name}`);
  const type = root.attributes.type ?? 'static';
  if (type === 'dynamic') {
    throw new MpdFault(
      root.line,
      'LIVE',
      'MPD@type is "dynamic" (a live stream); use the MPD of on-demand content (type="static")',
    );
  }
  const warnings: string[] = [];
  let borders = 0;
  let representationCount = 0;
  const shared = {
    warn: (warning: string) => {
      if (warnings.length < MAX_WARNINGS) warnings.push(warning);
    },
    spend: (count: number, line: number) => {
      borders += count;
      if (borders > MAX_BORDERS)
        throw new MpdFault(
          line,
          'TOO_MANY_SEGMENTS',
          `the MPD lists too many segments; at most ${MAX_BORDERS} are supported`,
        );
    },
  };
  const baseUrl = resolveBase(root, url);
  const placed = placePeriods(root);
  const shown = placed.filter(({ duration }) => duration !== 0);
  for (const { element, where } of placed.filter(({ duration }) => duration === 0)) {
    shared.warn(`line ${element.line}: ${where} has a duration of zero; it is skipped`);
  }
  const periods = shown.map(({ element, where, start, duration }, index): MpdPeriod => {
    const edges = { isFirst: index === 0, isLast: index === shown.length - 1 };
    const periodUrl = resolveBase(element, baseUrl);
    const context = { ...shared, period: element, where, periodDuration: duration, edges, timelines: new Map() };
    const representations = adaptationSets(element).flatMap((set) => {
      const setUrl = resolveBase(set, periodUrl);
      const listed = childrenNamed(set, 'Representation');
      representationCount += listed.length;
      if (representationCount > MAX_REPRESENTATIONS) {
        throw new MpdFault(
          set.line,
          'TOO_MANY_REPRESENTATIONS',
          `the MPD has too many Representations; at most ${MAX_REPRESENTATIONS} are supported`,
        );
      }
      return listed.flatMap(
        (representation) => readRepresentation(representation, set, resolveBase(representation, setUrl), context) ?? [],
      );
    });
    const { presentationTimeOffset: ticks, timescale } = representations[0]?.segments ?? {};
    const offset = ticks && timescale ? { ticks, timescale } : undefined;
    const events = readSpliceEvents(element, { duration, ...(offset && { offset }) }, shared.warn);
    const known = { ...(duration !== undefined && { duration }), ...(events.length > 0 && { events }) };
    return { where, ...edges, start, ...known, representations };
  });
  if (periods.length === 0)
    throw new MpdFault(root.line, 'NO_PERIOD', 'the MPD has no Period with a duration; it needs at least one');
  return { periods, warnings };
}

/** The first BaseURL of an element, resolved against that of its parent (5.6.4). Further ones are alternatives. */
function resolveBase(element: XmlElement, parent: string): string {
  const base = childNamed(element, 'BaseURL');
  if (base === undefined) return parent;
  const reference = base.text.trim();
  if (!URL.canParse(reference, parent))
    throw new MpdFault(base.line, 'BASE_URL', `BaseURL must be a URL; got "${reference}"`);
  return new URL(reference, parent).href;
}

/** True for a remote element that resolves to nothing (5.5.3). Any other remote element would have to be fetched. */
function isEmptyRemote(element: XmlElement): boolean {
  const name = Object.keys(element.attributes).find((attribute) => attribute.endsWith(':href'));
  if (name === undefined) return false;
  if (element.attributes[name] === 'urn:mpeg:dash:resolve-to-zero:2013') return true;
  throw new MpdFault(
    element.line,
    'CONTENT_ELSEWHERE',
    `${element.local}@${name} (a remote element) is not supported; put its content into the MPD`,
  );
}

const adaptationSets = (period: XmlElement): XmlElement[] =>
  childrenNamed(period, 'AdaptationSet').filter((set) => !isEmptyRemote(set));

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
    if (start === undefined) {
      throw new MpdFault(
        element.line,
        'PERIOD_START',
        `${where} needs @start, or the Period before it needs @duration; both are missing`,
      );
    }
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
