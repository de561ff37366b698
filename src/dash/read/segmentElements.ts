// SPDX-License-Identifier: Apache-2.0
// The elements that address the segments of a Representation (ISO/IEC 23009-1 5.3.9): their inheritance, and the URLs in them.

import { isNonEmpty, type NonEmpty } from '../../invariant.ts';
import type { Sliced } from '../../time/sliced.ts';
import type { ByteRange, MediaRef, SegmentUrls } from '../../timeline/asset/asset.ts';
import { packRefs } from '../../timeline/asset/segmentUrl.ts';
import type { XmlElement } from '../../xml/element.ts';
import { attributeOf, childNamed, inherited, invalidAttribute, MpdFault } from '../mpdFault.ts';
import type { SegmentLevels } from './segmentBorders.ts';
import { ELEMENTS_IN_SLICE } from './segmentTimeline.ts';
import { constantText, type FilledTemplate, fillTemplate, type Resolve } from './template.ts';

const kinds = ['SegmentTemplate', 'SegmentList', 'SegmentBase'] as const;

type SegmentInformation =
  | { readonly kind: (typeof kinds)[number]; readonly elements: NonEmpty<XmlElement> }
  | { readonly kind: 'SegmentBase'; readonly elements: readonly [] };

/** The elements that together describe the segments, lowest level first; none when there is only a BaseURL. */
export function segmentInformation(levels: readonly XmlElement[]): SegmentInformation {
  for (const level of levels) {
    const kind = kinds.find((name) => childNamed(level, name) !== undefined);
    const elements = kind === undefined ? [] : levels.flatMap((one) => childNamed(one, kind) ?? []);
    if (kind !== undefined && isNonEmpty(elements)) return { kind, elements };
  }
  return { kind: 'SegmentBase', elements: [] };
}

export const resolver =
  ({ baseUrl }: SegmentLevels): Resolve =>
  (reference) =>
    URL.canParse(reference, baseUrl) ? new URL(reference, baseUrl).href : undefined;

export function rangeAttribute(elements: readonly XmlElement[], name: string): ByteRange | undefined {
  const found = attributeOf(elements, name);
  if (found === undefined) return undefined;
  return readByteRange(found.text) ?? invalidAttribute(found.element, name, 'a range such as "0-819"');
}

/** Initialization (5.3.9.2.2): @sourceURL, a range of it, or a range of the resource itself. */
export function initialization(elements: readonly XmlElement[], context: SegmentLevels): MediaRef | undefined {
  const found = inherited(elements, 'Initialization')?.child;
  if (found === undefined) return undefined;
  const url = resolver(context)(found.attributes.sourceURL ?? '');
  if (url === undefined) return invalidAttribute(found, 'sourceURL', 'a URL');
  const range = rangeAttribute([found], 'range');
  return range === undefined ? { url } : { url, range };
}

export function templated<Made>(
  elements: NonEmpty<XmlElement>,
  context: SegmentLevels,
  make: (filled: FilledTemplate) => Made | undefined,
): Made {
  return fromTemplate(elements, 'media', context, make) ?? invalidAttribute(elements[0], 'media', 'a template');
}

export const templateInit = (elements: readonly XmlElement[], context: SegmentLevels): MediaRef | undefined =>
  fromTemplate(elements, 'initialization', context, (filled) => {
    const text = constantText(filled);
    const url = text === undefined ? undefined : resolver(context)(text);
    return url === undefined ? undefined : { url };
  }) ?? initialization(elements, context);

/** The result of a template attribute; undefined when no element has the attribute. */
function fromTemplate<Made>(
  elements: readonly XmlElement[],
  name: string,
  context: SegmentLevels,
  make: (filled: FilledTemplate) => Made | undefined,
): Made | undefined {
  const found = attributeOf(elements, name);
  const template = found?.text.trim();
  if (found === undefined || !template) return undefined;
  const { line, local } = found.element;
  const filled = fillTemplate(template, { RepresentationID: context.id, Bandwidth: context.bandwidth });
  if ('code' in filled) throw new MpdFault(line, filled.code, `${local}@${name} "${template}" ${filled.reason}`);
  const made = make(filled);
  if (made !== undefined) return made;
  const problem = `does not result in a valid URL for ${context.where}`;
  throw new MpdFault(line, 'NO_URL', `${local}@${name} "${template}" ${problem}`);
}

/** A byte range `first-last` (ISO/IEC 23009-1: RFC 7233 §2.1 without the unit); undefined for any other text. */
function readByteRange(text: string): ByteRange | undefined {
  const match = /^\s*(\d{1,15})-(\d{1,15})\s*$/.exec(text);
  if (match === null) return undefined;
  const start = Number(match[1]);
  const length = Number(match[2]) - start + 1;
  return length > 0 ? { start, length } : undefined;
}

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

/** The reference of one SegmentURL. @throws MpdFault when it is invalid */
export function listRef(segment: XmlElement, baseUrl: string): MediaRef {
  const url = mediaUrl(segment, baseUrl);
  const { mediaRange } = segment.attributes;
  if (mediaRange === undefined) return { url };
  const range = readByteRange(mediaRange);
  return range === undefined ? invalidAttribute(segment, 'mediaRange', 'a range such as "820-9999"') : { url, range };
}
