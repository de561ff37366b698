// SPDX-License-Identifier: Apache-2.0
// Messages at the limits of the syntax, and messages that break it.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { naming } from '../../test/naming.ts';
import {
  base64,
  breakDuration,
  cancelFields,
  descriptor,
  encodeSection,
  type Field,
  hexadecimal,
  anInsert as insert,
  insertFields,
  packBits,
  readBack as read,
  segmentationDescriptor,
  aSignal as signal,
  spliceTime,
} from '../../test/scte35/encodeSection.ts';
import { crc32 } from '../mpegts/packet.ts';
import { readXml } from '../xml/read.ts';
import { readPayload, readSection } from './readSection.ts';
import { readSpliceXml } from './readSpliceXml.ts';
import { spliceActions } from './spliceActions.ts';

const [LARGEST_PTS, LARGEST_ID] = [2 ** 33 - 1, 2 ** 32 - 1];
/** The same bytes with a section_length, and with the CRC of these bytes. */
const resized = (bytes: Uint8Array, length: number): Uint8Array => {
  const body = [bytes[0]!, (bytes[1]! & 0xf0) | (length >> 8), length & 0xff, ...bytes.subarray(3, -4)];
  return Uint8Array.from([...body, ...packBits([[crc32(body), 32]])]);
};

describe('at the limits', () => {
  test.each([
    [0, 0, 0],
    [LARGEST_PTS, 0, LARGEST_PTS],
    [LARGEST_PTS, 1, 0],
    [LARGEST_PTS, LARGEST_PTS, LARGEST_PTS - 1],
    [2 ** 32, 2 ** 32, 0],
    [2 ** 33 - 90_000, 180_000, 90_000],
  ])('pts_time %d and pts_adjustment %d are %d', (time, ptsAdjustment, expected) => {
    const timed = { kind: 'timeSignal', time: expected };
    expect(read({ type: 6, command: spliceTime(time), ptsAdjustment }).command).toEqual(timed);
    const command = insertFields({ id: LARGEST_ID, time, duration: LARGEST_PTS });
    const meant = { eventId: LARGEST_ID, time: expected, duration: LARGEST_PTS };
    expect(read({ type: 5, command, ptsAdjustment }).command).toMatchObject(meant);
  });

  test('durations of segments have 40 bits, those of breaks 33', () => {
    for (const duration of [0, 1, 2 ** 32, 2 ** 40 - 1]) {
      const [found] = read(signal(segmentationDescriptor({ id: LARGEST_ID, typeId: 0x36, duration }))).segmentations;
      expect(found).toMatchObject({ duration, eventId: LARGEST_ID });
    }
  });

  test('as many descriptors and components as fit', () => {
    const many = Array.from({ length: 100 }, (_, id) => segmentationDescriptor({ id, typeId: 0x30 + (id % 8) }));
    expect(read(signal(...many)).segmentations).toHaveLength(100);
    const components = Array.from({ length: 255 }, (_, tag) => ({ tag, time: tag }));
    const command = insertFields({ id: 1, components, duration: 9 });
    expect(read({ type: 5, command })).toMatchObject({ command: { time: 0, duration: 9 }, warnings: [] });
    const offsets = Array.from({ length: 30 }, (_, tag) => ({ tag, ptsOffset: LARGEST_PTS - tag }));
    const own = segmentationDescriptor({ id: 1, typeId: 0x34, components: offsets });
    expect(read(signal(own)).segmentations).toMatchObject([{ typeId: 0x34 }]);
  });

  test('each combination of flags of a segmentation descriptor', () => {
    const flag = fc.boolean();
    fc.assert(
      fc.property(flag, flag, flag, flag, fc.nat(255), fc.uint8Array({ maxLength: 40 }), (a, b, c, d, typeId, upid) => {
        const own = {
          id: 9,
          typeId,
          ...(a && { duration: 2 ** 39 }),
          ...(b && { restrictions: [1, 0, 1, 2] as const }),
          ...(c && { components: [{ tag: 1, ptsOffset: 2 }] }),
          ...(d && { subSegments: [3, 4] as const }),
          upid: { type: 1, bytes: [...upid] },
        };
        const { segmentations, warnings } = read(signal(segmentationDescriptor(own)));
        expect(warnings).toEqual([]);
        expect(segmentations).toHaveLength(1);
        expect(segmentations[0]).toMatchObject({ typeId, segmentsExpected: 1 });
        expect(segmentations[0]!.duration).toBe(a ? 2 ** 39 : undefined);
      }),
    );
  });

  test('splice_schedule with several events, one of components and one cancelled', () => {
    const event = (id: number, flags: number): Field[] => [
      [id, 32],
      [0x7f, 8],
      [flags, 8],
    ];
    const avail: Field = [1 << 16, 32];
    const command: Field[] = [
      [3, 8],
      ...[...event(1, 0b110_11111), [1_000_000_000, 32] as const, avail],
      ...cancelFields(2),
      ...[...event(3, 0b101_11111), [2, 8] as const, [0x01_0000_0005, 40] as const, [0x02_0000_0006, 40] as const],
      ...[...breakDuration(90, false), avail],
    ];
    expect(read({ type: 4, command })).toEqual({ command: { kind: 'other' }, segmentations: [], warnings: [] });
    expect(spliceActions(read({ type: 4, command }))).toEqual([]);
  });

  test('UPIDs of each type', () => {
    const bytes = [...Buffer.from('ABCD0123000H')];
    const text = (type: number, of: readonly number[]) =>
      read(signal(segmentationDescriptor({ id: 1, typeId: 0x34, upid: { type, bytes: of } }))).segmentations[0]!.upids;
    for (const type of [0x01, 0x02, 0x03, 0x07, 0x09, 0x0e, 0x0f, 0x11])
      for (const padding of [[], [0, 0], [0x20], [0x0d, 0x0a, 0]])
        expect(text(type, [...bytes, ...padding])).toEqual(['ABCD0123000H']);
    expect(text(0x0f, [...Buffer.from('Žluťoučký kůň')])).toEqual(['Žluťoučký kůň']);
    // A terminal sequence, a character that changes the direction of writing, and no UTF-8.
    for (const controls of ['a\u001b[2Jb', 'a\u202eb', '\u0000a', 'a\nb'])
      expect(text(0x09, [...Buffer.from(controls)])).toEqual([Buffer.from(controls).toString('hex')]);
    expect(text(0x01, [0x41, 0xff])).toEqual(['41ff']);
    const xml = readXml(
      `<Event><SpliceInfoSection><TimeSignal/><SegmentationDescriptor segmentationTypeId="52"><SegmentationUpid
      segmentationUpidType="9">a&#9;b</SegmentationUpid></SegmentationDescriptor></SpliceInfoSection></Event>`,
    );
    expect('root' in xml && readSpliceXml(xml.root)).toMatchObject({ segmentations: [{ upids: ['610962'] }] });
    for (const type of [0x04, 0x05, 0x06, 0x08, 0x0b, 0x12, 0xfd]) expect(text(type, [1, 0xab])).toEqual(['01ab']);
    expect(text(0x10, [...Array(16).keys()])).toEqual(['00010203-0405-0607-0809-0a0b0c0d0e0f']);
    expect(text(0x0c, [1, 2, 3, 4, 0xff])).toEqual(['ff']);
    expect(text(0x0d, [0x0d, 2, 1, 0, 0x09, 1, 65, 0x0f, 9, 66])).toEqual(['A', 'B']);
    for (const type of [0x00, 0x0c, 0x0d, 0x10]) expect(text(type, [])).toEqual([]);
  });
});

describe('beyond the syntax', () => {
  test('a section_length that is wrong although the CRC is right', () => {
    const bytes = encodeSection(insert);
    for (const length of [20, bytes.length - 4, bytes.length + 40]) {
      const { command, warnings } = read(resized(bytes, length));
      expect(command).toMatchObject({ eventId: 7, duration: 2_700_000 });
      expect(warnings).toEqual([naming(length, bytes.length - 3)]);
    }
  });

  test('a pointer_field before the section, and the padding of a packet after it', () => {
    const bytes = encodeSection(insert);
    expect(read(Uint8Array.from([0, ...bytes, ...Array(100).fill(0xff)])).command).toMatchObject({ eventId: 7 });
  });

  test('a text that is encoded twice, cut within a character, or spread over lines', () => {
    const bytes = encodeSection(insert);
    const texts = [
      Buffer.from(base64(bytes)).toString('base64'),
      hexadecimal(Buffer.from(base64(bytes))),
      hexadecimal(bytes).slice(0, -1),
      base64(bytes).replace(/=+$/, '').slice(0, -1),
      base64(bytes).replace(/(.{10})/g, '$1\r\n\t'),
    ];
    for (const text of texts) expect(readPayload(text)).toMatchObject({ command: { eventId: 7, time: 900_000 } });
  });

  test('descriptors of others, too long ones and cut ones', () => {
    const own = segmentationDescriptor({ id: 3, typeId: 0x34 });
    const others = [
      ...[0x00, 0x01, 0x03, 0x04, 0xf0].map((tag) => descriptor(tag, [1, 2, 3, 4])),
      descriptor(0x02, own.slice(6), 0x53415042),
    ];
    expect(read(signal(...others, own)).segmentations).toMatchObject([{ eventId: 3 }]);
    const long = [...own];
    long[1] = 200;
    expect(read(signal(own, long))).toMatchObject({ warnings: [expect.any(String)] });
    expect(read(signal(own, own.slice(0, 1)))).toMatchObject({ segmentations: [{ eventId: 3 }] });
    expect(read(signal([2, 5, 0x43, 0x55, 0x45, 0x49, 1], own))).toMatchObject({
      segmentations: [{ eventId: 3 }],
      warnings: [expect.any(String)],
    });
  });

  test.each([0, 1, 4, 19, 21, 100, 0xffe, 0xfff])('a splice_command_length of %d', (commandLength) => {
    const own = { ...insert, descriptors: [segmentationDescriptor({ id: 3, typeId: 0x34 })], commandLength };
    expect(read(own)).toMatchObject({ command: { eventId: 7 }, segmentations: [{ eventId: 3 }] });
  });

  test('no bytes and no text throw, and their actions are within the limits', () => {
    const kind = fc.constantFrom(0, 4, 5, 6, 7, 0xff, 0x42);
    fc.assert(
      fc.property(
        kind,
        fc.uint8Array({ maxLength: 80 }),
        fc.uint8Array({ maxLength: 80 }),
        fc.nat(4095),
        (type, command, loop, commandLength) => {
          const fields = Array.from(command, (byte): Field => [byte, 8]);
          const bytes = encodeSection({ type, command: fields, descriptors: [[...loop]], commandLength });
          const cuts = [bytes, bytes.subarray(0, bytes.length - 3), resized(bytes, commandLength)];
          for (const each of cuts) {
            const found = readSection(each);
            if ('refused' in found) continue;
            for (const { time = 0, duration = 0 } of spliceActions(found)) {
              expect(time).toBeLessThan(2 ** 33);
              expect(duration).toBeLessThan(2 ** 40);
            }
          }
        },
      ),
      lawRuns(200),
    );
    fc.assert(fc.property(fc.string({ maxLength: 60 }), (text) => void readPayload(`0x${text}`)));
    fc.assert(fc.property(fc.base64String(), (text) => void readPayload(`/DA${text}`)));
  });
});
