// SPDX-License-Identifier: Apache-2.0
// Reads the XML form of a SCTE-35 message (ANSI/SCTE 35 §13), as DASH events contain it: Signal with a SpliceInfoSection or
// a Binary, either of them alone, or bare base64.
import { wrapMpegTime } from '../time/mpegClock.ts';
import type { XmlElement } from '../xml/element.ts';
import { readPayload, refuseSplice } from './readSection.ts';
import { privateBytes, readOtherXmlDescriptor, readXmlSegmentation } from './readXmlDescriptors.ts';
import type {
  BreakDuration,
  ScheduledSplice,
  SpliceCommand,
  SpliceInsert,
  SpliceRefusal,
  SpliceSection,
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
