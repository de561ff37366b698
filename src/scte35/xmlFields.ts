// SPDX-License-Identifier: Apache-2.0
// Elements and attributes of SCTE-35 in XML. Packagers differ in prefixes, namespaces and capitals, so only the local names
// count, without regard to capitals and underscores. Names are given in small letters.
import type { XmlElement } from '../xml/element.ts';

export const isNamed = (element: XmlElement, name: string): boolean => element.local.toLowerCase() === name;

export const childrenNamed = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => isNamed(child, name));

/** The first one below an element, at any depth. */
export function descendant(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = isNamed(child, name) ? child : descendant(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function attribute(element: XmlElement | undefined, name: string): string | undefined {
  for (const [written, value] of Object.entries(element?.attributes ?? {})) {
    const local = written.slice(written.indexOf(':') + 1).replaceAll('_', '');
    if (local.toLowerCase() === name) return value.trim();
  }
  return undefined;
}

/** Decimal or `0x…`; undefined for anything else. */
export function number(element: XmlElement | undefined, name: string): number | undefined {
  const text = attribute(element, name);
  if (text === undefined || !/^(\d{1,16}|0[xX][0-9a-fA-F]{1,12})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

export const isTrue = (element: XmlElement, name: string): boolean =>
  /^(true|1)$/i.test(attribute(element, name) ?? '');

/** Hexadecimal digits in pairs, with white space and a leading 0x or without. */
export function hexBytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/\s+/g, '').replace(/^0x/i, '');
  if (digits.length > 2 * 255 || !/^(?:[0-9a-f]{2})+$/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g)!, (pair) => Number.parseInt(pair, 16));
}

export function base64Bytes(text: string): Uint8Array | undefined {
  const written = text.replace(/\s+/g, '').replace(/=+$/, '');
  if (written.length > 1000 || written.length % 4 === 1 || !/^[A-Za-z0-9+/]+$/.test(written)) return undefined;
  return Uint8Array.from(atob(written), (character) => character.charCodeAt(0));
}
