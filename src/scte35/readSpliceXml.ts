// SPDX-License-Identifier: Apache-2.0
// Reads the XML form of a SCTE-35 message (ANSI/SCTE 35 §13), as DASH events contain it: Signal with a SpliceInfoSection or
// a Binary, either of them alone, or bare base64.
import { wrapMpegTime } from '../time/mpegClock.ts';
import type { XmlElement } from '../xml/element.ts';
import { hexOf, readUpids, shown } from './readDescriptors.ts';
import { readPayload, refuseSplice } from './readSection.ts';
import type {
  AudioChannel,
  BreakDuration,
  DeliveryRestrictions,
  OtherDescriptor,
  ScheduledSplice,
  Segmentation,
  SpliceCommand,
  SpliceInsert,
  SpliceRefusal,
  SpliceSection,
  Upid,
} from './spliceSection.ts';

/** @param parent the element that contains the message, e.g. `Event` */
export function readSpliceXml(parent: XmlElement): SpliceSection | SpliceRefusal {
  const section = descendant(parent, 'spliceinfosection');
  if (section !== undefined) return readInfoSection(section);
  const binary = descendant(parent, 'binary') ?? parent;
  if (binary.text.trim() !== '') return readPayload(binary.text.trim());
  return refuseSplice('ELEMENT', `${parent.local} must contain a SpliceInfoSection or a Binary; it contains neither`);
}

function readInfoSection(section: XmlElement): SpliceSection | SpliceRefusal {
  const version = number(section, 'protocolversion') ?? 0;
  if (version !== 0) return refuseSplice('PROTOCOL_VERSION', `protocolVersion must be 0; got ${version}`);
  const warnings: string[] = [];
  const ptsAdjustment = number(section, 'ptsadjustment') ?? 0;
  const command = readCommand(section, ptsAdjustment);
  if (command.kind === 'unknown') warnings.push('SpliceInfoSection contains no splice command');
  const segmentations = childrenNamed(section, 'segmentationdescriptor').flatMap((descriptor) => {
    const segmentation = readXmlSegmentation(descriptor);
    if (segmentation === undefined) warnings.push('a SegmentationDescriptor has no segmentationTypeId; it is ignored');
    return segmentation ?? [];
  });
  return {
    sapType: number(section, 'saptype') ?? 3,
    ptsAdjustment,
    cwIndex: number(descendant(section, 'encryptedpacket'), 'cwindex') ?? 0,
    tier: number(section, 'tier') ?? 0xfff,
    command,
    segmentations,
    availIds: childrenNamed(section, 'availdescriptor').flatMap((avail) => number(avail, 'provideravailid') ?? []),
    others: section.children.flatMap((child) => readOtherXmlDescriptor(child) ?? []),
    warnings,
  };
}

function readCommand(section: XmlElement, adjustment: number): SpliceCommand {
  for (const child of section.children) {
    switch (child.local.toLowerCase()) {
      case 'spliceinsert':
        return readInsert(child, adjustment);
      case 'timesignal':
        return { kind: 'timeSignal', ...readTime(child, adjustment) };
      case 'splicenull':
        return { kind: 'null' };
      case 'spliceschedule':
        return { kind: 'schedule', events: childrenNamed(child, 'event').map(readScheduled) };
      case 'bandwidthreservation':
        return { kind: 'bandwidthReservation' };
      case 'privatecommand':
        return { kind: 'private', identifier: number(child, 'identifier') ?? 0, bytes: privateBytes(child) };
    }
  }
  return { kind: 'unknown', type: -1 };
}

/** The first SpliceTime below an element, with pts_adjustment. */
function readTime(element: XmlElement, adjustment: number): { readonly time?: number } {
  const time = number(descendant(element, 'splicetime'), 'ptstime');
  return time === undefined ? {} : { time: wrapMpegTime(time + adjustment) };
}

function readInsert(element: XmlElement, adjustment: number): SpliceInsert {
  const event = readEvent(element);
  if (event.isCancelled) return { kind: 'insert', isImmediate: false, ...event };
  const components = childrenNamed(element, 'component').map((component) => number(component, 'componenttag') ?? 0);
  return {
    kind: 'insert',
    isImmediate: isTrue(element, 'spliceimmediateflag'),
    ...readTime(element, adjustment),
    ...(components.length === 0 ? {} : { components }),
    ...event,
  };
}

/** 1980-01-06, from which utc_splice_time counts. */
const GPS_EPOCH = Date.UTC(1980, 0, 6);

function readScheduled(element: XmlElement): ScheduledSplice {
  const at = descendant(element, 'program') ?? descendant(element, 'component');
  const seconds = (Date.parse(attribute(at, 'utcsplicetime') ?? '') - GPS_EPOCH) / 1000;
  return { ...readEvent(element), ...(Number.isNaN(seconds) ? {} : { gpsSeconds: Math.round(seconds) }) };
}

/** What splice_insert and events of splice_schedule have in common. */
function readEvent(element: XmlElement): ScheduledSplice {
  const isCancelled = isTrue(element, 'spliceeventcancelindicator');
  const breakElement = descendant(element, 'breakduration');
  const duration = number(breakElement, 'duration');
  const breakDuration: BreakDuration | undefined =
    duration === undefined ? undefined : { duration, autoReturn: isTrue(breakElement, 'autoreturn') };
  // What returns to the network has no length.
  const isStated = attribute(element, 'outofnetworkindicator') !== undefined;
  return {
    eventId: number(element, 'spliceeventid') ?? 0,
    isIdFree: isTrue(element, 'eventidcomplianceflag'),
    isCancelled,
    isOut: !isCancelled && (isStated ? isTrue(element, 'outofnetworkindicator') : duration !== undefined),
    ...(breakDuration && !isCancelled ? { breakDuration } : {}),
    uniqueProgramId: number(element, 'uniqueprogramid') ?? 0,
    availNum: number(element, 'availnum') ?? 0,
    availsExpected: number(element, 'availsexpected') ?? 0,
  };
}

// Elements and attributes of SCTE-35 in XML. Packagers differ in prefixes, namespaces and capitals, so only the local names
// count, without regard to capitals and underscores. Names are given in small letters.

export const isNamed = (element: XmlElement, name: string): boolean => element.local.toLowerCase() === name;

export const childrenNamed = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => isNamed(child, name));

/** The first one below an element, at any depth. */
export function descendant(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = isNamed(child, name) ? child : descendant(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function attribute(element: XmlElement | undefined, name: string): string | undefined {
  for (const [written, value] of Object.entries(element?.attributes ?? {})) {
    const local = written.slice(written.indexOf(':') + 1).replaceAll('_', '');
    if (local.toLowerCase() === name) return value.trim();
  }
  return undefined;
}

/** Decimal or `0x…`; undefined for anything else. */
export function number(element: XmlElement | undefined, name: string): number | undefined {
  const text = attribute(element, name);
  if (text === undefined || !/^(\d{1,16}|0[xX][0-9a-fA-F]{1,12})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

export const isTrue = (element: XmlElement | undefined, name: string): boolean =>
  /^(true|1)$/i.test(attribute(element, name) ?? '');

/** Hexadecimal digits in pairs, with white space and a leading 0x or without. */
export function hexBytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/\s+/g, '').replace(/^0x/i, '');
  if (digits.length > 2 * 255 || !/^(?:[0-9a-f]{2})+$/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function base64Bytes(text: string): Uint8Array | undefined {
  const written = text.replace(/\s+/g, '').replace(/=+$/, '');
  if (written.length > 1000 || written.length % 4 === 1 || !/^[A-Za-z0-9+/]+$/.test(written)) return undefined;
  return Uint8Array.from(atob(written), (character) => character.charCodeAt(0));
}

// Reads the descriptors of a SpliceInfoSection (ANSI/SCTE 35 §13).

/** @returns undefined if it states no type and cancels nothing */
function readXmlSegmentation(element: XmlElement): Segmentation | undefined {
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
    eventId,
    isIdFree,
    isCancelled: false,
    typeId,
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
function readOtherXmlDescriptor(element: XmlElement): OtherDescriptor | undefined {
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
function privateBytes(element: XmlElement): string {
  const bytes = hexBytes(descendant(element, 'privatebytes')?.text ?? '');
  return bytes === undefined ? '' : hexOf(bytes);
}
