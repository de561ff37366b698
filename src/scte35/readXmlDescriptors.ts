// SPDX-License-Identifier: Apache-2.0
// Reads the descriptors of a SpliceInfoSection (ANSI/SCTE 35 §13).
import type { XmlElement } from '../xml/element.ts';
import { hexOf, readUpids, shown } from './readDescriptors.ts';
import {
  attribute,
  base64Bytes,
  childrenNamed,
  descendant,
  hexBytes,
  isNamed,
  isTrue,
  number,
} from './readSpliceXml.ts';
import type { AudioChannel, DeliveryRestrictions, OtherDescriptor, Segmentation, Upid } from './spliceSection.ts';

/** @returns undefined if it states no type and cancels nothing */
export function readXmlSegmentation(element: XmlElement): Segmentation | undefined {
  const eventId = number(element, 'segmentationeventid') ?? number(element, 'spliceeventid') ?? 0;
  const isIdFree = isTrue(element, 'segmentationeventidcomplianceindicator');
  if (isTrue(element, 'segmentationeventcancelindicator'))
    return { eventId, isIdFree, isCancelled: true, typeId: 0, upids: [], segmentNum: 0, segmentsExpected: 0 };
  const upids = childrenNamed(element, 'segmentationupid');
  // Earlier schemas and packagers have the type in an element of its own, or at the UPID with the numbers.
  const [own] = childrenNamed(element, 'segmentationtypeid');
  const stated = (name: string): number | undefined => number(element, name) ?? number(upids[0], name);
  const typeId = stated('segmentationtypeid') ?? number(own, 'segmentationtype') ?? number(own, 'segmentationtypeid');
  if (typeId === undefined) return undefined;
  const duration = number(element, 'segmentationduration') ?? number(descendant(element, 'breakduration'), 'duration');
  const [subSegmentNum, subSegmentsExpected] = [stated('subsegmentnum'), stated('subsegmentsexpected')];
  const restrictions = restrictionsOf(element);
  const components = childrenNamed(element, 'component').map((component) => ({
    tag: number(component, 'componenttag') ?? 0,
    ptsOffset: number(component, 'ptsoffset') ?? 0,
  }));
  return {
    ...{ eventId, isIdFree, isCancelled: false, typeId },
    ...(duration === undefined ? {} : { duration }),
    // Some packagers write the UPID as attributes of the descriptor.
    upids: (upids.length > 0 ? upids : [element]).flatMap((upid) => upidsOf(upid, upid === element)),
    segmentNum: stated('segmentnum') ?? 0,
    segmentsExpected: stated('segmentsexpected') ?? 0,
    ...(subSegmentNum === undefined ? {} : { subSegmentNum }),
    ...(subSegmentsExpected === undefined ? {} : { subSegmentsExpected }),
    ...(restrictions && { restrictions }),
    ...(components.length === 0 ? {} : { components }),
  };
}

function restrictionsOf(element: XmlElement): DeliveryRestrictions | undefined {
  const [found] = childrenNamed(element, 'deliveryrestrictions');
  if (found === undefined) return undefined;
  return {
    isWebAllowed: isTrue(found, 'webdeliveryallowedflag'),
    hasNoBlackout: isTrue(found, 'noregionalblackoutflag'),
    isArchiveAllowed: isTrue(found, 'archiveallowedflag'),
    devices: number(found, 'devicerestrictions') ?? 3,
  };
}

/** The text is what segmentationUpidFormat says; packagers vary its capitals. */
function upidsOf(element: XmlElement, isDescriptor: boolean): Upid[] {
  const text = (isDescriptor ? '' : element.text.trim()) || (attribute(element, 'segmentationupid') ?? '');
  if (text === '') return [];
  const type = number(element, 'segmentationupidtype') ?? 0;
  const identifier = number(element, 'formatidentifier');
  const bytes = bytesOf(element, text);
  if (identifier === undefined)
    return bytes === undefined ? [{ type, text: shown(new TextEncoder().encode(text)) }] : readUpids(type, bytes);
  const format = [24, 16, 8, 0].map((shift) => (identifier >>> shift) & 0xff);
  return readUpids(type, Uint8Array.from([...format, ...(bytes ?? new TextEncoder().encode(text))]));
}

function bytesOf(element: XmlElement, text: string): Uint8Array | undefined {
  const format = attribute(element, 'segmentationupidformat') ?? attribute(element, 'format');
  if (format === undefined) {
    // The first schemas have no format, but a length, and the UPID as xs:hexBinary.
    const bytes = hexBytes(text);
    return bytes?.length === number(element, 'segmentationupidlength') ? bytes : undefined;
  }
  if (/^hexbinary$/i.test(format)) return hexBytes(text);
  return /^base-?64$/i.test(format) ? base64Bytes(text) : undefined;
}

/** @returns undefined for what is no such descriptor */
export function readOtherXmlDescriptor(element: XmlElement): OtherDescriptor | undefined {
  const field = (name: string): number => number(element, name) ?? 0;
  if (isNamed(element, 'dtmfdescriptor'))
    return { kind: 'dtmf', preroll: field('preroll'), characters: attribute(element, 'chars') ?? '' };
  if (isNamed(element, 'timedescriptor')) {
    const [taiSeconds, taiNanoseconds] = [field('taiseconds'), field('tains')];
    return { kind: 'time', taiSeconds, taiNanoseconds, utcOffset: field('utcoffset') };
  }
  if (isNamed(element, 'audiodescriptor'))
    return { kind: 'audio', channels: childrenNamed(element, 'audiochannel').map(audioChannel) };
  if (!isNamed(element, 'privatedescriptor')) return undefined;
  return { kind: 'other', tag: field('descriptortag'), identifier: field('identifier'), bytes: privateBytes(element) };
}

const audioChannel = (element: XmlElement): AudioChannel => ({
  tag: number(element, 'componenttag') ?? 0xff,
  language: attribute(element, 'isocode') ?? '',
  bitStreamMode: number(element, 'bitstreammode') ?? 0,
  channels: number(element, 'numchannels') ?? 0,
  isFullService: isTrue(element, 'fullsrvcaudio'),
});

/** In hexadecimal digits. */
export function privateBytes(element: XmlElement): string {
  const bytes = hexBytes(descendant(element, 'privatebytes')?.text ?? '');
  return bytes === undefined ? '' : hexOf(bytes);
}
