// SPDX-License-Identifier: Apache-2.0
// Writes a SCTE-35 message as a SpliceInfoSection (ANSI/SCTE 35 §13) for tests.
import type {
  OtherDescriptor,
  ScheduledSplice,
  Segmentation,
  SpliceCommand,
  SpliceInsert,
  SpliceSection,
  Upid,
} from '../../src/scte35/spliceSection.ts';

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
export function writeSpliceXml(section: SpliceSection): string {
  const { sapType, ptsAdjustment, cwIndex, tier, command, segmentations, availIds, others } = section;
  return element(
    'SpliceInfoSection',
    { protocolVersion: 0, sapType, ptsAdjustment, tier },
    element('EncryptedPacket', { encryptionAlgorithm: 0, cwIndex }),
    commandXml(command),
    ...availIds.map((providerAvailId) => element('AvailDescriptor', { providerAvailId })),
    ...segmentations.map(segmentationXml),
    ...others.map(otherXml),
  );
}

function commandXml(command: SpliceCommand): string {
  switch (command.kind) {
    case 'null':
      return element('SpliceNull', {});
    case 'timeSignal':
      return element('TimeSignal', {}, timeXml(command.time));
    case 'bandwidthReservation':
      return element('BandwidthReservation', {});
    case 'private':
      return element('PrivateCommand', { identifier: command.identifier }, element('PrivateBytes', {}, command.bytes));
    case 'schedule':
      return element('SpliceSchedule', {}, ...command.events.map(scheduledXml));
    case 'insert':
      return insertXml(command);
    default:
      return '';
  }
}

const timeXml = (ptsTime: number | undefined): string => element('SpliceTime', { ptsTime });

const eventAttributes = (event: ScheduledSplice): Attributes => ({
  spliceEventId: event.eventId,
  eventIdComplianceFlag: event.isIdFree,
  spliceEventCancelIndicator: event.isCancelled,
  outOfNetworkIndicator: event.isOut,
  uniqueProgramId: event.uniqueProgramId,
  availNum: event.availNum,
  availsExpected: event.availsExpected,
});

const durationXml = ({ breakDuration }: ScheduledSplice): string =>
  breakDuration === undefined ? '' : element('BreakDuration', { ...breakDuration });

function insertXml(insert: SpliceInsert): string {
  const { isImmediate, time, components } = insert;
  const times = components?.map((componentTag) => element('Component', { componentTag }, timeXml(time)));
  return element(
    'SpliceInsert',
    { ...eventAttributes(insert), spliceImmediateFlag: isImmediate },
    ...(times ?? [element('Program', {}, time === undefined ? '' : timeXml(time))]),
    durationXml(insert),
  );
}

function scheduledXml(event: ScheduledSplice): string {
  const millis = Date.UTC(1980, 0, 6) + (event.gpsSeconds ?? 0) * 1000;
  const utcSpliceTime = event.gpsSeconds === undefined ? undefined : new Date(millis).toISOString();
  return element('Event', eventAttributes(event), element('Program', { utcSpliceTime }), durationXml(event));
}

function segmentationXml(segmentation: Segmentation): string {
  const { eventId, isIdFree, isCancelled, typeId, duration, upids, restrictions, components } = segmentation;
  const { segmentNum, segmentsExpected, subSegmentNum, subSegmentsExpected } = segmentation;
  const described = { segmentationTypeId: typeId, segmentNum, segmentsExpected, subSegmentNum, subSegmentsExpected };
  const restricted = restrictions && {
    webDeliveryAllowedFlag: restrictions.isWebAllowed,
    noRegionalBlackoutFlag: restrictions.hasNoBlackout,
    archiveAllowedFlag: restrictions.isArchiveAllowed,
    deviceRestrictions: restrictions.devices,
  };
  return element(
    'SegmentationDescriptor',
    {
      segmentationEventId: eventId,
      segmentationEventCancelIndicator: isCancelled,
      segmentationEventIdComplianceIndicator: isIdFree,
      segmentationDuration: duration,
      ...(isCancelled ? {} : described),
    },
    restricted ? element('DeliveryRestrictions', restricted) : '',
    ...upids.map(upidXml),
    ...(components ?? []).map(({ tag, ptsOffset }) => element('Component', { componentTag: tag, ptsOffset })),
  );
}

function upidXml({ type, text, format }: Upid): string {
  const formatIdentifier = format === undefined ? undefined : Buffer.from(format, 'latin1').readUInt32BE();
  const attributes = { segmentationUpidType: type, segmentationUpidFormat: 'text', formatIdentifier };
  return element('SegmentationUpid', attributes, escaped(text));
}

function otherXml(other: OtherDescriptor): string {
  switch (other.kind) {
    case 'dtmf':
      return element('DTMFDescriptor', { preroll: other.preroll, chars: other.characters });
    case 'time':
      return element('TimeDescriptor', {
        ...{ taiSeconds: other.taiSeconds, taiNs: other.taiNanoseconds, utcOffset: other.utcOffset },
      });
    case 'audio': {
      const channels = other.channels.map(({ tag, language, bitStreamMode, channels, isFullService }) =>
        element('AudioChannel', {
          ...{ componentTag: tag, ISOCode: language, BitStreamMode: bitStreamMode, NumChannels: channels },
          FullSrvcAudio: isFullService ? 1 : 0,
        }),
      );
      return element('AudioDescriptor', {}, ...channels);
    }
    default: {
      const { tag, identifier, bytes } = other;
      return element(
        'PrivateDescriptor',
        { descriptorTag: tag, identifier },
        element('PrivateBytes', {}, bytes.toUpperCase()),
      );
    }
  }
}
