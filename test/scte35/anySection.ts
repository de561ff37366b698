// SPDX-License-Identifier: Apache-2.0
// Random SCTE-35 messages (ANSI/SCTE 35 §9.6, §10) for property tests: what they mean, and their bytes.
import fc from 'fast-check';
import type { Segmentation, SpliceSection } from '../../src/scte35/spliceSection.ts';
import { anyCommand, bit, bits, byte, flag, id, type Meant, pts, reserved, word } from './anyCommand.ts';
import { descriptor, encodeSection, type Field, packBits } from './encodeSection.ts';

const CUEI = 0x43554549;

const text = fc.constantFrom('ABCD0123000H', 'a=1&b=<2>', 'urn:x:y"z"', '{"k":"v"}');
const upid = fc.oneof(
  fc.record({ type: fc.constantFrom(0x01, 0x02, 0x03, 0x07, 0x09, 0x0e, 0x0f, 0x11), text }),
  fc.record({ type: fc.constant(0x0c), text, format: fc.constantFrom('ADFR', 'NBCU') }),
);
const upidBytes = ({ text, format = '' }: { text: string; format?: string }) => [
  ...Buffer.from(format + text, 'latin1'),
];

const segmentation: fc.Arbitrary<Meant<Segmentation>> = fc
  .record({
    eventId: id,
    isIdFree: flag,
    isCancelled: fc.nat(9).map((n) => n === 0),
    typeId: byte,
    num: byte,
    expected: byte,
    duration: fc.option(bits(40), { nil: undefined }),
    upids: fc.array(upid, { maxLength: 3 }),
    sub: fc.option(fc.tuple(byte, byte), { nil: undefined }),
    restrictions: fc.option(
      fc.record({ isWebAllowed: flag, hasNoBlackout: flag, isArchiveAllowed: flag, devices: fc.nat(3) }),
      { nil: undefined },
    ),
    components: fc.option(fc.array(fc.record({ tag: byte, ptsOffset: pts }), { minLength: 1, maxLength: 3 }), {
      nil: undefined,
    }),
  })
  .map(({ eventId, isIdFree, isCancelled, typeId, num, expected, duration, upids, sub, restrictions, components }) => {
    const head: Field[] = [[CUEI, 32], [eventId, 32], bit(isCancelled), bit(isIdFree), reserved(6)];
    if (isCancelled) {
      return { model: { eventId, isCancelled, typeId: 0, upids: [], segmentsExpected: 0 }, fields: head };
    }
    const texts = upids.map(upidBytes);
    const content =
      upids.length === 1 ? texts[0]! : upids.flatMap(({ type }, i) => [type, texts[i]!.length, ...texts[i]!]);
    const type = upids.length === 0 ? 0 : upids.length === 1 ? upids[0]!.type : 0x0d;
    const { isWebAllowed = true, hasNoBlackout = true, isArchiveAllowed = true, devices = 3 } = restrictions ?? {};
    return {
      model: {
        eventId,
        isCancelled,
        typeId,
        upids: upids.map((each) => each.text),
        segmentsExpected: expected,
        ...(duration === undefined ? {} : { duration }),
      },
      fields: [
        ...[...head, bit(components === undefined), bit(duration !== undefined), bit(restrictions === undefined)],
        ...([bit(isWebAllowed), bit(hasNoBlackout), bit(isArchiveAllowed), [devices, 2]] as Field[]),
        ...(components === undefined ? [] : [[components.length, 8] as Field]),
        ...(components ?? []).flatMap(({ tag, ptsOffset }): Field[] => [[tag, 8], reserved(7), [ptsOffset, 33]]),
        ...(duration === undefined ? [] : [[duration, 40] as Field]),
        ...([[type, 8], [content.length, 8], ...content.map((each): Field => [each, 8])] as Field[]),
        ...([[typeId, 8], [num, 8], [expected, 8], ...(sub ?? []).map((each): Field => [each, 8])] as Field[]),
      ],
    };
  });

const audioChannel = fc
  .record({ tag: byte, language: fc.constantFrom('eng', 'deu'), facts: byte })
  .map(({ tag, language, facts }) => [tag, ...Buffer.from(language), facts]);

const ofBytes = (bytes: Iterable<number>): Field[] => Array.from(bytes, (each): Field => [each, 8]);

/** A descriptor that states nothing about breaks: avail, DTMF, time, audio, or that of another owner. */
const other: fc.Arbitrary<{ readonly tag: number; readonly fields: readonly Field[] }> = fc.oneof(
  id.map((availId) => ({
    tag: 0,
    fields: [
      [CUEI, 32],
      [availId, 32],
    ] as Field[],
  })),
  fc.tuple(byte, fc.constantFrom('', '1', '121*', '519#***')).map(([preroll, characters]) => ({
    tag: 1,
    fields: [
      [CUEI, 32],
      [preroll, 8],
      [characters.length, 3],
      reserved(5),
      ...ofBytes(Buffer.from(characters)),
    ] as Field[],
  })),
  fc.tuple(bits(48), id, word).map(([seconds, nanoseconds, offset]) => ({
    tag: 3,
    fields: [
      [CUEI, 32],
      [seconds, 48],
      [nanoseconds, 32],
      [offset, 16],
    ] as Field[],
  })),
  fc.array(audioChannel, { maxLength: 3 }).map((channels) => ({
    tag: 4,
    fields: [[CUEI, 32], [channels.length, 4], reserved(4), ...ofBytes(channels.flat())] as Field[],
  })),
  fc
    .tuple(byte, fc.constantFrom(0x41424344, 0xffffffff), fc.uint8Array({ maxLength: 6 }))
    .map(([tag, identifier, bytes]) => ({ tag, fields: [[identifier, 32] as Field, ...ofBytes(bytes)] })),
);

/** A message without pts_adjustment, and its section. */
export const anySection: fc.Arbitrary<{ readonly meant: SpliceSection; readonly section: Uint8Array }> = fc
  .record({
    sapType: bits(2),
    cwIndex: byte,
    tier: bits(12),
    command: anyCommand,
    segmentations: fc.array(segmentation, { maxLength: 3 }),
    others: fc.array(other, { maxLength: 5 }),
    isLengthStated: flag,
  })
  .map(({ command, segmentations, others, isLengthStated, ...rest }) => {
    const written = (tag: number, fields: readonly Field[]) => {
      const [[identifier] = [0, 0]] = fields;
      return descriptor(tag, packBits(fields).slice(4), identifier);
    };
    const descriptors = [
      ...others.map(({ tag, fields }) => written(tag, fields)),
      ...segmentations.map(({ fields }) => written(2, fields)),
    ];
    // Old senders do not state the length. That of a private command cannot be known otherwise.
    const length = isLengthStated || command.type === 0xff ? {} : { commandLength: 0xfff };
    return {
      meant: { command: command.model, segmentations: segmentations.map(({ model }) => model), warnings: [] },
      section: encodeSection({ ...rest, type: command.type, command: command.fields, descriptors, ...length }),
    };
  });
