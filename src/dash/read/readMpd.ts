// Reads static MPDs (ISO/IEC 23009-1) into a model with everything inherited in its place. It knows the text and its
// rules; it refuses to know what the media hold, and fetches nothing.
import { type Flicks, flicks } from '../../time/units.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readXml } from '../../xml/read.ts';
import { readDuration } from '../duration.ts';
import type { Mpd, MpdPeriod } from '../mpd.ts';
import { childNamed, childrenNamed, MpdFault, type MpdFaultCode, textAttribute, wrongAttribute } from '../mpdFault.ts';
import { readRepresentation } from './readRepresentation.ts';

/** Borders of all Representations together; six hours of eight renditions are 86,000. */
const MOST_BORDERS = 3_000_000;
const MOST_REPRESENTATIONS = 5_000;
const MOST_WARNINGS = 50;

export type MpdRefusal = {
  readonly refused: string;
  readonly line: number;
  readonly code: MpdFaultCode | 'XML';
  /** Of an attribute that can't be read: `SegmentTemplate@duration`. */
  readonly attribute?: string;
};

/**
 * The model of a static MPD, or one sentence that names the line, what was wanted and what came.
 * @param url where the MPD was read from; relative URLs are resolved against it (5.6.4)
 */
export function readMpd(text: string, url: string): Mpd | MpdRefusal {
  const xml = readXml(text);
  if (!('root' in xml)) {
    const refused = `the MPD is no well-formed XML: line ${xml.line}: ${xml.reason}`;
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
  if (root.local !== 'MPD') throw new MpdFault(root.line, 'ROOT', `the root element must be MPD, got ${root.name}`);
  const type = root.attributes.type ?? 'static';
  if (type === 'dynamic') {
    throw new MpdFault(
      root.line,
      'LIVE',
      'MPD@type is "dynamic", a live stream; only on-demand content (type="static") is read',
    );
  }
  const warnings: string[] = [];
  let borders = 0;
  let representationCount = 0;
  const shared = {
    warn: (warning: string) => {
      if (warnings.length < MOST_WARNINGS) warnings.push(warning);
    },
    spend: (count: number, line: number) => {
      borders += count;
      if (borders > MOST_BORDERS)
        throw new MpdFault(line, 'TOO_MANY_SEGMENTS', 'the MPD lists more segments than are read');
    },
  };
  const baseUrl = resolveBase(root, url);
  const placed = placePeriods(root);
  const shown = placed.filter(({ duration }) => duration !== 0);
  for (const { element, where } of placed.filter(({ duration }) => duration === 0)) {
    shared.warn(`line ${element.line}: ${where} lasts no time and is left out`);
  }
  const periods = shown.map(({ element, where, start, duration }, index): MpdPeriod => {
    const edges = { isFirst: index === 0, isLast: index === shown.length - 1 };
    const periodUrl = resolveBase(element, baseUrl);
    const context = { ...shared, period: element, where, periodDuration: duration, edges, timelines: new Map() };
    const representations = adaptationSets(element).flatMap((set) => {
      const setUrl = resolveBase(set, periodUrl);
      const listed = childrenNamed(set, 'Representation');
      representationCount += listed.length;
      if (representationCount > MOST_REPRESENTATIONS) {
        throw new MpdFault(
          set.line,
          'TOO_MANY_REPRESENTATIONS',
          `the MPD has more than ${MOST_REPRESENTATIONS} Representations`,
        );
      }
      return listed.flatMap(
        (representation) => readRepresentation(representation, set, resolveBase(representation, setUrl), context) ?? [],
      );
    });
    return { where, ...edges, start, ...(duration !== undefined && { duration }), representations };
  });
  if (periods.length === 0)
    throw new MpdFault(root.line, 'NO_PERIOD', 'MPD must hold at least one Period with a duration, it holds none');
  return { periods, warnings };
}

/** The first BaseURL of an element, resolved against that of its parent (5.6.4); others are alternatives. */
function resolveBase(element: XmlElement, parent: string): string {
  const base = childNamed(element, 'BaseURL');
  if (base === undefined) return parent;
  const reference = base.text.trim();
  if (!URL.canParse(reference, parent))
    throw new MpdFault(base.line, 'BASE_URL', `BaseURL must be a URL, got "${reference}"`);
  return new URL(reference, parent).href;
}

/** True for an element that says it is nothing; any other reference would have to be fetched and is refused. */
function isAway(element: XmlElement): boolean {
  const name = Object.keys(element.attributes).find((attribute) => attribute.endsWith(':href'));
  if (name === undefined) return false;
  if (element.attributes[name] === 'urn:mpeg:dash:resolve-to-zero:2013') return true;
  throw new MpdFault(
    element.line,
    'CONTENT_ELSEWHERE',
    `${element.local}@${name} (content kept elsewhere) is not supported`,
  );
}

const adaptationSets = (period: XmlElement): XmlElement[] =>
  childrenNamed(period, 'AdaptationSet').filter((set) => !isAway(set));

function durationAttribute(element: XmlElement, name: string): Flicks | undefined {
  const text = textAttribute([element], name);
  if (text === undefined) return undefined;
  return readDuration(text) ?? wrongAttribute(element, name, 'a duration such as "PT1H2M3.5S"');
}

type Placed = {
  readonly element: XmlElement;
  readonly where: string;
  readonly start: Flicks;
  readonly duration: Flicks | undefined;
};

/** Start and duration of each Period, one told by the other where an attribute is missing (5.3.2.1). */
function placePeriods(root: XmlElement): Placed[] {
  const elements = childrenNamed(root, 'Period').filter((period) => !isAway(period));
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
        `${where} needs @start, or a duration of the Period before it; it has neither`,
      );
    }
    const next = elements[index + 1];
    const until = next === undefined ? end : durationAttribute(next, 'start');
    const told = durationAttribute(element, 'duration');
    const room: number | undefined = until === undefined ? undefined : Math.max(0, until - start);
    const duration: number | undefined =
      told === undefined ? room : Math.min(told, next === undefined ? told : (room ?? told));
    placed.push({ element, where, start, duration: duration === undefined ? undefined : flicks(duration) });
    expected = duration === undefined ? undefined : flicks(start + duration);
  }
  return placed;
}
