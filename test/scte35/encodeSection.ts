// SPDX-License-Identifier: Apache-2.0
// Writes SCTE-35 sections (ANSI/SCTE 35 §9.6) for tests: a list of fields, each a value and its number of bits.
import { crc32 } from '../../src/mpegts/packet.ts';
import { readSection } from '../../src/scte35/readSection.ts';
import type { SpliceSection } from '../../src/scte35/spliceSection.ts';

export type Field = readonly [value: number, bits: number];

export function packBits(fields: readonly Field[]): number[] {
  const bits = fields.map(([value, count]) => BigInt(value).toString(2).padStart(count, '0').slice(-count)).join('');
  return (bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2));
}

export type EncodedSection = {
  readonly type: number;
  readonly command: readonly Field[];
  readonly descriptors?: readonly (readonly number[])[];
  readonly ptsAdjustment?: number;
  readonly sapType?: number;
  readonly cwIndex?: number;
  readonly tier?: number;
  readonly commandLength?: number;
  readonly isEncrypted?: boolean;
  readonly version?: number;
  /** Bytes between the descriptor loop and the CRC. */
  readonly stuffing?: readonly number[];
};

export function encodeSection(section: EncodedSection): Uint8Array {
  const { type, descriptors = [], ptsAdjustment = 0, isEncrypted = false, version = 0, stuffing = [] } = section;
  const { sapType = 3, cwIndex = 0xff, tier = 0xfff } = section;
  const command = packBits(section.command);
  const loop = descriptors.flat();
  const length = 11 + command.length + 2 + loop.length + stuffing.length + 4;
  const head: Field[] = [
    ...([
      [0xfc, 8],
      [sapType, 4],
      [length, 12],
      [version, 8],
      [isEncrypted ? 1 : 0, 1],
      [0, 6],
    ] as const),
    ...([
      [ptsAdjustment, 33],
      [cwIndex, 8],
      [tier, 12],
      [section.commandLength ?? command.length, 12],
      [type, 8],
    ] as const),
  ];
  const bytes = [...packBits(head), ...command, ...packBits([[loop.length, 16]]), ...loop, ...stuffing];
  return Uint8Array.from([...bytes, ...packBits([[crc32(bytes), 32]])]);
}

/** splice_time() with a time, or without one. */
export const spliceTime = (time?: number): Field[] =>
  time === undefined
    ? [
        [0, 1],
        [0x7f, 7],
      ]
    : [
        [1, 1],
        [0x3f, 6],
        [time, 33],
      ];

export const breakDuration = (duration: number, autoReturn = true): Field[] => [
  ...([
    [autoReturn ? 1 : 0, 1],
    [0x3f, 6],
    [duration, 33],
  ] as const),
];

export type EncodedInsert = {
  readonly id: number;
  readonly isOut?: boolean;
  readonly time?: number;
  readonly duration?: number;
  readonly isImmediate?: boolean;
  /** Component mode: tags with a time each. */
  readonly components?: readonly { readonly tag: number; readonly time: number }[];
};

/** The fields of a splice_insert. */
export function insertFields({
  id,
  isOut = true,
  time,
  duration,
  isImmediate = false,
  components,
}: EncodedInsert): Field[] {
  const flag = (isSet: boolean): Field => [isSet ? 1 : 0, 1];
  return [
    ...([
      [id, 32],
      [0, 1],
      [0x7f, 7],
    ] as const),
    ...[flag(isOut), flag(components === undefined), flag(duration !== undefined), flag(isImmediate)],
    [0xf, 4],
    ...(components === undefined && !isImmediate ? spliceTime(time) : []),
    ...(components === undefined ? [] : ([[components.length, 8]] as const)),
    ...(components ?? []).flatMap((each): Field[] => [[each.tag, 8], ...(isImmediate ? [] : spliceTime(each.time))]),
    ...(duration === undefined ? [] : breakDuration(duration)),
    ...([
      [1, 16],
      [1, 8],
      [2, 8],
    ] as const),
  ];
}

/** The fields of a splice_insert or of a segmentation_descriptor that cancels an event. */
export const cancelFields = (id: number): Field[] => [[id * 256 + 0xff, 40]];

/** A splice_insert, and a time_signal with descriptors, for 10 s after the zero of the clock. */
export const anInsert: EncodedSection = {
  type: 5,
  command: insertFields({ id: 7, time: 900_000, duration: 2_700_000 }),
};
export const aSignal = (...descriptors: number[][]): EncodedSection => ({
  type: 6,
  command: spliceTime(900_000),
  descriptors,
});

/** @throws if it cannot be read */
export function readBack(section: EncodedSection | Uint8Array): SpliceSection {
  const result = readSection(section instanceof Uint8Array ? section : encodeSection(section));
  if ('refused' in result) throw new Error(result.refused);
  return result;
}

/** @param content after the identifier */
export function descriptor(tag: number, content: readonly number[], identifier = 0x43554549): number[] {
  return [tag, content.length + 4, ...packBits([[identifier, 32]]), ...content];
}

export type EncodedSegmentation = {
  readonly id: number;
  readonly typeId: number;
  readonly duration?: number;
  readonly upid?: { readonly type: number; readonly bytes: readonly number[] };
  /** segment_num and segments_expected; 1 of 1 when absent. */
  readonly segments?: readonly [number, number];
  readonly subSegments?: readonly [number, number];
  /** web, no blackout, archive (1 bit each), devices (2 bits). */
  readonly restrictions?: readonly [number, number, number, number];
  readonly components?: readonly { readonly tag: number; readonly ptsOffset: number }[];
};

export function segmentationDescriptor(segmentation: EncodedSegmentation): number[] {
  const { id, typeId, duration, upid = { type: 0, bytes: [] }, subSegments, restrictions, components } = segmentation;
  const [segmentNum, segmentsExpected] = segmentation.segments ?? [1, 1];
  const [web, blackout, archive, devices] = restrictions ?? [1, 1, 1, 3];
  const fields: Field[] = [
    ...([
      [id, 32],
      [0, 1],
      [0x7f, 7],
    ] as const),
    [components === undefined ? 1 : 0, 1],
    [duration === undefined ? 0 : 1, 1],
    [restrictions === undefined ? 1 : 0, 1],
    ...([
      [web, 1],
      [blackout, 1],
      [archive, 1],
      [devices, 2],
    ] as const),
    ...(components === undefined ? [] : ([[components.length, 8]] as const)),
    ...(components ?? []).flatMap(({ tag, ptsOffset }): Field[] => [
      [tag, 8],
      [0x7f, 7],
      [ptsOffset, 33],
    ]),
    ...(duration === undefined ? [] : ([[duration, 40]] as const)),
    ...([
      [upid.type, 8],
      [upid.bytes.length, 8],
    ] as const),
    ...upid.bytes.map((byte): Field => [byte, 8]),
    ...([
      [typeId, 8],
      [segmentNum, 8],
      [segmentsExpected, 8],
    ] as const),
    ...(subSegments ?? []).map((each): Field => [each, 8]),
  ];
  return descriptor(0x02, packBits(fields));
}

export const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');
export const hexadecimal = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex').toUpperCase()}`;
