// SPDX-License-Identifier: Apache-2.0
// Reads the XML form of a SCTE-35 message (ANSI/SCTE 35 §13), as DASH events contain it: Signal with a SpliceInfoSection or
// a Binary, either of them alone, or bare base64.
import { wrapMpegTime } from '../time/mpegClock.ts';
import type { XmlElement } from '../xml/element.ts';
import { readUpids, shown } from './readDescriptors.ts';
import { readPayload, refuseSplice } from './readSection.ts';
import type { Segmentation, SpliceCommand, SpliceInsert, SpliceRefusal, SpliceSection } from './spliceSection.ts';

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
  const command = readCommand(section, number(section, 'ptsadjustment') ?? 0);
  if (command === undefined) warnings.push('SpliceInfoSection contains no splice command');
  const segmentations = childrenNamed(section, 'segmentationdescriptor').flatMap((descriptor) => {
    const segmentation = readXmlSegmentation(descriptor);
    if (segmentation === undefined) warnings.push('a SegmentationDescriptor has no segmentationTypeId; it is ignored');
    return segmentation ?? [];
  });
  return { command: command ?? { kind: 'other' }, segmentations, warnings };
}

const otherCommands: ReadonlySet<string> = new Set([
  'splicenull',
  'spliceschedule',
  'bandwidthreservation',
  'privatecommand',
]);

/** The first command. */
function readCommand(section: XmlElement, adjustment: number): SpliceCommand | undefined {
  for (const child of section.children) {
    const name = child.local.toLowerCase();
    if (name === 'spliceinsert') return readInsert(child, adjustment);
    if (name === 'timesignal') return { kind: 'timeSignal', ...readTime(child, adjustment) };
    if (otherCommands.has(name)) return { kind: 'other' };
  }
  return undefined;
}

/** The first SpliceTime below an element, with pts_adjustment. */
function readTime(element: XmlElement, adjustment: number): { readonly time?: number } {
  const time = number(descendant(element, 'splicetime'), 'ptstime');
  return time === undefined ? {} : { time: wrapMpegTime(time + adjustment) };
}

function readInsert(element: XmlElement, adjustment: number): SpliceInsert {
  const eventId = number(element, 'spliceeventid') ?? 0;
  const isCancelled = isTrue(element, 'spliceeventcancelindicator');
  if (isCancelled) return { kind: 'insert', eventId, isCancelled, isOut: false };
  const duration = number(descendant(element, 'breakduration'), 'duration');
  // What returns to the network has no length.
  const isStated = attribute(element, 'outofnetworkindicator') !== undefined;
  return {
    kind: 'insert',
    eventId,
    isCancelled,
    isOut: isStated ? isTrue(element, 'outofnetworkindicator') : duration !== undefined,
    ...readTime(element, adjustment),
    ...(duration === undefined ? {} : { duration }),
  };
}

// Elements and attributes of SCTE-35 in XML. Packagers differ in prefixes, namespaces and capitals, so only the local names
// count, without regard to capitals and underscores. Names are given in small letters.

const isNamed = (element: XmlElement, name: string): boolean => element.local.toLowerCase() === name;

const childrenNamed = (element: XmlElement, name: string): readonly XmlElement[] =>
  element.children.filter((child) => isNamed(child, name));

/** The first one below an element, at any depth. */
function descendant(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = isNamed(child, name) ? child : descendant(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function attribute(element: XmlElement | undefined, name: string): string | undefined {
  for (const [written, value] of Object.entries(element?.attributes ?? {})) {
    const local = written.slice(written.indexOf(':') + 1).replaceAll('_', '');
    if (local.toLowerCase() === name) return value.trim();
  }
  return undefined;
}

/** Decimal or `0x…`; undefined for anything else. */
function number(element: XmlElement | undefined, name: string): number | undefined {
  const text = attribute(element, name);
  if (text === undefined || !/^(\d{1,16}|0[xX][0-9a-fA-F]{1,12})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

const isTrue = (element: XmlElement | undefined, name: string): boolean =>
  /^(true|1)$/i.test(attribute(element, name) ?? '');

/** Hexadecimal digits in pairs, with white space and a leading 0x or without. */
function hexBytes(text: string): Uint8Array | undefined {
  const digits = text.replace(/\s+/g, '').replace(/^0x/i, '');
  if (digits.length > 2 * 255 || !/^(?:[0-9a-f]{2})+$/i.test(digits)) return undefined;
  return Uint8Array.from(digits.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

function base64Bytes(text: string): Uint8Array | undefined {
  const written = text.replace(/\s+/g, '').replace(/=+$/, '');
  if (written.length > 1000 || written.length % 4 === 1 || !/^[A-Za-z0-9+/]+$/.test(written)) return undefined;
  return Uint8Array.from(atob(written), (character) => character.charCodeAt(0));
}

/** @returns undefined if it states no type and cancels nothing */
function readXmlSegmentation(element: XmlElement): Segmentation | undefined {
  const eventId = number(element, 'segmentationeventid') ?? number(element, 'spliceeventid') ?? 0;
  if (isTrue(element, 'segmentationeventcancelindicator'))
    return { eventId, isCancelled: true, typeId: 0, upids: [], segmentsExpected: 0 };
  const upids = childrenNamed(element, 'segmentationupid');
  // Earlier schemas and packagers have the type in an element of its own, or at the UPID with the numbers.
  const [own] = childrenNamed(element, 'segmentationtypeid');
  const stated = (name: string): number | undefined => number(element, name) ?? number(upids[0], name);
  const typeId = stated('segmentationtypeid') ?? number(own, 'segmentationtype') ?? number(own, 'segmentationtypeid');
  if (typeId === undefined) return undefined;
  const duration = number(element, 'segmentationduration') ?? number(descendant(element, 'breakduration'), 'duration');
  return {
    eventId,
    isCancelled: false,
    typeId,
    ...(duration === undefined ? {} : { duration }),
    // Some packagers write the UPID as attributes of the descriptor.
    upids: (upids.length > 0 ? upids : [element]).flatMap((upid) => upidsOf(upid, upid === element)),
    segmentsExpected: stated('segmentsexpected') ?? 0,
  };
}

/** The text is what segmentationUpidFormat says; packagers vary its capitals. */
function upidsOf(element: XmlElement, isDescriptor: boolean): string[] {
  const text = (isDescriptor ? '' : element.text.trim()) || (attribute(element, 'segmentationupid') ?? '');
  if (text === '') return [];
  const type = number(element, 'segmentationupidtype') ?? 0;
  const identifier = number(element, 'formatidentifier');
  const bytes = bytesOf(element, text);
  if (identifier === undefined)
    return bytes === undefined ? [shown(new TextEncoder().encode(text))] : readUpids(type, bytes);
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
