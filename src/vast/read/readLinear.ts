// SPDX-License-Identifier: Apache-2.0
import { withoutUndefined } from '../../invariant.ts';
import type { XmlElement } from '../../xml/element.ts';
import type { Icon, InteractiveFile, Linear, MediaFile } from '../response.ts';
import { isNoUrl, isPlaceholderUrl, kbitsOf, readTime } from '../values.ts';
import {
  attribute,
  booleans,
  type Expected,
  numberAttribute,
  textOf,
  texts,
  visit,
  type Warn,
  warnOfValue,
  wholeAttribute,
  wholes,
} from '../xml/elements.ts';
import {
  adParameters,
  collect,
  collectTracking,
  type Growing,
  identifiedUrl,
  keepFirst,
  keepLast,
  linkIn,
  malformedIn,
  noResources,
  offsetAttribute,
  resourceHandlers,
  resourceIn,
  timeAttribute,
  urlIn,
} from './readSharedElements.ts';

const emptyLinear = (): Growing<Linear> => ({
  trackingEvents: [],
  mediaFiles: [],
  mezzanines: [],
  interactiveFiles: [],
  closedCaptions: [],
  clickTrackings: [],
  customClicks: [],
  icons: [],
});

/** A Linear element of an InLine or a Wrapper ad (VAST 4.2 §3.8). */
export function readLinear(element: XmlElement, warn: Warn): Linear {
  const linear = emptyLinear();
  const malformedMedia: string[] = [];
  const link = (click: XmlElement) => identifiedUrl(click, warn, linkIn);
  visit(element, warn, {
    Duration: keepLast(linear, 'duration', readDuration, warn),
    MediaFiles: collectMedia(linear, malformedMedia, warn),
    TrackingEvents: collectTracking(linear.trackingEvents, warn),
    VideoClicks: (clicks) =>
      visit(clicks, warn, {
        ClickThrough: keepFirst(linear, 'clickThrough', link, warn),
        ClickTracking: collect(linear.clickTrackings, identifiedUrl, warn),
        CustomClick: collect(linear.customClicks, link, warn),
      }),
    AdParameters: keepLast(linear, 'adParameters', adParameters, warn),
    Icons: (list) => visit(list, warn, { Icon: collect(linear.icons, readIcon, warn) }),
    // Allowed here by VAST 3 and 4.0; readCreative reads them.
    CreativeExtensions: () => {},
  });
  if (malformedMedia.length > 0) linear.malformedMedia = malformedMedia;
  return Object.assign(linear, withoutUndefined({ skipOffset: offsetAttribute(element, 'skipoffset', warn) }));
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
  const icon: Growing<Icon> = { ...noResources(), clickTrackings: [], fallbackImages: [], viewTrackings: [] };
  visit(element, warn, {
    ...resourceHandlers(icon, warn),
    IconClicks: (clicks) =>
      visit(clicks, warn, {
        IconClickThrough: keepFirst(icon, 'clickThrough', linkIn, warn),
        IconClickTracking: collect(icon.clickTrackings, identifiedUrl, warn),
        IconClickFallbackImages: (images) =>
          visit(images, warn, { IconClickFallbackImage: collect(icon.fallbackImages, fallbackImage, warn) }),
      }),
    IconViewTracking: collect(icon.viewTrackings, urlIn, warn),
  });
  const time = (name: string) => timeAttribute(element, name, warn);
  return Object.assign(
    icon,
    texts(element, warn, 'program', 'xPosition', 'yPosition', 'apiFramework'),
    wholes(element, warn, 'width', 'height'),
    withoutUndefined({
      duration: time('duration'),
      offset: time('offset'),
      pxratio: numberAttribute(element, 'pxratio', warn),
    }),
  );
}

function fallbackImage(element: XmlElement, warn: Warn): Icon['fallbackImages'][number] {
  const image: Growing<Icon['fallbackImages'][number]> = {};
  visit(element, warn, {
    StaticResource: keepLast(image, 'url', urlIn, warn),
    AltText: keepLast(image, 'altText', textOf, warn),
  });
  return Object.assign(image, wholes(element, warn, 'width', 'height'));
}

const caption = (element: XmlElement, warn: Warn) => {
  const url = urlIn(element, warn);
  return url === undefined ? undefined : { url, ...texts(element, warn, 'type', 'language') };
};

/** Reads a MediaFiles element (VAST 4.2 §3.9); a creative may have several. */
const collectMedia = (linear: Growing<Linear>, malformed: string[], warn: Warn) => (element: XmlElement) => {
  const collectFiles = (list: MediaFile[]) => (child: XmlElement) => {
    const media = mediaFile(child, warn);
    if (media) list.push(media);
    else malformed.push(...[malformedIn(child) ?? []].flat());
  };
  visit(element, warn, {
    MediaFile: collectFiles(linear.mediaFiles),
    Mezzanine: collectFiles(linear.mezzanines),
    InteractiveCreativeFile: collect(linear.interactiveFiles, interactiveFile, warn),
    ClosedCaptionFiles: (files) =>
      visit(files, warn, { ClosedCaptionFile: collect(linear.closedCaptions, caption, warn) }),
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
  const size = wholes(element, warn, 'width', 'height');
  const rate = (name: string): number | undefined => {
    const value = wholeAttribute(element, name, warn);
    if (value === undefined) return undefined;
    const kbits = kbitsOf(value, size.width, size.height);
    if (kbits !== value) {
      const text = `${element.local}@${name} must be in kbit/s; ${value} is read as bit/s`;
      warn(element.line, 'BITRATE_IN_BITS', text);
    }
    return kbits;
  };
  return {
    url,
    delivery: delivery(element, warn),
    ...size,
    ...texts(element, warn, 'id', 'type', 'codec', 'mediaType', 'apiFramework'),
    ...withoutUndefined({ bitrate: rate('bitrate'), minBitrate: rate('minBitrate'), maxBitrate: rate('maxBitrate') }),
    ...booleans(element, warn, 'scalable', 'maintainAspectRatio'),
    ...wholes(element, warn, 'fileSize'),
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
  return { url, ...texts(element, warn, 'type', 'apiFramework'), ...booleans(element, warn, 'variableDuration') };
}
