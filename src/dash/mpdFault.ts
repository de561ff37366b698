// SPDX-License-Identifier: Apache-2.0
// An error in an MPD, with its line, and the functions that read attributes. MpdFault is thrown within this module only;
// readMpd returns it as a value.
import type { XmlElement } from '../xml/element.ts';

export type MpdFaultCode =
  | 'ROOT'
  | 'LIVE'
  | 'NO_PERIOD'
  | 'PERIOD_START'
  | 'PERIOD_END'
  | 'CONTENT_ELSEWHERE'
  | 'BASE_URL'
  | 'ATTRIBUTE'
  | 'TOO_MANY_ELEMENTS'
  | 'TOO_MANY_REPRESENTATIONS'
  | 'TOO_MANY_SEGMENTS'
  | 'NO_TIMING'
  | 'NO_SEGMENT'
  | 'NO_SEGMENT_URL'
  | 'SEGMENT_ORDER'
  | 'SEGMENT_TIME'
  | 'SEGMENT_SEQUENCES'
  | 'NO_URL'
  | 'UNPAIRED_DOLLAR'
  | 'UNKNOWN_IDENTIFIER'
  | 'MISSING_VALUE';

export class MpdFault extends Error {
  readonly line: number;
  readonly code: MpdFaultCode;
  /** The invalid attribute, e.g. `SegmentTemplate@duration`. */
  readonly attribute: string | undefined;

  constructor(line: number, code: MpdFaultCode, message: string, attribute?: string) {
    super(`line ${line}: ${message}`);
    this.line = line;
    this.code = code;
    this.attribute = attribute;
  }
}

/** The result of `read`, or what stands for it if it throws. Exceeded limits are not forgiven. */
export function attempt<Result>(read: () => Result, instead: (fault: MpdFault) => Result): Result {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MpdFault) || error.code.startsWith('TOO_MANY')) throw error;
    return instead(error);
  }
}

/** An attribute without which the MPD can be read: an invalid value costs just a warning. */
export const hint = <Value>(read: () => Value, warn: (warning: string) => void = () => {}): Value | undefined =>
  attempt<Value | undefined>(read, ({ message }) => void warn(message));

const quoted = (text: string): string => `"${text.length > 60 ? `${text.slice(0, 60)}…` : text}"`;

/** @throws MpdFault `line 7: SegmentTemplate@duration must be a positive whole number; got "2s"` */
export function invalidAttribute(element: XmlElement, name: string, expected: string): never {
  const actual = element.attributes[name];
  const attribute = `${element.local}@${name}`;
  const rule = `must be ${expected}`;
  const message =
    actual === undefined ? `${attribute} is missing; it ${rule}` : `${attribute} ${rule}; got ${quoted(actual)}`;
  throw new MpdFault(element.line, 'ATTRIBUTE', message, attribute);
}

/** An attribute of the first element that has it. `elements` start with the lowest level, which overrides the others (5.3.9.1). */
export function attributeOf(
  elements: readonly XmlElement[],
  name: string,
): { readonly element: XmlElement; readonly text: string } | undefined {
  for (const element of elements) {
    const text = element.attributes[name];
    if (text !== undefined) return { element, text };
  }
  return undefined;
}

/** A whole number of at least `least`; undefined when no element has the attribute. Larger ones would not be exact. */
export function wholeAttribute(elements: readonly XmlElement[], name: string, least = 0): number | undefined {
  const found = attributeOf(elements, name);
  if (found === undefined) return undefined;
  const { element } = found;
  const text = found.text.trim();
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value < least) {
    const expected = least === 0 ? 'a whole number' : least > 0 ? 'a positive whole number' : 'an integer';
    return invalidAttribute(element, name, expected);
  }
  if (!Number.isSafeInteger(value)) return invalidAttribute(element, name, 'less than 2^53');
  return value;
}

/** A whole number of up to 20 digits: media times since 1970 in fine timescales exceed the safe integers. @throws MpdFault */
export function bigAttribute(elements: readonly XmlElement[], name: string): bigint | undefined {
  const found = attributeOf(elements, name);
  if (found === undefined) return undefined;
  const text = found.text.trim();
  return /^\d{1,20}$/.test(text) ? BigInt(text) : invalidAttribute(found.element, name, 'a whole number');
}

/** xs:unsignedInt (ISO/IEC 23009-1 5.3.9.2.2), like the timescale of the media. */
const MAX_TIMESCALE = 2 ** 32 - 1;

/** @timescale; 1 when no element has it. @throws MpdFault */
export function timescaleOf(elements: readonly XmlElement[]): number {
  const found = attributeOf(elements, 'timescale');
  if (found === undefined) return 1;
  const timescale = wholeAttribute([found.element], 'timescale', 1) ?? 1;
  return timescale <= MAX_TIMESCALE
    ? timescale
    : invalidAttribute(found.element, 'timescale', `at most ${MAX_TIMESCALE}`);
}

/** The value of an attribute; undefined when it is empty or missing. */
export function textAttribute(elements: readonly XmlElement[], name: string): string | undefined {
  const text = attributeOf(elements, name)?.text.trim();
  return text === '' ? undefined : text;
}

export const childrenNamed = (element: XmlElement, local: string): XmlElement[] =>
  element.children.filter((child) => child.local === local);

export const childNamed = (element: XmlElement, local: string): XmlElement | undefined =>
  element.children.find((child) => child.local === local);

/** The lowest element with a child of this name, and the first such child. */
export function inherited(
  elements: readonly XmlElement[],
  local: string,
): { readonly parent: XmlElement; readonly child: XmlElement } | undefined {
  for (const parent of elements) {
    const child = childNamed(parent, local);
    if (child !== undefined) return { parent, child };
  }
  return undefined;
}
