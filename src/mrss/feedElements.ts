// SPDX-License-Identifier: Apache-2.0
// Finds elements and attributes of feeds by what they mean, whatever prefixes the feed uses.
import { groupBy } from '../invariant.ts';
import { prefixOf, type XmlElement } from '../xml/element.ts';

export const AD_NAMESPACE = 'urn:midroll:mrss:ad';

/** Media RSS, as its two publishers name it, and without the trailing slash that many feeds omit. */
const media = /^https?:\/\/(?:(?:tools\.)?search\.yahoo\.com\/mrss|www\.rssboard\.org\/media-rss)\/*$/i;

const localOf = (element: XmlElement): string => element.local.toLowerCase();

/** A Media RSS element. A feed that does not bind its prefix `media` is read as if it did. */
export const isMedia = (element: XmlElement, local: string): boolean =>
  localOf(element) === local &&
  (element.namespace === undefined ? prefixOf(element.name).toLowerCase() === 'media' : media.test(element.namespace));

export const mediaChildren = (element: XmlElement, local: string): XmlElement[] =>
  anyChildren(element, local).filter((child) => isMedia(child, local));

const none: readonly XmlElement[] = [];
/** The children of an element by their names. Readers look for many names, and an element may have thousands of children. */
const named = new WeakMap<XmlElement, ReadonlyMap<string, readonly XmlElement[]>>();

function childrenByName(element: XmlElement): ReadonlyMap<string, readonly XmlElement[]> {
  const found = groupBy(element.children, localOf);
  named.set(element, found);
  return found;
}

export const anyChildren = (element: XmlElement, local: string): readonly XmlElement[] =>
  element.children.length === 0 ? none : ((named.get(element) ?? childrenByName(element)).get(local) ?? none);

/** The children of a name in the namespace of their parent, such as the elements of RSS itself. */
export const ownChildren = (element: XmlElement, local: string): XmlElement[] =>
  anyChildren(element, local).filter((child) => child.namespace === element.namespace);

export const adChild = (element: XmlElement, local: string): XmlElement | undefined =>
  anyChildren(element, local).find((child) => child.local === local && child.namespace === AD_NAMESPACE);

/** An attribute in Midroll's namespace. */
export function adAttribute(element: XmlElement, local: string): string | undefined {
  for (const name in element.attributes) {
    const prefix = prefixOf(name);
    if (prefix === '' || name.slice(prefix.length + 1) !== local) continue;
    if (element.namespaces[prefix] === AD_NAMESPACE) return element.attributes[name];
  }
  return undefined;
}

/** The trimmed text of an element, or undefined when it is blank. Markup inside it is left out. */
export const textOf = (element: XmlElement | undefined): string | undefined => element?.text.trim() || undefined;

/** The title: that of RSS, else the first of another namespace, such as `media:title`. */
export const titleOf = (element: XmlElement): string | undefined =>
  textOf(ownChildren(element, 'title').find(textOf)) ?? textOf(anyChildren(element, 'title').find(textOf));

const MAX_SHOWN_CHARACTERS = 80;

export const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text);

const decimal = /^\+?(?:\d{1,15}(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const clock = /^(?:(\d{1,4}):)?(\d{1,4}):(\d{1,2}(?:[.,]\d{1,9})?)$/;

/** Seconds, written as a number or as `HH:MM:SS` or `MM:SS` with an optional fraction; undefined for other text. */
export function readSeconds(text: string): number | undefined {
  const trimmed = text.trim();
  if (decimal.test(trimmed)) return Number(trimmed);
  const [, hours = '0', minutes = '0', rest] = clock.exec(trimmed) ?? [];
  if (rest === undefined) return undefined;
  const seconds = Number(rest.replace(',', '.'));
  return seconds < 60 ? Number(hours) * 3600 + Number(minutes) * 60 + seconds : undefined;
}
