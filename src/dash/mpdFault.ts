// A mistake in an MPD: which element on which line, what was wanted and what came. Thrown inside this room only;
// readMpd makes a value of it.
import type { XmlElement } from '../xml/element.ts';
import type { TemplateFault } from './template.ts';

export type MpdFaultCode =
  | 'ROOT'
  | 'LIVE'
  | 'NO_PERIOD'
  | 'PERIOD_START'
  | 'PERIOD_END'
  | 'CONTENT_ELSEWHERE'
  | 'BASE_URL'
  | 'ATTRIBUTE'
  | 'TOO_MANY_REPRESENTATIONS'
  | 'TOO_MANY_SEGMENTS'
  | 'NO_TIMING'
  | 'NO_SEGMENT'
  | 'NO_SEGMENT_URL'
  | 'SEGMENT_ORDER'
  | 'SEGMENT_SEQUENCES'
  | 'NO_URL'
  | TemplateFault['code'];

export class MpdFault extends Error {
  readonly line: number;
  readonly code: MpdFaultCode;
  /** Of an attribute that can't be read: `SegmentTemplate@duration`. */
  readonly attribute: string | undefined;

  constructor(line: number, code: MpdFaultCode, message: string, attribute?: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
    this.code = code;
    this.attribute = attribute;
  }
}

const quoted = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;

/** @throws MpdFault `line 7: SegmentTemplate@duration must be a positive whole number, got "2s"` */
export function wrongAttribute(element: XmlElement, name: string, wanted: string): never {
  const got = element.attributes[name];
  const came = got === undefined ? 'it is missing' : `got ${quoted(got)}`;
  const attribute = `${element.local}@${name}`;
  throw new MpdFault(element.line, 'ATTRIBUTE', `${attribute} must be ${wanted}, ${came}`, attribute);
}

/** The first of the elements that has the attribute: the lowest level wins (5.3.9.1). */
export const bearerOf = (elements: readonly XmlElement[], name: string): XmlElement | undefined =>
  elements.find((element) => element.attributes[name] !== undefined);

/** A whole number of at least `least`, absent when no element has it. */
export function wholeAttribute(elements: readonly XmlElement[], name: string, least = 0): number | undefined {
  const bearer = bearerOf(elements, name);
  if (bearer === undefined) return undefined;
  const text = bearer.attributes[name]!.trim();
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < least) {
    const wanted = least === 0 ? 'a whole number' : least > 0 ? 'a positive whole number' : 'an integer';
    return wrongAttribute(bearer, name, wanted);
  }
  return value;
}

/** The text of an attribute that is not empty. */
export function textAttribute(elements: readonly XmlElement[], name: string): string | undefined {
  const text = bearerOf(elements, name)?.attributes[name]?.trim();
  return text === '' ? undefined : text;
}

export const childrenNamed = (element: XmlElement, local: string): XmlElement[] =>
  element.children.filter((child) => child.local === local);

export const childNamed = (element: XmlElement, local: string): XmlElement | undefined =>
  element.children.find((child) => child.local === local);

/** The lowest element that holds such a child. */
export const inherited = (elements: readonly XmlElement[], local: string): XmlElement | undefined =>
  elements.find((element) => childNamed(element, local) !== undefined);
