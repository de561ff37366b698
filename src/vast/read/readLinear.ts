// SPDX-License-Identifier: Apache-2.0
import type { XmlElement } from '../../xml/element.ts';
import type {
  AdParameters,
  Icon,
  IdentifiedUrl,
  InteractiveFile,
  Linear,
  MediaFile,
  TrackingEvent,
} from '../response.ts';
import { isNoUrl, isPlaceholderUrl, kbitsOf, readTime } from '../values.ts';
import {
  attribute,
  booleanAttribute,
  type Expected,
  numberAttribute,
  textOf,
  visit,
  type Warn,
  warnOfValue,
  wholeAttribute,
  withoutUndefined,
} from '../xml/elements.ts';
import {
  adParameters,
  collect,
  collectTracking,
  identifiedUrl,
  linkIn,
  malformedIn,
  offsetAttribute,
  resourceIn,
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

// Reads the MediaFiles of a linear creative (VAST 4.2 §3.9).

type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer One)[] ? One[] : T[K] };
type MediaLists = Growing<Pick<Linear, 'mediaFiles' | 'mezzanines' | 'interactiveFiles' | 'closedCaptions'>> & {
  readonly malformedMedia: string[];
};

const caption = (element: XmlElement, warn: Warn) => {
  const url = urlIn(element, warn);
  return url === undefined
    ? undefined
    : { url, ...withoutUndefined({ type: attribute(element, 'type'), language: attribute(element, 'language') }) };
};

/** Reads a MediaFiles element into the lists; a creative may have several. */
const collectMedia = (lists: MediaLists, warn: Warn) => (element: XmlElement) => {
  const collectFiles = (list: MediaFile[]) => (child: XmlElement) => {
    const media = mediaFile(child, warn);
    if (media) list.push(media);
    else lists.malformedMedia.push(...[malformedIn(child) ?? []].flat());
  };
  visit(element, warn, {
    MediaFile: collectFiles(lists.mediaFiles),
    Mezzanine: collectFiles(lists.mezzanines),
    InteractiveCreativeFile: collect(lists.interactiveFiles, interactiveFile, warn),
    ClosedCaptionFiles: (files) =>
      visit(files, warn, { ClosedCaptionFile: collect(lists.closedCaptions, caption, warn) }),
  });
};

function mediaFile(element: XmlElement, warn: Warn): MediaFile | undefined {
  const url = urlIn(element, warn);
  // The placeholder marks a creative without media on purpose. An empty element is a mistake.
  if (url === undefined) {
    if (isNoUrl(element.text) && !isPlaceholderUrl(element.text)) {
      warn(element.line, 'MISSING_URL', `${element.local} contains no URL`);
    }
    return undefined;
  }
  const [width, height] = [wholeAttribute(element, 'width', warn), wholeAttribute(element, 'height', warn)];
  const rate = (name: string): number | undefined => {
    const value = wholeAttribute(element, name, warn);
    if (value === undefined) return undefined;
    const kbits = kbitsOf(value, width, height);
    if (kbits !== value) {
      const text = `${element.local}@${name} must be in kbit/s; ${value} is read as bit/s`;
      warn(element.line, 'BITRATE_IN_BITS', text);
    }
    return kbits;
  };
  return {
    url,
    delivery: delivery(element, warn),
    ...withoutUndefined({
      id: attribute(element, 'id'),
      type: attribute(element, 'type'),
      width,
      height,
      codec: attribute(element, 'codec'),
      bitrate: rate('bitrate'),
      minBitrate: rate('minBitrate'),
      maxBitrate: rate('maxBitrate'),
      scalable: booleanAttribute(element, 'scalable', warn),
      maintainAspectRatio: booleanAttribute(element, 'maintainAspectRatio', warn),
      fileSize: wholeAttribute(element, 'fileSize', warn),
      mediaType: attribute(element, 'mediaType'),
      apiFramework: attribute(element, 'apiFramework'),
    }),
  };
}

const DELIVERY: Expected = { code: 'INVALID_DELIVERY', description: '"progressive" or "streaming"' };

function delivery(element: XmlElement, warn: Warn): 'progressive' | 'streaming' {
  const text = attribute(element, 'delivery')?.toLowerCase();
  if (text === 'progressive' || text === 'streaming') return text;
  if (text) warnOfValue(warn, element.line, `${element.local}@delivery`, DELIVERY, text);
  return /mpegurl|dash\+xml/i.test(attribute(element, 'type') ?? '') ? 'streaming' : 'progressive';
}

function interactiveFile(element: XmlElement, warn: Warn): InteractiveFile | undefined {
  const url = resourceIn(element, warn);
  if (url === undefined) return undefined;
  return {
    url,
    ...withoutUndefined({
      type: attribute(element, 'type'),
      apiFramework: attribute(element, 'apiFramework'),
      variableDuration: booleanAttribute(element, 'variableDuration', warn),
    }),
  };
}
