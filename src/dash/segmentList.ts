import type { SegmentUrls } from '../timeline/asset.ts';
import { packUrls } from '../timeline/segmentUrl.ts';
import type { XmlElement } from '../xml/element.ts';
import { readByteRange } from './byteRange.ts';
import { MpdFault, wrongAttribute } from './mpdFault.ts';

function mediaUrl(segment: XmlElement, baseUrl: string): string {
  const { media = '' } = segment.attributes;
  if (!URL.canParse(media.trim(), baseUrl)) return wrongAttribute(segment, 'media', 'a URL');
  return new URL(media.trim(), baseUrl).href;
}

/**
 * The SegmentURL elements of a SegmentList (ISO/IEC 23009-1 5.3.9.3.2): URLs of their own, or ranges of one resource.
 * @throws MpdFault when an element can't be read
 */
export function listUrls(segments: readonly XmlElement[], baseUrl: string): SegmentUrls {
  const urls = segments.map((segment) => mediaUrl(segment, baseUrl));
  const ranged = segments.filter(({ attributes }) => attributes.mediaRange !== undefined);
  if (ranged.length === 0) return packUrls(urls);
  const [url] = urls;
  const odd = segments.findIndex(({ attributes }, index) => attributes.mediaRange === undefined || urls[index] !== url);
  if (odd >= 0) {
    const wanted = 'SegmentURLs must all be ranges of one resource or have no @mediaRange at all';
    throw new MpdFault(segments[odd]!.line, `${wanted}, this one differs from the first`);
  }
  const ranges = segments.map(
    (segment) =>
      readByteRange(segment.attributes.mediaRange!) ??
      wrongAttribute(segment, 'mediaRange', 'a range such as "820-9999"'),
  );
  return {
    kind: 'ranges',
    url: url!,
    starts: Float64Array.from(ranges, ({ start }) => start),
    lengths: Float64Array.from(ranges, ({ length }) => length),
  };
}
