// SPDX-License-Identifier: Apache-2.0
// Reads the MediaFiles of a linear creative (VAST 4.2 §3.9).
import type { XmlElement } from '../../xml/element.ts';
import type { InteractiveFile, Linear, MediaFile } from '../response.ts';
import { isNoUrl, isPlaceholderUrl, kbitsOf } from '../values.ts';
import {
  attribute,
  booleanAttribute,
  type Expected,
  visit,
  type Warn,
  warnOfValue,
  wholeAttribute,
  withoutUndefined,
} from '../xml/elements.ts';
import { collect, malformedIn, resourceIn, urlIn } from './readSharedElements.ts';

type Growing<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer One)[] ? One[] : T[K] };
export type MediaLists = Growing<Pick<Linear, 'mediaFiles' | 'mezzanines' | 'interactiveFiles' | 'closedCaptions'>> & {
  readonly malformedMedia: string[];
};

const caption = (element: XmlElement, warn: Warn) => {
  const url = urlIn(element, warn);
  return url === undefined
    ? undefined
    : { url, ...withoutUndefined({ type: attribute(element, 'type'), language: attribute(element, 'language') }) };
};

/** Reads a MediaFiles element into the lists; a creative may have several. */
export const collectMedia = (lists: MediaLists, warn: Warn) => (element: XmlElement) => {
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
