// SPDX-License-Identifier: Apache-2.0
// Reads VAST elements leniently: names in any case, and values as ad servers write them.
import type { XmlElement } from '../../xml/element.ts';
import type { VastWarningCode } from '../vastWarning.ts';

/** Records a warning. `base` is the URL of the document, if known, for relative URLs. */
export type Warn = { (line: number, code: VastWarningCode, text: string): void; readonly base?: string };

type Handlers = Readonly<Record<string, (child: XmlElement) => void>>;

const handlerOf = (handlers: Handlers, name: string): Handlers[string] | undefined => {
  if (Object.hasOwn(handlers, name)) return handlers[name];
  const lower = name.toLowerCase();
  const key = Object.keys(handlers).find((one) => one.toLowerCase() === lower);
  return key === undefined ? undefined : handlers[key];
};

/** Calls the handler of each child by its name, in any case. Warns of children without a handler. */
export function visit(element: XmlElement, warn: Warn, handlers: Handlers): void {
  if (isEscaped(element)) warn(element.line, 'ESCAPED', escapedReason(element));
  for (const child of element.children) {
    const handler = handlerOf(handlers, child.local);
    if (handler) handler(child);
    else warn(child.line, 'UNKNOWN_ELEMENT', `${element.local} contains an unknown element ${child.local}`);
  }
}

export const isNamed = ({ local }: XmlElement, name: string): boolean => local.toLowerCase() === name.toLowerCase();

export const textOf = ({ text }: XmlElement): string | undefined => text.trim() || undefined;

/** The value of an attribute, whose name may be in any case; undefined when it is missing or blank. */
export function attribute({ attributes }: XmlElement, name: string): string | undefined {
  const exact = attributes[name];
  if (exact !== undefined) return exact.trim() || undefined;
  for (const key in attributes) {
    if (key.length === name.length && key.toLowerCase() === name.toLowerCase())
      return attributes[key]?.trim() || undefined;
  }
  return undefined;
}

/** What a value must be, with the code of the warning when it is not. */
export type Expected = { readonly code: VastWarningCode; readonly description: string };

/** @param place the element, or `element@attribute` */
export function warnOfValue(warn: Warn, line: number, place: string, expected: Expected, actual: string): void {
  warn(line, expected.code, `${place} must be ${expected.description}; got "${shortened(actual)}"`);
}

/** The parsed value of an attribute; undefined when it is missing, and with a warning when it is invalid. */
export function parsedAttribute<T>(
  element: XmlElement,
  name: string,
  warn: Warn,
  expected: Expected,
  parse: (text: string) => T | undefined,
): T | undefined {
  const text = attribute(element, name);
  if (text === undefined) return undefined;
  const value = parse(text);
  if (value === undefined) warnOfValue(warn, element.line, `${element.local}@${name}`, expected, text);
  return value;
}

export const NUMBER: Expected = { code: 'INVALID_NUMBER', description: 'a number' };
const BOOLEAN: Expected = { code: 'INVALID_BOOLEAN', description: 'true or false' };

function numberIn(text: string): number | undefined {
  const match = /^(\d{1,15}(?:\.\d{1,6})?)(?:\s*px)?$/i.exec(text);
  return match === null ? undefined : Number(match[1]);
}

/** A number with or without `px`; undefined when missing or 0. */
export const numberAttribute = (element: XmlElement, name: string, warn: Warn): number | undefined =>
  parsedAttribute(element, name, warn, NUMBER, numberIn) || undefined;

export function wholeAttribute(element: XmlElement, name: string, warn: Warn): number | undefined {
  const value = numberAttribute(element, name, warn);
  return value === undefined ? undefined : Math.round(value) || undefined;
}

function booleanIn(text: string): boolean | undefined {
  if (/^(1|true|yes)$/i.test(text)) return true;
  return /^(0|false|no)$/i.test(text) ? false : undefined;
}

/** The value of a boolean attribute, which may also be `1`, `True` or `yes`. */
const booleanAttribute = (element: XmlElement, name: string, warn: Warn): boolean | undefined =>
  parsedAttribute(element, name, warn, BOOLEAN, booleanIn);

export const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

/** Reads the attributes of these names, without those that are missing or invalid. */
const attributesBy =
  <Value>(read: (element: XmlElement, name: string, warn: Warn) => Value | undefined) =>
  <Name extends string>(element: XmlElement, warn: Warn, ...names: readonly Name[]): { [K in Name]?: Value } => {
    const found: { [K in Name]?: Value } = {};
    for (const name of names) {
      const value = read(element, name, warn);
      if (value !== undefined) found[name] = value;
    }
    return found;
  };

export const texts = attributesBy(attribute);
export const wholes = attributesBy(wholeAttribute);
export const booleans = attributesBy(booleanAttribute);

// Detects escaped XML in the text of an element. Some web services wrap their response in an element this way.

const start = /^\s*(<|&(amp;)*lt;)[a-z?!]/i;

/** Whether the text of an element is XML, escaped once or more. */
export const isEscaped = ({ text }: XmlElement): boolean => start.test(text);

/** The outermost element whose text is XML. */
export function escapedIn(element: XmlElement): XmlElement | undefined {
  if (isEscaped(element)) return element;
  for (const child of element.children) {
    const found = escapedIn(child);
    if (found) return found;
  }
  return undefined;
}

export const escapedReason = ({ name, text }: XmlElement): string =>
  `the element ${name} contains escaped XML ("${text.trim().slice(0, 20)}…"); it must be sent unescaped`;
