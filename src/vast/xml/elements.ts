// Looking at VAST elements as forgivingly as the field demands: names in whatever case, values as ad servers write them.
import type { XmlElement } from '../../xml/element.ts';
import { escapedReason, isEscaped } from './escapedXml.ts';

/** Keeps what was odd and read over; knows the address of the document where there is one, for relative URLs. */
export type Warn = { (line: number, text: string): void; readonly base?: string };

type Handlers = Readonly<Record<string, (child: XmlElement) => void>>;

const handlerOf = (handlers: Handlers, name: string): Handlers[string] | undefined => {
  if (Object.hasOwn(handlers, name)) return handlers[name];
  const lower = name.toLowerCase();
  const key = Object.keys(handlers).find((one) => one.toLowerCase() === lower);
  return key === undefined ? undefined : handlers[key];
};

/** Hands each child to the handler of its name, in whatever case; a child without a handler costs a warning. */
export function visit(element: XmlElement, warn: Warn, handlers: Handlers): void {
  if (isEscaped(element)) warn(element.line, `${escapedReason(element)}, and is not read`);
  for (const child of element.children) {
    const handler = handlerOf(handlers, child.local);
    if (handler) handler(child);
    else warn(child.line, `${element.local} holds ${child.local}, which is not known there and not read`);
  }
}

export const isNamed = ({ local }: XmlElement, name: string): boolean => local.toLowerCase() === name.toLowerCase();

/** The text of an element, or undefined when there is none. */
export const textOf = ({ text }: XmlElement): string | undefined => text.trim() || undefined;

/** The value of an attribute in whatever case, or undefined when it is missing or empty. */
export function attribute({ attributes }: XmlElement, name: string): string | undefined {
  const exact = attributes[name];
  if (exact !== undefined) return exact.trim() || undefined;
  for (const key in attributes) {
    if (key.length === name.length && key.toLowerCase() === name.toLowerCase())
      return attributes[key]?.trim() || undefined;
  }
  return undefined;
}

/** A number with or without `px`; undefined when missing or 0, with a warning when it is none. */
export function numberAttribute(element: XmlElement, name: string, warn: Warn): number | undefined {
  const text = attribute(element, name);
  if (text === undefined) return undefined;
  const match = /^(\d{1,15}(?:\.\d{1,6})?)(?:\s*px)?$/i.exec(text);
  if (match === null) {
    warn(element.line, `${element.local}@${name} must be a number, got "${shortened(text)}"`);
    return undefined;
  }
  return Number(match[1]) || undefined;
}

export function wholeAttribute(element: XmlElement, name: string, warn: Warn): number | undefined {
  const value = numberAttribute(element, name, warn);
  return value === undefined ? undefined : Math.round(value) || undefined;
}

/** `1`, `True`, `yes` as well as `true`. */
export function booleanAttribute(element: XmlElement, name: string, warn: Warn): boolean | undefined {
  const text = attribute(element, name);
  if (text === undefined) return undefined;
  if (/^(1|true|yes)$/i.test(text)) return true;
  if (!/^(0|false|no)$/i.test(text)) {
    warn(element.line, `${element.local}@${name} must be true or false, got "${shortened(text)}"`);
    return undefined;
  }
  return false;
}

export const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

type Said<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** What is not undefined. */
export function withoutUndefined<T extends object>(values: T): Said<T> {
  const kept: Said<T> = {};
  for (const key in values) if (values[key] !== undefined) kept[key] = values[key] as Exclude<T[typeof key], undefined>;
  return kept;
}
