// SPDX-License-Identifier: Apache-2.0
// Writes a SCTE-35 message as a SpliceInfoSection (ANSI/SCTE 35 §13) for tests.
import type { Segmentation, SpliceCommand, SpliceSection } from '../../src/scte35/spliceSection.ts';

type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const escaped = (text: string): string =>
  text.replace(/[&<"]/g, (character) => `&#${character.charCodeAt(0)};`).replace(/[\t\r\n]/g, ' ');

function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(`${value}`)}"`],
  );
  return `<${name}${written.join('')}>${content.join('')}</${name}>`;
}

/** @param section its times must have no pts_adjustment yet */
export const writeSpliceXml = ({ command, segmentations }: SpliceSection): string =>
  element(
    'SpliceInfoSection',
    { protocolVersion: 0, sapType: 3, ptsAdjustment: 0, tier: 4095 },
    element('EncryptedPacket', { encryptionAlgorithm: 0, cwIndex: 255 }),
    commandXml(command),
    element('AvailDescriptor', { providerAvailId: 7 }),
    ...segmentations.map(segmentationXml),
    element('DTMFDescriptor', { preroll: 5, chars: '121*' }),
  );

function commandXml(command: SpliceCommand): string {
  if (command.kind === 'other') return element('SpliceNull', {});
  const time = 'time' in command ? element('SpliceTime', { ptsTime: command.time }) : '';
  if (command.kind === 'timeSignal') return element('TimeSignal', {}, time);
  const { eventId, isCancelled, isOut, duration } = command;
  return element(
    'SpliceInsert',
    { spliceEventId: eventId, spliceEventCancelIndicator: isCancelled, outOfNetworkIndicator: isOut },
    element('Program', {}, time),
    duration === undefined ? '' : element('BreakDuration', { autoReturn: true, duration }),
  );
}

function segmentationXml({ eventId, isCancelled, typeId, duration, upids, segmentsExpected }: Segmentation): string {
  return element(
    'SegmentationDescriptor',
    {
      segmentationEventId: eventId,
      segmentationEventCancelIndicator: isCancelled,
      segmentationDuration: duration,
      ...(isCancelled ? {} : { segmentationTypeId: typeId, segmentNum: 1, segmentsExpected }),
    },
    element('DeliveryRestrictions', { webDeliveryAllowedFlag: false, deviceRestrictions: 3 }),
    ...upids.map((text) =>
      element('SegmentationUpid', { segmentationUpidType: 9, segmentationUpidFormat: 'text' }, escaped(text)),
    ),
  );
}
