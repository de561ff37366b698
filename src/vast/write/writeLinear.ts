// SPDX-License-Identifier: Apache-2.0
import { type Flicks, flicks } from '../../time/units.ts';
import { cdata, element, escapeText, inlineElement } from '../../xml/write.ts';
import { formatVastTime } from '../macros.ts';
import type {
  AdParameters,
  Icon,
  IdentifiedUrl,
  Linear,
  MediaFile,
  Resources,
  TrackingEvent,
  VastAd,
  VastExtension,
  VastOffset,
} from '../response.ts';
import { vast42Event } from '../trackingEvents.ts';
import { NO_URL } from '../values.ts';

// Writes Linear, and the small elements that occur in many elements of VAST; readSharedElements.ts reads them.

/** Fields of the model as attributes of the same names. */
export const fields = <From, Name extends keyof From>(from: From, ...names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, from[name]])) as Pick<From, Name>;

export const time = (value: Flicks | undefined): string | undefined =>
  value === undefined ? undefined : formatVastTime(value);

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

const writeOffset = (offset: VastOffset | undefined): string | undefined =>
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

/** @param within the parent ad; a Wrapper contains no media, duration or parameters (VAST 4.2 §3.19) */
export const writeLinear = (linear: Linear, within: VastAd['kind']): string =>
  element(
    'Linear',
    { skipoffset: writeOffset(linear.skipOffset) },
    listElement('Icons', linear.icons.map(icon)),
    trackingEvents(linear.trackingEvents),
    ...(within === 'inLine' ? inLineParts(linear) : []),
    videoClicks(linear),
  );

const inLineParts = (linear: Linear): string[] => [
  adParameters(linear.adParameters),
  // Zero means unknown; readVast reads it as absent.
  element('Duration', {}, formatVastTime(linear.duration ?? flicks(0))),
  mediaFiles(linear),
];

function mediaFiles({ mediaFiles: files, mezzanines, interactiveFiles, closedCaptions }: Linear): string {
  const captions = closedCaptions.map(({ url: target, type, language }) =>
    url('ClosedCaptionFile', target, { type, language }),
  );
  return element(
    'MediaFiles',
    {},
    listElement('ClosedCaptionFiles', captions),
    ...(files.length > 0 ? files : [noMediaFile]).map(mediaFile),
    ...mezzanines.map(mezzanine),
    ...interactiveFiles.map(({ url: target, type, apiFramework, variableDuration }) =>
      url('InteractiveCreativeFile', target, { type, apiFramework, variableDuration }),
    ),
  );
}

/** The schema requires a MediaFile; readVast reads this one as absent. */
const noMediaFile: MediaFile = { url: NO_URL, delivery: 'progressive' };

/** The attributes that the schema requires of both; 0 and an empty type mean unknown. */
const sharedAttributes = ({ id, delivery, type = '', width = 0, height = 0, codec }: MediaFile) => {
  return { id, delivery, type, width, height, codec };
};

const mediaFile = (file: MediaFile): string =>
  url('MediaFile', file.url, {
    ...sharedAttributes(file),
    ...fields(file, 'bitrate', 'minBitrate', 'maxBitrate', 'scalable', 'maintainAspectRatio'),
    ...fields(file, 'fileSize', 'mediaType', 'apiFramework'),
  });

const mezzanine = (file: MediaFile): string =>
  url('Mezzanine', file.url, { ...sharedAttributes(file), ...fields(file, 'fileSize', 'mediaType') });

const videoClicks = ({ clickThrough, clickTrackings, customClicks }: Linear): string =>
  listElement('VideoClicks', [
    ...identifiedUrls('ClickTracking', clickTrackings),
    ...(clickThrough ? identifiedUrls('ClickThrough', [clickThrough]) : []),
    ...identifiedUrls('CustomClick', customClicks),
  ]);

const position = (text: string | undefined, words: RegExp): string | undefined =>
  text !== undefined && words.test(text) ? text : undefined;

function icon(one: Icon): string {
  const images = one.fallbackImages.map(({ url: target, altText, width, height }) =>
    element(
      'IconClickFallbackImage',
      { height, width },
      textElement('AltText', altText),
      target ? element('StaticResource', {}, cdata(target)) : '',
    ),
  );
  return element(
    'Icon',
    {
      ...fields(one, 'program', 'width', 'height'),
      xPosition: position(one.xPosition, /^(\d+|left|right)$/),
      yPosition: position(one.yPosition, /^(\d+|top|bottom)$/),
      duration: time(one.duration),
      offset: time(one.offset),
      ...fields(one, 'apiFramework', 'pxratio'),
    },
    ...resources(one),
    listElement('IconClicks', [
      ...(images.length > 0 ? [element('IconClickFallbackImages', {}, ...images)] : []),
      ...(one.clickThrough ? [optionalUrl('IconClickThrough', one.clickThrough)] : []),
      ...identifiedUrls('IconClickTracking', one.clickTrackings),
    ]),
    ...urls('IconViewTracking', one.viewTrackings),
  );
}
