// SPDX-License-Identifier: Apache-2.0
// Writes the small elements that occur in many elements of VAST; readSharedElements.ts reads them.
import { cdata, element, escapeText, inlineElement } from '../../xml/write.ts';
import { formatVastTime } from '../macros.ts';
import type { AdParameters, IdentifiedUrl, Resources, TrackingEvent, VastExtension, VastOffset } from '../response.ts';
import { vast42Event } from '../trackingEvents.ts';

export const url = (name: string, value: string, attributes: Parameters<typeof element>[1] = {}): string =>
  element(name, attributes, cdata(value));

export const optionalUrl = (name: string, value: string | undefined): string => (value ? url(name, value) : '');

export const urls = (name: string, values: readonly string[]): string[] => values.map((value) => url(name, value));

export const identifiedUrls = (name: string, values: readonly IdentifiedUrl[]): string[] =>
  values.map((value) => url(name, value.url, { id: value.id }));

export const textElement = (name: string, text: string | undefined): string =>
  text === undefined ? '' : element(name, {}, escapeText(text));

/** A list in an enclosing element, or nothing when the list is empty. */
export const listElement = (name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : element(name, {}, ...items);

export const writeOffset = (offset: VastOffset | undefined): string | undefined =>
  offset && (offset.kind === 'time' ? formatVastTime(offset.at) : `${offset.percent}%`);

/** TrackingEvents. Events that VAST 4.2 does not define would make the document invalid and are omitted. */
export function trackingEvents(all: readonly TrackingEvent[]): string {
  return listElement(
    'TrackingEvents',
    all.flatMap(({ event: name, offset, url: target }) => {
      const event = vast42Event(name);
      return event === undefined ? [] : url('Tracking', target, { event, offset: writeOffset(offset) });
    }),
  );
}

export const resources = ({ htmlResources, iframeResources, staticResources }: Resources): string[] => [
  ...htmlResources.map((html) => element('HTMLResource', {}, cdata(html))),
  ...urls('IFrameResource', iframeResources),
  ...staticResources.map(({ url: target, creativeType = '' }) => url('StaticResource', target, { creativeType })),
];

export const adParameters = (parameters: AdParameters | undefined): string =>
  parameters ? element('AdParameters', { xmlEncoded: parameters.xmlEncoded }, cdata(parameters.value)) : '';

/** Extensions or CreativeExtensions, unchanged. */
export const extensions = (name: 'Extension' | 'CreativeExtension', all: readonly VastExtension[]): string =>
  listElement(
    `${name}s`,
    all.map(({ type, attributes, content }) => inlineElement(name, { type, ...attributes }, content)),
  );
