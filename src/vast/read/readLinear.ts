// SPDX-License-Identifier: Apache-2.0
import type { XmlElement } from '../../xml/element.ts';
import type { AdParameters, Icon, IdentifiedUrl, Linear, TrackingEvent } from '../response.ts';
import { readTime } from '../values.ts';
import {
  attribute,
  type Expected,
  numberAttribute,
  textOf,
  visit,
  type Warn,
  warnOfValue,
  wholeAttribute,
  withoutUndefined,
} from '../xml/elements.ts';
import { collectMedia } from './readMediaFiles.ts';
import {
  adParameters,
  collect,
  collectTracking,
  identifiedUrl,
  linkIn,
  offsetAttribute,
  resourceReader,
  timeAttribute,
  urlIn,
} from './readSharedElements.ts';

/** A Linear element of an InLine or a Wrapper ad (VAST 4.2 §3.8). */
export function readLinear(element: XmlElement, warn: Warn): Linear {
  const malformedMedia: string[] = [];
  const media = { mediaFiles: [], mezzanines: [], interactiveFiles: [], closedCaptions: [] };
  const trackingEvents: TrackingEvent[] = [];
  const clickTrackings: IdentifiedUrl[] = [];
  const customClicks: IdentifiedUrl[] = [];
  const icons: Icon[] = [];
  let duration: Linear['duration'];
  let parameters: AdParameters | undefined;
  let clickThrough: IdentifiedUrl | undefined;
  const link = (click: XmlElement) => identifiedUrl(click, warn, linkIn);
  visit(element, warn, {
    Duration: (child) => {
      duration = readDuration(child, warn);
    },
    MediaFiles: collectMedia({ ...media, malformedMedia }, warn),
    TrackingEvents: collectTracking(trackingEvents, warn),
    VideoClicks: (clicks) =>
      visit(clicks, warn, {
        ClickThrough: (child) => {
          clickThrough ??= link(child);
        },
        ClickTracking: collect(clickTrackings, identifiedUrl, warn),
        CustomClick: collect(customClicks, link, warn),
      }),
    AdParameters: (child) => {
      parameters = adParameters(child, warn);
    },
    Icons: (list) => visit(list, warn, { Icon: collect(icons, readIcon, warn) }),
    // Allowed here by VAST 3 and 4.0; readCreative reads them.
    CreativeExtensions: () => {},
  });
  const { mediaFiles, mezzanines, interactiveFiles, closedCaptions } = media;
  const skipOffset = offsetAttribute(element, 'skipoffset', warn);
  return Object.assign(
    withoutUndefined({ duration, skipOffset, adParameters: parameters, clickThrough }),
    { trackingEvents, mediaFiles, mezzanines, interactiveFiles, closedCaptions },
    malformedMedia.length > 0 ? { malformedMedia } : undefined,
    { clickTrackings, customClicks, icons },
  );
}

const DURATION: Expected = { code: 'INVALID_TIME', description: 'a time such as 00:00:30' };

/** Absent when empty, invalid or zero. Media are measured in any case. */
function readDuration(element: XmlElement, warn: Warn): Linear['duration'] {
  const text = textOf(element) ?? '';
  const duration = readTime(text);
  if (duration === undefined) warnOfValue(warn, element.line, 'Duration', DURATION, text);
  return duration || undefined;
}

function readIcon(element: XmlElement, warn: Warn): Icon {
  const { resources, handlers } = resourceReader(warn);
  const clickTrackings: IdentifiedUrl[] = [];
  const fallbackImages: Icon['fallbackImages'][number][] = [];
  const viewTrackings: string[] = [];
  let clickThrough: string | undefined;
  visit(element, warn, {
    ...handlers,
    IconClicks: (clicks) =>
      visit(clicks, warn, {
        IconClickThrough: (child) => {
          clickThrough ??= linkIn(child, warn);
        },
        IconClickTracking: collect(clickTrackings, identifiedUrl, warn),
        IconClickFallbackImages: (images) =>
          visit(images, warn, { IconClickFallbackImage: collect(fallbackImages, fallbackImage, warn) }),
      }),
    IconViewTracking: collect(viewTrackings, urlIn, warn),
  });
  return {
    ...withoutUndefined({
      program: attribute(element, 'program'),
      width: wholeAttribute(element, 'width', warn),
      height: wholeAttribute(element, 'height', warn),
      xPosition: attribute(element, 'xPosition'),
      yPosition: attribute(element, 'yPosition'),
      duration: timeAttribute(element, 'duration', warn),
      offset: timeAttribute(element, 'offset', warn),
      apiFramework: attribute(element, 'apiFramework'),
      pxratio: numberAttribute(element, 'pxratio', warn),
      clickThrough,
    }),
    ...resources,
    clickTrackings,
    fallbackImages,
    viewTrackings,
  };
}

function fallbackImage(element: XmlElement, warn: Warn): Icon['fallbackImages'][number] {
  let url: string | undefined;
  let altText: string | undefined;
  visit(element, warn, {
    StaticResource: (child) => {
      url = urlIn(child, warn);
    },
    AltText: (child) => {
      altText = textOf(child);
    },
  });
  const [width, height] = [wholeAttribute(element, 'width', warn), wholeAttribute(element, 'height', warn)];
  return withoutUndefined({ url, altText, width, height });
}
