// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { bits, byte, flag, id, pts } from '../../test/scte35/anyCommand.ts';
import { millis, secondsToFlicks } from '../time/units.ts';
import { breakEnd, breakStart, eventIdOf } from './breakMessages.ts';
import { programmeEnd, programmeStart } from './programmeMessages.ts';
import { readPayload, readSection } from './readSection.ts';
import { base64Text, hexText, type SpliceMessage, writeSection } from './writeSection.ts';

const optional = <Value>(of: fc.Arbitrary<Value>) => fc.option(of, { nil: undefined });
const timed = <Key extends string>(key: Key, value: number | undefined) =>
  (value === undefined ? {} : { [key]: value }) as { readonly [_ in Key]?: number };

const inserts = fc
  .record({ eventId: id, isCancelled: flag, isOut: flag, time: optional(pts), duration: optional(pts) })
  .map(({ eventId, isCancelled, isOut, time, duration }): SpliceMessage['command'] => {
    const common = { kind: 'insert', eventId, isCancelled } as const;
    if (isCancelled) return { ...common, isOut: false };
    return { ...common, isOut, ...timed('time', time), ...timed('duration', duration) };
  });
const signals = optional(pts).map((time): SpliceMessage['command'] => ({
  kind: 'timeSignal',
  ...timed('time', time),
}));

const texts = fc.constantFrom('ABCD0123000H', 'SIGNAL:a1b2', '{"k":"v"}', 'urn:x:ü');
type Written = SpliceMessage['segmentations'][number];
const upids: fc.Arbitrary<Written['upids'][number]> = fc.oneof(
  fc.record({ type: fc.constantFrom(0x01, 0x03, 0x09, 0x0e, 0x0f), text: texts }),
  fc.record({
    type: fc.constant(0x0a),
    text: fc.constantFrom('10.5240/7791-8534-2C23-9030-8610', '10.65535/0000-0000-0000-0000-FFFF'),
  }),
  fc.record({ type: fc.constant(0x10), text: fc.uuid() }),
  fc.record({ type: fc.constant(0x0c), format: fc.constantFrom('ADFR', 'NBCU'), text: fc.constant('{"k":"v"}') }),
);
/** Also of those that start and end a programme, a break, an advertisement and a placement opportunity. */
const types = fc.oneof(fc.constantFrom(0x10, 0x11, 0x22, 0x23, 0x30, 0x31, 0x34, 0x35), byte);
const segmentations = fc
  .record({
    eventId: id,
    isCancelled: flag,
    typeId: types,
    duration: optional(bits(40)),
    upids: fc.array(upids, { maxLength: 3 }),
    segmentNum: byte,
    segmentsExpected: byte,
  })
  .map(
    ({ duration, ...rest }): Written =>
      rest.isCancelled
        ? { ...rest, typeId: 0, upids: [], segmentNum: 0, segmentsExpected: 0 }
        : { ...rest, ...timed('duration', duration) },
  );

test('what is written is what is read, in both texts (law 8)', () => {
  const messages = fc.record({
    command: fc.oneof(inserts, signals),
    segmentations: fc.array(segmentations, { maxLength: 4 }),
  });
  fc.assert(
    fc.property(messages, (message) => {
      const section = writeSection(message);
      const read = {
        command: message.command,
        segmentations: message.segmentations.map(({ segmentNum: _, ...rest }) => ({
          ...rest,
          upids: rest.upids.map(({ text }) => text),
        })),
        warnings: [],
      };
      expect(readSection(section)).toEqual(read);
      expect(readPayload(hexText(section))).toEqual(read);
      expect(readPayload(base64Text(section))).toEqual(read);
    }),
    lawRuns(300),
  );
});

test('writes the fields in the order of the standard', () => {
  // As in ANSI/SCTE 35 §14.1, without restrictions and with a UPID that is text.
  const segmentation = { eventId: 0x4800008e, isCancelled: false, typeId: 0x34, duration: 0x1a599b0 };
  const section = writeSection({
    command: { kind: 'timeSignal', time: 0x072bd0050 },
    segmentations: [{ ...segmentation, upids: [{ type: 0x09, text: 'abcdefgh' }], segmentNum: 2, segmentsExpected: 3 }],
  });
  expect(hexText(section.subarray(0, -4))).toBe(
    '0xFC3034000000000000FFFFF00506FE72BD0050001E021C435545494800008E7FFF0001A599B009086162636465666768340203',
  );
});

test('the messages of a break have its length and one event id, which differs from those of others', () => {
  const one = { id: '0-7', startsAt: millis(1_767_225_600_123), duration: secondsToFlicks(30) };
  const eventId = eventIdOf(one);
  const command = { kind: 'insert', eventId, isCancelled: false };
  expect(readSection(breakStart(one))).toMatchObject({ command: { ...command, isOut: true, duration: 2_700_000 } });
  expect(readSection(breakEnd(one))).toMatchObject({ command: { ...command, isOut: false } });
  const unknown = readSection(breakStart({ ...one, duration: undefined }));
  expect('command' in unknown && unknown.command).not.toHaveProperty('duration');
  const others = [
    { ...one, id: '0-8' },
    { ...one, startsAt: millis(one.startsAt + 1) },
  ];
  for (const other of others) expect(eventIdOf(other)).not.toBe(eventId);
});

test('the messages of a programme have its UPID and one event id, which differs from those of others', () => {
  const eidr = '10.5240/7791-8534-2C23-9030-8610';
  const upid = { type: 'eidr', value: `${eidr}-5` } as const;
  const one = { id: 'news', startsAt: millis(1_767_225_600_123), upid };
  const common = { eventId: eventIdOf(one), isCancelled: false, upids: [eidr], segmentsExpected: 1 };
  const read = { command: { kind: 'timeSignal' }, warnings: [] };
  expect(readSection(programmeStart(one))).toEqual({ ...read, segmentations: [{ ...common, typeId: 0x10 }] });
  expect(readSection(programmeEnd(one))).toEqual({ ...read, segmentations: [{ ...common, typeId: 0x11 }] });
  expect(readSection(programmeStart({ id: 'news', startsAt: one.startsAt }))).toHaveProperty(
    'segmentations.0.upids',
    [],
  );
});
