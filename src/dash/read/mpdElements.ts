// SPDX-License-Identifier: Apache-2.0
// What the readers of static and dynamic MPDs share: the root element, limits, BaseURLs and remote elements.
import type { NonEmpty } from '../../invariant.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readingXml } from '../../xml/read.ts';
import type { MpdRepresentation } from '../mpd.ts';
import { childrenNamed, hint, MpdFault, type MpdFaultCode } from '../mpdFault.ts';

/** Borders of all Representations together; six hours of eight renditions are 86,000. */
const MAX_BORDERS = 500_000;
const MAX_REPRESENTATIONS = 5_000;
const MAX_WARNINGS = 50;

export type MpdRefusal = {
  readonly refused: string;
  readonly line: number;
  readonly code: MpdFaultCode | 'XML';
  /** The invalid attribute, e.g. `SegmentTemplate@duration`. */
  readonly attribute?: string;
};

/** Returns the result of `read`, or one sentence that names the line, what was expected and what was found. */
export function* readRoot<Result>(
  text: string,
  read: (root: XmlElement) => Sliced<Result>,
): Sliced<Result | MpdRefusal> {
  // Some packagers write scte35: or cenc: without the namespace.
  const xml = yield* readingXml(text, { allowUnbound: true });
  if (!('root' in xml)) {
    const refused = `the MPD is not well-formed XML: line ${xml.line}: ${xml.reason}`;
    return { refused, line: xml.line, code: 'XML' };
  }
  try {
    const { root } = xml;
    if (root.local !== 'MPD') throw new MpdFault(root.line, 'ROOT', `the root element must be MPD; got ${root.name}`);
    checkCounts(root);
    yield;
    return yield* read(root);
  } catch (error) {
    if (!(error instanceof MpdFault)) throw error;
    const { message, line, code, attribute } = error;
    return { refused: message, line, code, ...(attribute === undefined ? {} : { attribute }) };
  }
}

/** The most elements of each name that an MPD may have: what follows from one element is computed in one slice. */
const MOST = new Map([
  ['Period', 3000],
  ['AdaptationSet', 5000],
  ['Event', 5000],
]);

/** @throws MpdFault */
function checkCounts(root: XmlElement): void {
  const counts = new Map<string, number>();
  const visit = (element: XmlElement): void => {
    for (const child of element.children) {
      const { local, line } = child;
      const most = MOST.get(local);
      if (most !== undefined) {
        const count = (counts.get(local) ?? 0) + 1;
        if (count > most)
          throw new MpdFault(line, 'TOO_MANY_ELEMENTS', `the MPD has more than ${most} ${local} elements; use fewer`);
        counts.set(local, count);
      }
      if (child.children.length > 0 && local !== 'SegmentTimeline') visit(child);
    }
  };
  visit(root);
}

export type ReadingLimits = {
  readonly warnings: readonly string[];
  readonly warn: (warning: string) => void;
  /** Warns of what is not part of the presentation, each once: all Periods of a long window have it. */
  readonly leaveOut: (what: 'trick play' | 'images', line: number) => void;
  /** Counts segments. @throws MpdFault when there are too many */
  readonly spend: (segments: number, line: number) => void;
  /** Counts Representations. @throws MpdFault when there are too many */
  readonly count: (representations: number, line: number) => void;
};

export function readingLimits(): ReadingLimits {
  const warnings: string[] = [];
  const leftOut = new Set<string>();
  let borders = 0;
  let representationCount = 0;
  // Each Representation reads what it inherits.
  const warn = (warning: string): void => {
    if (warnings.length < MAX_WARNINGS && !warnings.includes(warning)) warnings.push(warning);
  };
  return {
    warnings,
    warn,
    leaveOut: (what, line) => {
      if (!leftOut.has(what)) warn(`line ${line}: Representations for ${what} are left out`);
      leftOut.add(what);
    },
    spend: (count, line) => {
      borders += count;
      if (borders <= MAX_BORDERS) return;
      const problem = `the MPD lists too many segments; at most ${MAX_BORDERS} are supported`;
      throw new MpdFault(line, 'TOO_MANY_SEGMENTS', problem);
    },
    count: (representations, line) => {
      representationCount += representations;
      if (representationCount <= MAX_REPRESENTATIONS) return;
      const problem = `the MPD has too many Representations; at most ${MAX_REPRESENTATIONS} are supported`;
      throw new MpdFault(line, 'TOO_MANY_REPRESENTATIONS', problem);
    },
  };
}

/** BaseURLs of one Representation; each level may multiply them. */
const MAX_BASES = 16;

/** `dvb:priority`, the lowest first (ETSI TS 103 285 10.8.2.1); 1 if it is not stated. */
function priorityOf({ attributes }: XmlElement): number {
  const name = Object.keys(attributes).find((attribute) => /^(?:.*:)?priority$/.test(attribute));
  const priority = name === undefined ? 1 : Number(attributes[name]);
  return Number.isFinite(priority) ? priority : 1;
}

/**
 * The base URLs of an element, in order of preference: each of its BaseURLs, resolved against each of its parent (5.6.4). Several
 * are alternatives for the same segments (5.6.5).
 */
export function resolveBases(element: XmlElement, parents: NonEmpty<string>): NonEmpty<string> {
  const own = childrenNamed(element, 'BaseURL').toSorted((a, b) => priorityOf(a) - priorityOf(b));
  const [first] = own;
  if (first === undefined) return parents;
  const resolved = parents.flatMap((parent) =>
    own.flatMap(({ text }) => (URL.canParse(text.trim(), parent) ? [new URL(text.trim(), parent).href] : [])),
  );
  const [preferred, ...others] = new Set(resolved);
  if (preferred === undefined)
    throw new MpdFault(first.line, 'BASE_URL', `BaseURL must be a URL; got "${first.text.trim()}"`);
  return [preferred, ...others.slice(0, MAX_BASES - 1)];
}

/** Whether a base URL has turned out not to work. */
export type IsDeadBase = (base: string) => boolean;

/** The first base URL that may work, and all of them if there are several. */
export function chooseBase(bases: NonEmpty<string>, isDead: IsDeadBase = () => false): BaseChoice {
  const used = bases.find((base) => !isDead(base)) ?? bases[0];
  return { baseUrl: used, ...(bases.length > 1 ? { bases: { used, all: bases } } : {}) };
}

type BaseChoice = { readonly baseUrl: string; readonly bases?: NonNullable<MpdRepresentation['bases']> };

/** True for a remote element that resolves to nothing (5.5.3). Any other remote element would have to be fetched. */
export function isEmptyRemote(element: XmlElement): boolean {
  const name = Object.keys(element.attributes).find((attribute) => attribute.endsWith(':href'));
  if (name === undefined) return false;
  if (element.attributes[name] === 'urn:mpeg:dash:resolve-to-zero:2013') return true;
  const problem = `${element.local}@${name} (a remote element) is not supported; put its content into the MPD`;
  throw new MpdFault(element.line, 'CONTENT_ELSEWHERE', problem);
}

/** The same for live MPDs, whose other elements are played. */
export const isReadable = (element: XmlElement, warn: (warning: string) => void): boolean =>
  hint(
    () => isEmptyRemote(element),
    (fault) => warn(`${fault}; it is left out`),
  ) === false;
