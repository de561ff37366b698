// SPDX-License-Identifier: Apache-2.0
// Random SCTE-35 messages (ANSI/SCTE 35 §9.6, §10) for property tests: what they mean, and their bytes.
import fc from 'fast-check';
import type { OtherDescriptor, Segmentation, SpliceSection } from '../../src/scte35/spliceSection.ts';
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
    ...{
      eventId: id,
      isIdFree: flag,
      isCancelled: fc.nat(9).map((n) => n === 0),
      typeId: byte,
      num: byte,
      expected: byte,
    },
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
      const model = { eventId, isIdFree, isCancelled, typeId: 0, upids: [], segmentNum: 0, segmentsExpected: 0 };
      return { model, fields: head };
    }
    const texts = upids.map(upidBytes);
    const content =
      upids.length === 1 ? texts[0]! : upids.flatMap(({ type }, i) => [type, texts[i]!.length, ...texts[i]!]);
    const type = upids.length === 0 ? 0 : upids.length === 1 ? upids[0]!.type : 0x0d;
    const { isWebAllowed = true, hasNoBlackout = true, isArchiveAllowed = true, devices = 3 } = restrictions ?? {};
    return {
      model: {
        ...{ eventId, isIdFree, isCancelled, typeId, upids, segmentNum: num, segmentsExpected: expected },
        ...(duration === undefined ? {} : { duration }),
        ...(sub && { subSegmentNum: sub[0], subSegmentsExpected: sub[1] }),
        ...(restrictions && { restrictions }),
        ...(components && { components }),
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

const audioChannel = fc.record({
  ...{
    tag: byte,
    language: fc.constantFrom('eng', 'deu'),
    bitStreamMode: bits(3),
    channels: bits(4),
    isFullService: flag,
  },
});

const other: fc.Arbitrary<Meant<OtherDescriptor> & { readonly tag: number }> = fc.oneof(
  fc.record({ preroll: byte, characters: fc.constantFrom('', '1', '121*', '519#***') }).map((model) => ({
    ...{ tag: 1, model: { kind: 'dtmf' as const, ...model } },
    fields: [
      ...([[CUEI, 32], [model.preroll, 8], [model.characters.length, 3], reserved(5)] as Field[]),
      ...[...Buffer.from(model.characters)].map((each): Field => [each, 8]),
    ],
  })),
  fc.record({ taiSeconds: bits(48), taiNanoseconds: id, utcOffset: word }).map((model) => ({
    ...{ tag: 3, model: { kind: 'time' as const, ...model } },
    fields: [
      [CUEI, 32],
      [model.taiSeconds, 48],
      [model.taiNanoseconds, 32],
      [model.utcOffset, 16],
    ] as Field[],
  })),
  fc.array(audioChannel, { maxLength: 3 }).map((channels) => ({
    ...{ tag: 4, model: { kind: 'audio' as const, channels } },
    fields: [
      ...([[CUEI, 32], [channels.length, 4], reserved(4)] as Field[]),
      ...channels.flatMap((each): Field[] => [
        ...[each.tag, ...Buffer.from(each.language)].map((value): Field => [value, 8]),
        ...([[each.bitStreamMode, 3], [each.channels, 4], bit(each.isFullService)] as Field[]),
      ]),
    ],
  })),
  fc
    .record({ tag: byte, identifier: fc.constantFrom(0x41424344, 0xffffffff), bytes: fc.uint8Array({ maxLength: 6 }) })
    .map(({ tag, identifier, bytes }) => ({
      ...{ tag, model: { kind: 'other' as const, tag, identifier, bytes: Buffer.from(bytes).toString('hex') } },
      fields: [[identifier, 32] as Field, ...Array.from(bytes, (each): Field => [each, 8])],
    })),
);

/** A message without pts_adjustment, and its section. */
export const anySection: fc.Arbitrary<{ readonly meant: SpliceSection; readonly section: Uint8Array }> = fc
  .record({
    ...{
      sapType: bits(2),
      cwIndex: byte,
      tier: bits(12),
      command: anyCommand,
      availIds: fc.array(id, { maxLength: 2 }),
    },
    ...{ segmentations: fc.array(segmentation, { maxLength: 3 }), others: fc.array(other, { maxLength: 3 }) },
    isLengthStated: flag,
  })
  .map(({ command, segmentations, others, availIds, isLengthStated, ...rest }) => {
    const written = (tag: number, fields: readonly Field[]) => {
      const content = packBits(fields);
      return descriptor(
        tag,
        content.slice(4),
        packBits([fields[0]!]).reduce((all, each) => all * 256 + each, 0),
      );
    };
    const descriptors = [
      ...availIds.map((each) =>
        written(0, [
          [CUEI, 32],
          [each, 32],
        ]),
      ),
      ...others.map(({ tag, fields }) => written(tag, fields)),
      ...segmentations.map(({ fields }) => written(2, fields)),
    ];
    // Old senders do not state the length. That of a private command cannot be known otherwise.
    const length = isLengthStated || command.type === 0xff ? {} : { commandLength: 0xfff };
    return {
      meant: {
        ...{ ...rest, ptsAdjustment: 0, command: command.model, availIds, warnings: [] },
        segmentations: segmentations.map(({ model }) => model),
        others: others.map(({ model }) => model),
      },
      section: encodeSection({ ...rest, type: command.type, command: command.fields, descriptors, ...length }),
    };
  });
