// SPDX-License-Identifier: Apache-2.0
// Reads the XML form of a SCTE-35 message (ANSI/SCTE 35 §13), as DASH events contain it: Signal with a SpliceInfoSection or
// a Binary, either of them alone, or bare base64. Packagers differ in prefixes, namespaces and capitals, so only the local
// names count, without regard to capitals.
import { wrapMpegTime } from '../time/mpegClock.ts';
import type { XmlElement } from '../xml/element.ts';
import { readPayload } from './readPayload.ts';
import { refuseSplice } from './readSection.ts';
import { readUpids } from './readUpid.ts';
import type {
  BreakDuration,
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

const isNamed = (element: XmlElement, name: string): boolean => element.local.toLowerCase() === name;

function descendant(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) {
    const found = isNamed(child, name) ? child : descendant(child, name);
    if (found !== undefined) return found;
  }
  return undefined;
}

function attribute(element: XmlElement | undefined, name: string): string | undefined {
  for (const [written, value] of Object.entries(element?.attributes ?? {}))
    if (
      written
        .slice(written.indexOf(':') + 1)
        .replaceAll('_', '')
        .toLowerCase() === name
    )
      return value.trim();
  return undefined;
}

/** Decimal or `0x…`; undefined for anything else. */
function number(element: XmlElement | undefined, name: string): number | undefined {
  const text = attribute(element, name);
  if (text === undefined || !/^(\d{1,16}|0[xX][0-9a-fA-F]{1,12})$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

const isTrue = (element: XmlElement, name: string): boolean => /^(true|1)$/i.test(attribute(element, name) ?? '');

function readInfoSection(section: XmlElement): SpliceSection {
  const warnings: string[] = [];
  const ptsAdjustment = number(section, 'ptsadjustment') ?? 0;
  const command = readCommand(section, ptsAdjustment);
  if (command.kind === 'unknown') warnings.push('SpliceInfoSection contains no splice command');
  const descriptors = section.children.filter((child) => isNamed(child, 'segmentationdescriptor'));
  const segmentations = descriptors.flatMap((descriptor) => {
    const segmentation = readSegmentation(descriptor);
    if (segmentation === undefined) warnings.push('a SegmentationDescriptor has no segmentationTypeId; it is ignored');
    return segmentation ?? [];
  });
  const avails = section.children.filter((child) => isNamed(child, 'availdescriptor'));
  const availIds = avails.flatMap((avail) => number(avail, 'provideravailid') ?? []);
  return { ptsAdjustment, tier: number(section, 'tier') ?? 0xfff, command, segmentations, availIds, warnings };
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
        return { kind: 'schedule', events: [] };
      case 'bandwidthreservation':
        return { kind: 'bandwidthReservation' };
      case 'privatecommand':
        return { kind: 'private', identifier: number(child, 'identifier') ?? 0 };
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
  const duration = number(descendant(element, 'breakduration'), 'duration');
  const breakDuration: BreakDuration | undefined =
    duration === undefined
      ? undefined
      : { duration, autoReturn: isTrue(descendant(element, 'breakduration')!, 'autoreturn') };
  return {
    kind: 'insert',
    eventId: number(element, 'spliceeventid') ?? 0,
    isCancelled: isTrue(element, 'spliceeventcancelindicator'),
    isOut: isTrue(element, 'outofnetworkindicator'),
    isImmediate: isTrue(element, 'spliceimmediateflag'),
    ...readTime(element, adjustment),
    ...(breakDuration && { breakDuration }),
    uniqueProgramId: number(element, 'uniqueprogramid') ?? 0,
    availNum: number(element, 'availnum') ?? 0,
    availsExpected: number(element, 'availsexpected') ?? 0,
  };
}

function readSegmentation(element: XmlElement): Segmentation | undefined {
  const isCancelled = isTrue(element, 'segmentationeventcancelindicator');
  const upidElements = element.children.filter((child) => isNamed(child, 'segmentationupid'));
  // Earlier schemas and packagers have the type in an element of its own, or at the UPID.
  const own = element.children.find((child) => isNamed(child, 'segmentationtypeid'));
  const typeId =
    number(element, 'segmentationtypeid') ??
    number(own, 'segmentationtype') ??
    number(own, 'segmentationtypeid') ??
    number(upidElements[0], 'segmentationtypeid');
  if (typeId === undefined && !isCancelled) return undefined;
  const duration = number(element, 'segmentationduration') ?? number(descendant(element, 'breakduration'), 'duration');
  return {
    eventId: number(element, 'segmentationeventid') ?? number(element, 'spliceeventid') ?? 0,
    isCancelled,
    typeId: typeId ?? 0,
    ...(duration === undefined ? {} : { duration }),
    // Some packagers write the UPID as attributes of the descriptor.
    upids: (upidElements.length > 0 ? upidElements : [element]).flatMap((upid) => upidsOf(upid, upid === element)),
    segmentNum: number(element, 'segmentnum') ?? 0,
    segmentsExpected: number(element, 'segmentsexpected') ?? 0,
  };
}

/** segmentationUpidFormat is text unless it says `hexbinary` ; packagers vary its capitals. */
function upidsOf(element: XmlElement, isDescriptor: boolean): Upid[] {
  const text = (isDescriptor ? '' : element.text.trim()) || (attribute(element, 'segmentationupid') ?? '');
  if (text === '') return [];
  const type = number(element, 'segmentationupidtype') ?? 0;
  const digits = /^(?:[0-9a-f]{2})+$/i.test(text) && text.length <= 510 ? text.match(/../g)! : undefined;
  const isHexadecimal = /^hexbinary$/i.test(attribute(element, 'segmentationupidformat') ?? '');
  if (!isHexadecimal || digits === undefined) return [{ type, text }];
  return readUpids(
    type,
    Uint8Array.from(digits, (pair) => Number.parseInt(pair, 16)),
  );
}
