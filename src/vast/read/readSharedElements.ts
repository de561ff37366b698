// SPDX-License-Identifier: Apache-2.0
// Reads the small elements that occur in many elements of VAST: URLs, tracking events, resources, extensions.

import { withoutUndefined } from '../../invariant.ts';
import type { XmlElement } from '../../xml/element.ts';
import { copyContent } from '../../xml/write.ts';
import type { AdParameters, IdentifiedUrl, Resources, TrackingEvent, VastExtension } from '../response.ts';
import { canonicalEvent } from '../trackingEvents.ts';
import { isNoUrl, readLink, readOffset, readResource, readTime, readUrl } from '../values.ts';
import {
  attribute,
  booleans,
  type Expected,
  isNamed,
  parsedAttribute,
  shortened,
  textOf,
  texts,
  visit,
  type Warn,
  warnOfValue,
} from '../xml/elements.ts';

/** The text of a URL element. VAST 1 has an inner URL element, which some servers still write. */
const urlText = (element: XmlElement): string =>
  element.text.trim() || (element.children.find((child) => isNamed(child, 'URL'))?.text ?? '');

const URL_VALUE: Expected = { code: 'INVALID_URL', description: 'a URL' };
const TIME: Expected = { code: 'INVALID_TIME', description: 'a time' };
const OFFSET: Expected = { code: 'INVALID_OFFSET', description: 'a time or a percentage' };

function urlBy(read: typeof readUrl, element: XmlElement, warn: Warn): string | undefined {
  const text = urlText(element);
  if (isNoUrl(text)) return undefined;
  const url = read(text, warn.base);
  if (url === undefined) warnOfValue(warn, element.line, element.local, URL_VALUE, text.trim());
  return url;
}

/** The text of an element whose URL is invalid; undefined when the element states that there is no URL. */
export const malformedIn = (element: XmlElement): string | undefined =>
  isNoUrl(urlText(element)) ? undefined : shortened(urlText(element).trim());

/** The URL in an element. When there is none it is undefined, with a warning unless it is empty or `about:blank`. */
export const urlIn = (element: XmlElement, warn: Warn): string | undefined => urlBy(readUrl, element, warn);

/** The same for the target of a click. */
export const linkIn = (element: XmlElement, warn: Warn): string | undefined => urlBy(readLink, element, warn);

/** The same for what a player shows: its URL may contain the data. */
export const resourceIn = (element: XmlElement, warn: Warn): string | undefined => urlBy(readResource, element, warn);

export function identifiedUrl(element: XmlElement, warn: Warn, read = urlIn): IdentifiedUrl | undefined {
  const url = read(element, warn);
  return url === undefined ? undefined : { ...texts(element, warn, 'id'), url };
}

/** An object of the model while it is read: its fields can be set, and its lists grow. */
export type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer One)[] ? One[] : T[K] };

type Read<Value> = (element: XmlElement, warn: Warn) => Value | undefined;

/** A handler that sets a field to the value of the first element that has one. */
export const keepFirst =
  <Name extends string, Value>(fields: { [K in Name]?: Value }, name: Name, read: Read<Value>, warn: Warn) =>
  (element: XmlElement): void => {
    const value = fields[name] ?? read(element, warn);
    if (value !== undefined) fields[name] = value;
  };

/** A handler that sets a field to the value of the last element. */
export const keepLast =
  <Name extends string, Value>(fields: { [K in Name]?: Value }, name: Name, read: Read<Value>, warn: Warn) =>
  (element: XmlElement): void => {
    delete fields[name];
    keepFirst(fields, name, read, warn)(element);
  };

/** A handler that adds the value of an element to a list, if it has one. */
export const collect =
  <T>(list: T[], read: Read<T>, warn: Warn) =>
  (element: XmlElement): void => {
    const value = read(element, warn);
    if (value !== undefined) list.push(value);
  };

export const timeAttribute = (element: XmlElement, name: string, warn: Warn) =>
  parsedAttribute(element, name, warn, TIME, readTime);

export const offsetAttribute = (element: XmlElement, name: string, warn: Warn) =>
  parsedAttribute(element, name, warn, OFFSET, readOffset);

function trackingEvent(element: XmlElement, warn: Warn): TrackingEvent | undefined {
  const written = attribute(element, 'event');
  const url = urlIn(element, warn);
  if (written === undefined) warn(element.line, 'MISSING_EVENT', 'Tracking has no event; it is ignored');
  if (written === undefined || url === undefined) return undefined;
  const event = canonicalEvent(written);
  if (event === undefined) {
    warn(element.line, 'UNKNOWN_EVENT', `Tracking has an event that VAST does not define: "${shortened(written)}"`);
  }
  return { event: event ?? written, url, ...withoutUndefined({ offset: offsetAttribute(element, 'offset', warn) }) };
}

export const collectTracking = (list: TrackingEvent[], warn: Warn) => (element: XmlElement) =>
  visit(element, warn, { Tracking: collect(list, trackingEvent, warn) });

export const noResources = (): Growing<Resources> => ({ staticResources: [], iframeResources: [], htmlResources: [] });

export const resourceHandlers = (found: Growing<Resources>, warn: Warn) => ({
  StaticResource: (element: XmlElement) => {
    const url = resourceIn(element, warn);
    if (url) found.staticResources.push({ url, ...texts(element, warn, 'creativeType') });
  },
  IFrameResource: collect(found.iframeResources, urlIn, warn),
  HTMLResource: collect(found.htmlResources, contentOf, warn),
});

/** The text, or the markup of an element whose content was not escaped. */
const contentOf = (element: XmlElement): string | undefined =>
  element.children.length > 0 ? copyContent(element, element.namespaces).trim() : textOf(element);

export function adParameters(element: XmlElement, warn: Warn): AdParameters | undefined {
  const value = contentOf(element);
  if (value === undefined) return undefined;
  return { value, ...booleans(element, warn, 'xmlEncoded') };
}

function extension(element: XmlElement): VastExtension {
  const others = Object.entries(element.attributes).filter(
    ([name]) => name.toLowerCase() !== 'type' && name !== 'xmlns' && !name.includes(':'),
  );
  // The document's default namespace applies wherever the extension is written.
  const known = { '': element.namespaces[''] ?? '' };
  const isBlank = element.children.length === 0 && element.text.trim() === '';
  return {
    ...withoutUndefined({ type: attribute(element, 'type') }),
    attributes: Object.fromEntries(others),
    content: isBlank ? '' : copyContent(element, known),
  };
}

/** Reads Extensions or CreativeExtensions into a list. */
export const collectExtensions = (list: VastExtension[], warn: Warn) => (element: XmlElement) => {
  const add = collect(list, extension, warn);
  visit(element, warn, { Extension: add, CreativeExtension: add });
};
