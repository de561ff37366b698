// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { naming } from '../../test/naming.ts';
import { anySection } from '../../test/scte35/anySection.ts';
import {
  base64,
  breakDuration,
  cancelFields,
  descriptor,
  type EncodedSection,
  encodeSection,
  hexadecimal,
  anInsert as insert,
  insertFields,
  packBits,
  readBack as read,
  segmentationDescriptor,
  aSignal as signal,
} from '../../test/scte35/encodeSection.ts';
import { writeSpliceXml } from '../../test/scte35/writeSpliceXml.ts';
import { readXml } from '../xml/read.ts';
import { readPayload, readSection } from './readSection.ts';
import { readSpliceXml } from './readSpliceXml.ts';
import { spliceActions } from './spliceActions.ts';
import type { SpliceRefusal, SpliceSection } from './spliceSection.ts';

describe('readSection', () => {
  // Two of the messages in ANSI/SCTE 35 §14.
  test('reads the samples of the standard', () => {
    const start = readPayload('/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==');
    expect(start).toMatchObject({
      command: { kind: 'timeSignal', time: 0x072bd0050 },
      segmentations: [{ eventId: 0x4800008e, typeId: 0x34, duration: 0x0001a599b0, upids: ['000000002ca0a18a'] }],
      warnings: [],
    });
    const second = readPayload('/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=');
    expect(second).toMatchObject({
      command: { eventId: 0x4800008f, isOut: true, time: 0x07369c02e, duration: 0x00052ccf5 },
      warnings: [],
    });
  });

  test('reads a splice_insert in every form', () => {
    const whole = { kind: 'insert', eventId: 7, isCancelled: false, isOut: true, time: 900_000, duration: 2_700_000 };
    expect(read(insert).command).toEqual(whole);
    const other = (form: Parameters<typeof insertFields>[0]) => read({ type: 5, command: insertFields(form) }).command;
    expect(other({ id: 7, isImmediate: true })).not.toHaveProperty('time');
    expect(other({ id: 7 })).not.toHaveProperty('time');
    expect(other({ id: 7, isOut: false, time: 1 })).toMatchObject({ isOut: false, time: 1 });
    const components = [5, 9].map((time, tag) => ({ tag, time }));
    expect(other({ id: 7, components, duration: 2 })).toMatchObject({ time: 5, duration: 2 });
    expect(read({ type: 5, command: cancelFields(9) }).command).toMatchObject({ eventId: 9, isCancelled: true });
  });

  test('reads segmentation descriptors of 40 bits, with components, sub-segments and restrictions', () => {
    const more = { subSegments: [2, 3], restrictions: [0, 1, 0, 2] } as const;
    const first = { id: 1, typeId: 0x34, duration: 2 ** 39 + 5, ...more };
    const second = { id: 2 ** 32 - 1, typeId: 0x10, components: [{ tag: 8, ptsOffset: 2 ** 32 }] } as const;
    const common = { isCancelled: false, upids: [], segmentsExpected: 1 };
    expect(read(signal(segmentationDescriptor(first), segmentationDescriptor(second))).segmentations).toEqual([
      { ...common, eventId: 1, typeId: 0x34, duration: 2 ** 39 + 5 },
      { ...common, eventId: 2 ** 32 - 1, typeId: 0x10 },
    ]);
  });

  test('reads UPIDs as text', () => {
    const upids = (type: number, bytes: readonly number[]) =>
      read(signal(segmentationDescriptor({ id: 1, typeId: 0x34, upid: { type, bytes } }))).segmentations[0]!.upids;
    const letters = (text: string) => [...Buffer.from(text)];
    const eidr = [0x14, 0x78, 0x77, 0x91, 0x85, 0x34, 0x2c, 0x23, 0x90, 0x30, 0x86, 0x10];
    const list = [0x0f, 3, ...letters('a:b'), 0x0e, 2, ...letters('k=')];
    expect(upids(0x03, letters('ABCD0123000H'))).toEqual(['ABCD0123000H']);
    expect(upids(0x0c, letters('ADFR{"a":1}'))).toEqual(['{"a":1}']);
    expect(upids(0x08, [0, 0, 0, 0, 0x2c, 0xa0, 0xa1, 0x8a])).toEqual(['000000002ca0a18a']);
    expect(upids(0x0a, eidr)).toEqual(['10.5240/7791-8534-2C23-9030-8610']);
    expect(upids(0x0d, list)).toEqual(['a:b', 'k=']);
  });

  test('reads commands that start and end nothing', () => {
    const event = [[5, 32], [0b0_1111111_111_11111, 16], [1000, 32], ...breakDuration(90), [1, 16], [0, 16]] as const;
    const others: EncodedSection[] = [
      { type: 4, command: [[1, 8], ...event] },
      { type: 0, command: [] },
      { type: 0x42, command: [[1, 24]] },
      { type: 0xff, command: [[0x41_4243_4401, 40]] },
    ];
    for (const each of others) expect(read(each)).toMatchObject({ command: { kind: 'other' }, warnings: [] });
  });

  test('skips descriptors of others and finds the loop whatever splice_command_length is', () => {
    const own = segmentationDescriptor({ id: 3, typeId: 0x34 });
    const section = signal(descriptor(0xf0, [1, 2], 0x41424344), descriptor(0x02, [1], 0x41424344), own);
    for (const commandLength of [5, 0xfff, 20]) {
      expect(read({ ...section, commandLength }).segmentations).toMatchObject([{ eventId: 3 }]);
    }
    expect(read({ ...section, stuffing: [255, 255, 255] }).warnings).toEqual([]);
  });

  test('reads what is there of a section that is cut short or followed by other bytes', () => {
    const bytes = encodeSection(insert);
    for (const missing of [1, 4, 6]) {
      const { command, warnings } = read(bytes.subarray(0, bytes.length - missing));
      expect(command).toMatchObject({ eventId: 7, time: 900_000 });
      expect(warnings).toEqual([naming(bytes.length - missing, bytes.length)]);
    }
    expect(read(Uint8Array.from([...bytes, 0, 0])).warnings).toEqual([naming(2)]);
    expect(readSection(bytes.subarray(0, 25))).toMatchObject({ code: 'CUT_OFF' });
  });

  test('refuses what it cannot trust', () => {
    const bytes = encodeSection(insert);
    expect(readSection(bytes.map((byte, i) => (i === 20 ? byte ^ 1 : byte)))).toMatchObject({ code: 'CRC' });
    const wrong = bytes.map((byte, i) => (i === bytes.length - 1 ? byte ^ 0xff : byte));
    expect(readSection(wrong)).toMatchObject({ code: 'CRC', unchecked: { command: { eventId: 7 } } });
    expect(readSection(encodeSection({ ...insert, isEncrypted: true }))).toMatchObject({ code: 'ENCRYPTED' });
    for (const version of [1, 255])
      expect(readSection(encodeSection({ ...insert, version }))).toMatchObject({ code: 'PROTOCOL_VERSION' });
    expect(readSection(new Uint8Array())).toMatchObject({ code: 'NO_SECTION' });
    expect(readSection(new Uint8Array(40))).toMatchObject({ code: 'NO_SECTION' });
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(60), (noise, at) => {
        readSection(noise);
        const bytes = [...encodeSection(signal(segmentationDescriptor({ id: 1, typeId: 0x34, duration: 90_000 })))];
        const body = bytes.slice(0, -4);
        body.splice(at, noise.length, ...noise);
        body[0] = 0xfc;
        readSection(Uint8Array.from(body));
      }),
    );
    fc.assert(fc.property(fc.string(), (text) => void readPayload(text)));
  });
});

describe('readPayload', () => {
  test('accepts base64 and hexadecimal digits', () => {
    const bytes = encodeSection(insert);
    const expected = read(bytes);
    const url = base64(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
    const digits = hexadecimal(bytes);
    for (const text of [base64(bytes), url, digits, digits.slice(2).toLowerCase(), ` ${base64(bytes)}\n`])
      expect(readPayload(text)).toEqual(expected);
    expect(readPayload('what?')).toMatchObject({ code: 'ENCODING' });
    expect(readPayload('')).toMatchObject({ code: 'ENCODING' });
  });
});

describe('spliceActions', () => {
  test('states what starts, what ends and what is cancelled; ends come first', () => {
    const section = signal(
      segmentationDescriptor({ id: 1, typeId: 0x10 }),
      segmentationDescriptor({ id: 2, typeId: 0x34, duration: 90_000 }),
      segmentationDescriptor({ id: 3, typeId: 0x37 }),
      segmentationDescriptor({ id: 4, typeId: 0x38 }),
      descriptor(0x02, packBits(cancelFields(5))),
    );
    expect(spliceActions(read(section))).toEqual([
      { action: 'end', eventId: 3, scheme: 'segmentation', typeId: 0x37, time: 900_000, rank: 2 },
      { action: 'start', eventId: 2, scheme: 'segmentation', typeId: 0x34, time: 900_000, duration: 90_000, rank: 2 },
      { action: 'cancel', eventId: 5, scheme: 'segmentation', rank: 0 },
    ]);
    expect(spliceActions(read(section), new Set([0x38]))).toMatchObject([{ eventId: 4 }, { eventId: 5 }]);
    expect(spliceActions(read(insert))).toMatchObject([{ action: 'start', eventId: 7, duration: 2_700_000 }]);
    expect(spliceActions(read({ type: 0, command: [] }))).toEqual([]);
  });
});

// Random messages in binary and in XML are read as they were meant. Damaged ones are read or refused; nothing is thrown.

function fromXml(text: string): SpliceSection | SpliceRefusal {
  const read = readXml(`<Event>${text}</Event>`);
  if (!('root' in read)) throw new Error(JSON.stringify(read));
  return readSpliceXml(read.root);
}

const isQuiet = (read: SpliceSection | SpliceRefusal): boolean => !('refused' in read) && read.warnings.length === 0;

describe('random messages', () => {
  test('are read as they were meant', () => {
    fc.assert(
      fc.property(anySection, ({ meant, section }) => {
        expect(readSection(section)).toEqual(meant);
      }),
    );
  });

  test('mean the same in XML', () => {
    fc.assert(
      fc.property(anySection, ({ meant }) => {
        const read = fromXml(writeSpliceXml(meant));
        expect(read).toEqual(meant);
        expect(spliceActions(read as SpliceSection)).toEqual(spliceActions(meant));
      }),
    );
  });

  test.each(['SpliceNull', 'SpliceSchedule', 'BandwidthReservation', 'PrivateCommand'])(
    '%s in XML states nothing',
    (name) => {
      const section = fromXml(`<SpliceInfoSection protocolVersion="0"><${name}/></SpliceInfoSection>`);
      expect(section).toEqual({ command: { kind: 'other' }, segmentations: [], warnings: [] });
    },
  );

  test('an insert of components in XML is at the first time, with ptsAdjustment', () => {
    const component = (tag: number, time: number) =>
      `<Component componentTag="${tag}"><SpliceTime ptsTime="${time}"/></Component>`;
    const insert = `<SpliceInsert spliceEventId="7" outOfNetworkIndicator="true">${component(1, 2 ** 33 - 5)}${component(2, 90)}</SpliceInsert>`;
    expect(fromXml(`<SpliceInfoSection ptsAdjustment="10">${insert}</SpliceInfoSection>`)).toMatchObject({
      command: { eventId: 7, isOut: true, time: 5 },
    });
  });

  test('have a warning or are refused if a bit is wrong or the end is missing', () => {
    fc.assert(
      fc.property(anySection, fc.nat(), ({ section }, place) => {
        const at = place % (section.length * 8);
        const flipped = section.map((byte, i) => (i === at >> 3 ? byte ^ (0x80 >> (at & 7)) : byte));
        // CRC_32 finds each wrong bit, also in section_length.
        expect(isQuiet(readSection(flipped))).toBe(false);
        expect(isQuiet(readSection(section.subarray(0, place % section.length)))).toBe(false);
      }),
      lawRuns(200),
    );
  });
});
