// The small elements that many others of VAST hold: URLs, tracking events, resources, extensions.
import { copyContent } from '../../xml/copyXml.ts';
import type { XmlElement } from '../../xml/element.ts';
import type { AdParameters, IdentifiedUrl, Resources, TrackingEvent, VastExtension } from '../response.ts';
import { canonicalEvent, isNoUrl, readLink, readOffset, readTime, readUrl } from '../values.ts';
import {
  attribute,
  booleanAttribute,
  isNamed,
  shortened,
  textOf,
  visit,
  type Warn,
  withoutUndefined,
} from '../xml/elements.ts';

/** The text of a URL element; VAST 1 wrapped it in a URL element of its own, and some still do. */
const urlText = (element: XmlElement): string =>
  element.text.trim() || (element.children.find((child) => isNamed(child, 'URL'))?.text ?? '');

function urlBy(read: typeof readUrl, element: XmlElement, warn: Warn): string | undefined {
  const text = urlText(element);
  if (isNoUrl(text)) return undefined;
  const url = read(text, warn.base);
  if (url === undefined) warn(element.line, `${element.local} must be a URL, got "${shortened(text.trim())}"`);
  return url;
}

/** What stands where a URL should, for an element of which urlIn is none; undefined when it says that there is none. */
export const malformedIn = (element: XmlElement): string | undefined =>
  isNoUrl(urlText(element)) ? undefined : shortened(urlText(element).trim());

/** The URL in an element; undefined with a warning when it is none, without one when it is empty or `about:blank`. */
export const urlIn = (element: XmlElement, warn: Warn): string | undefined => urlBy(readUrl, element, warn);

/** The same for where a click leads. */
export const linkIn = (element: XmlElement, warn: Warn): string | undefined => urlBy(readLink, element, warn);

export function identifiedUrl(element: XmlElement, warn: Warn, read = urlIn): IdentifiedUrl | undefined {
  const url = read(element, warn);
  return url === undefined ? undefined : { ...withoutUndefined({ id: attribute(element, 'id') }), url };
}

/** Adds what was read to a list, when something was. */
export const collect =
  <T>(list: T[], read: (element: XmlElement, warn: Warn) => T | undefined, warn: Warn) =>
  (element: XmlElement): void => {
    const value = read(element, warn);
    if (value !== undefined) list.push(value);
  };

export function timeAttribute(element: XmlElement, name: string, warn: Warn) {
  const text = attribute(element, name);
  if (text === undefined) return undefined;
  const time = readTime(text);
  if (time === undefined) warn(element.line, `${element.local}@${name} must be a time, got "${shortened(text)}"`);
  return time;
}

export function offsetAttribute(element: XmlElement, name: string, warn: Warn) {
  const text = attribute(element, name);
  if (text === undefined) return undefined;
  const offset = readOffset(text);
  if (offset === undefined) {
    warn(element.line, `${element.local}@${name} must be a time or a percentage, got "${shortened(text)}"`);
  }
  return offset;
}

function trackingEvent(element: XmlElement, warn: Warn): TrackingEvent | undefined {
  const written = attribute(element, 'event');
  const url = urlIn(element, warn);
  if (written === undefined) warn(element.line, 'Tracking must have an event, it has none and is not read');
  if (written === undefined || url === undefined) return undefined;
  const event = canonicalEvent(written);
  if (event === undefined)
    warn(element.line, `Tracking has the event "${shortened(written)}", which VAST does not know`);
  return { event: event ?? written, url, ...withoutUndefined({ offset: offsetAttribute(element, 'offset', warn) }) };
}

/** Reads a TrackingEvents element into a list. */
export const collectTracking = (list: TrackingEvent[], warn: Warn) => (element: XmlElement) =>
  visit(element, warn, { Tracking: collect(list, trackingEvent, warn) });

/** Handlers for the resources of CreativeResource_type, and what they collect. */
export function resourceReader(warn: Warn) {
  const staticResources: { url: string; creativeType?: string }[] = [];
  const iframeResources: string[] = [];
  const htmlResources: string[] = [];
  const resources: Resources = { staticResources, iframeResources, htmlResources };
  return {
    resources,
    handlers: {
      StaticResource: (element: XmlElement) => {
        const url = urlIn(element, warn);
        if (url)
          staticResources.push({ url, ...withoutUndefined({ creativeType: attribute(element, 'creativeType') }) });
      },
      IFrameResource: collect(iframeResources, urlIn, warn),
      HTMLResource: collect(htmlResources, contentOf, warn),
    },
  };
}

/** Text, or the markup that someone forgot to escape. */
export const contentOf = (element: XmlElement): string | undefined =>
  element.children.length > 0 ? copyContent(element, element.namespaces).trim() : textOf(element);

export function adParameters(element: XmlElement, warn: Warn): AdParameters | undefined {
  const value = contentOf(element);
  if (value === undefined) return undefined;
  return { value, ...withoutUndefined({ xmlEncoded: booleanAttribute(element, 'xmlEncoded', warn) }) };
}

export function extension(element: XmlElement): VastExtension {
  const others = Object.entries(element.attributes).filter(
    ([name]) => name.toLowerCase() !== 'type' && name !== 'xmlns' && !name.includes(':'),
  );
  // What is in the document's own default namespace is so wherever the extension is put.
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
