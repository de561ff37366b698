// SPDX-License-Identifier: Apache-2.0
import type { Sliced } from '../../time/sliced.ts';
import type { MediaRef, SegmentUrls } from '../../timeline/asset/asset.ts';
import { packRefs } from '../../timeline/asset/segmentUrl.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readByteRange } from '../byteRange.ts';
import { invalidAttribute } from '../mpdFault.ts';
import { ELEMENTS_IN_SLICE } from './segmentTimeline.ts';

function mediaUrl(segment: XmlElement, baseUrl: string): string {
  const { media = '' } = segment.attributes;
  if (!URL.canParse(media.trim(), baseUrl)) return invalidAttribute(segment, 'media', 'a URL');
  return new URL(media.trim(), baseUrl).href;
}

/**
 * The SegmentURL elements of a SegmentList (ISO/IEC 23009-1 5.3.9.3.2): whole resources or byte ranges.
 * @throws MpdFault when an element is invalid
 */
export function* listUrls(segments: readonly XmlElement[], baseUrl: string): Sliced<SegmentUrls> {
  const refs: MediaRef[] = [];
  for (const segment of segments) {
    if (refs.length % ELEMENTS_IN_SLICE === ELEMENTS_IN_SLICE - 1) yield;
    refs.push(listRef(segment, baseUrl));
  }
  return packRefs(refs);
}

/** One of them. @throws MpdFault when it is invalid */
export function listRef(segment: XmlElement, baseUrl: string): MediaRef {
  const url = mediaUrl(segment, baseUrl);
  const { mediaRange } = segment.attributes;
  if (mediaRange === undefined) return { url };
  const range = readByteRange(mediaRange);
  return range === undefined ? invalidAttribute(segment, 'mediaRange', 'a range such as "820-9999"') : { url, range };
}
