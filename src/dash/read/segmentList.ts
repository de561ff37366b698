import type { SegmentUrls } from '../../timeline/asset.ts';
import { packRefs } from '../../timeline/segmentUrl.ts';
import type { XmlElement } from '../../xml/element.ts';
import { readByteRange } from '../byteRange.ts';
import { wrongAttribute } from '../mpdFault.ts';

function mediaUrl(segment: XmlElement, baseUrl: string): string {
  const { media = '' } = segment.attributes;
  if (!URL.canParse(media.trim(), baseUrl)) return wrongAttribute(segment, 'media', 'a URL');
  return new URL(media.trim(), baseUrl).href;
}

/**
 * The SegmentURL elements of a SegmentList (ISO/IEC 23009-1 5.3.9.3.2): URLs of their own, or ranges of them.
 * @throws MpdFault when an element can't be read
 */
export function listUrls(segments: readonly XmlElement[], baseUrl: string): SegmentUrls {
  return packRefs(
    segments.map((segment) => {
      const url = mediaUrl(segment, baseUrl);
      const { mediaRange } = segment.attributes;
      if (mediaRange === undefined) return { url };
      const range = readByteRange(mediaRange);
      return range === undefined ? wrongAttribute(segment, 'mediaRange', 'a range such as "820-9999"') : { url, range };
    }),
  );
}
