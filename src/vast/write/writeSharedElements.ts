// The small elements that many others of VAST hold, written; readSharedElements.ts reads them.
import { cdata, element, escapeText, inlineElement } from '../../xml/write.ts';
import { formatVastTime } from '../macros.ts';
import type { AdParameters, IdentifiedUrl, Resources, TrackingEvent, VastExtension, VastOffset } from '../response.ts';

/** What the schema of VAST 4.2 wants where there is nothing to say, and readVast takes for nothing (§3.4.4). */
export const NO_URL = 'about:blank';

export const url = (name: string, value: string, attributes: Parameters<typeof element>[1] = {}): string =>
  element(name, attributes, cdata(value));

export const optionalUrl = (name: string, value: string | undefined): string => (value ? url(name, value) : '');

export const urls = (name: string, values: readonly string[]): string[] => values.map((value) => url(name, value));

export const identifiedUrls = (name: string, values: readonly IdentifiedUrl[]): string[] =>
  values.map((value) => url(name, value.url, { id: value.id }));

export const textElement = (name: string, text: string | undefined): string =>
  text === undefined ? '' : element(name, {}, escapeText(text));

/** A list within an element of its own, or nothing when the list is empty. */
export const listElement = (name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : element(name, {}, ...items);

export const writeOffset = (offset: VastOffset | undefined): string | undefined =>
  offset && (offset.kind === 'time' ? formatVastTime(offset.at) : `${offset.percent}%`);

const events = new Set(
  (
    'mute unmute pause resume rewind skip playerExpand playerCollapse loaded start firstQuartile midpoint ' +
    'thirdQuartile complete progress closeLinear creativeView acceptInvitation adExpand adCollapse minimize close ' +
    'overlayViewDuration otherAdInteraction interactiveStart'
  ).split(' '),
);

/** What VAST 2 and 3 called events of VAST 4 (VAST 4.2 §3.14.1). */
const successors: Readonly<Record<string, string>> = {
  fullscreen: 'playerExpand',
  exitFullscreen: 'playerCollapse',
  expand: 'adExpand',
  collapse: 'adCollapse',
  acceptInvitationLinear: 'acceptInvitation',
};

/** TrackingEvents; an event that VAST 4.2 does not know would make the document invalid and is left out. */
export function trackingEvents(all: readonly TrackingEvent[]): string {
  const known = all
    .map((one) => ({ ...one, event: successors[one.event] ?? one.event }))
    .filter(({ event }) => events.has(event));
  return listElement(
    'TrackingEvents',
    known.map(({ event, offset, url: target }) => url('Tracking', target, { event, offset: writeOffset(offset) })),
  );
}

export const resources = ({ htmlResources, iframeResources, staticResources }: Resources): string[] => [
  ...htmlResources.map((html) => element('HTMLResource', {}, cdata(html))),
  ...urls('IFrameResource', iframeResources),
  ...staticResources.map(({ url: target, creativeType = '' }) => url('StaticResource', target, { creativeType })),
];

export const adParameters = (parameters: AdParameters | undefined): string =>
  parameters ? element('AdParameters', { xmlEncoded: parameters.xmlEncoded }, cdata(parameters.value)) : '';

/** Extensions or CreativeExtensions, as their makers wrote them. */
export const extensions = (name: 'Extension' | 'CreativeExtension', all: readonly VastExtension[]): string =>
  listElement(
    `${name}s`,
    all.map(({ type, attributes, content }) => inlineElement(name, { type, ...attributes }, content)),
  );
