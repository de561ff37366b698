// SPDX-License-Identifier: Apache-2.0
// Random splice commands (ANSI/SCTE 35 §9.7) for property tests: what they mean, and their bits.
import fc from 'fast-check';
import type { SpliceCommand } from '../../src/scte35/spliceSection.ts';
import type { Field } from './encodeSection.ts';

/** What is meant, and the bits that state it. */
export type Meant<T> = { readonly model: T; readonly fields: readonly Field[] };

export const bits = (count: number) => fc.integer({ min: 0, max: 2 ** count - 1 });
export const flag = fc.boolean();
export const bit = (isSet: boolean): Field => [isSet ? 1 : 0, 1];
export const reserved = (count: number): Field => [2 ** count - 1, count];
export const [byte, word, id, pts] = [bits(8), bits(16), bits(32), bits(33)];

const breakDuration = fc.record({ autoReturn: flag, duration: pts }).map((model) => ({
  model,
  fields: [bit(model.autoReturn), reserved(6), [model.duration, 33]] as Field[],
}));
const avail = fc.record({ uniqueProgramId: word, availNum: byte, availsExpected: byte });
const availFields = (of: { uniqueProgramId: number; availNum: number; availsExpected: number }): Field[] => [
  [of.uniqueProgramId, 16],
  [of.availNum, 8],
  [of.availsExpected, 8],
];
const time = (at: number | undefined): Field[] =>
  at === undefined ? [[0, 1], reserved(7)] : [[1, 1], reserved(6), [at, 33]];
const noAvail = { uniqueProgramId: 0, availNum: 0, availsExpected: 0 };

const cancelled = fc.record({ eventId: id, isIdFree: flag }).map(({ eventId, isIdFree }) => ({
  model: { eventId, isIdFree, isCancelled: true, isOut: false, ...noAvail },
  fields: [[eventId, 32], [1, 1], bit(isIdFree), reserved(6)] as Field[],
}));

const insert: fc.Arbitrary<Meant<SpliceCommand>> = fc
  .record({
    ...{ eventId: id, isIdFree: flag, isOut: flag, isImmediate: flag, at: fc.option(pts, { nil: undefined }), avail },
    ...{
      length: fc.option(breakDuration, { nil: undefined }),
      tags: fc.option(fc.array(byte, { minLength: 1, maxLength: 4 }), { nil: undefined }),
    },
  })
  .map(({ eventId, isIdFree, isOut, isImmediate, at, avail, length, tags }) => ({
    model: {
      ...{ kind: 'insert' as const, eventId, isIdFree, isCancelled: false, isOut, isImmediate, ...avail },
      ...(isImmediate || at === undefined ? {} : { time: at }),
      ...(tags && { components: tags }),
      ...(length && { breakDuration: length.model }),
    },
    fields: [
      ...([[eventId, 32], [0, 1], bit(isIdFree), reserved(6)] as Field[]),
      ...[bit(isOut), bit(tags === undefined), bit(length !== undefined), bit(isImmediate), reserved(4)],
      ...(tags === undefined && !isImmediate ? time(at) : []),
      ...(tags === undefined ? [] : [[tags.length, 8] as Field]),
      ...(tags ?? []).flatMap((tag): Field[] => [[tag, 8], ...(isImmediate ? [] : time(at))]),
      ...(length?.fields ?? []),
      ...availFields(avail),
    ],
  }));

const scheduled = fc
  .record({
    eventId: id,
    isIdFree: flag,
    isOut: flag,
    gpsSeconds: id,
    avail,
    length: fc.option(breakDuration, { nil: undefined }),
  })
  .map(({ eventId, isIdFree, isOut, gpsSeconds, avail, length }) => ({
    model: {
      eventId,
      isIdFree,
      isCancelled: false,
      isOut,
      gpsSeconds,
      ...(length && { breakDuration: length.model }),
      ...avail,
    },
    fields: [
      ...([
        [eventId, 32],
        [0, 1],
        bit(isIdFree),
        reserved(6),
        bit(isOut),
        [1, 1],
        bit(length !== undefined),
      ] as Field[]),
      ...([reserved(5), [gpsSeconds, 32]] as Field[]),
      ...(length?.fields ?? []),
      ...availFields(avail),
    ],
  }));

/** With its splice_command_type. */
export const anyCommand: fc.Arbitrary<Meant<SpliceCommand> & { readonly type: number }> = fc.oneof(
  insert.map((meant) => ({ ...meant, type: 5 })),
  cancelled.map(({ model, fields }) => ({
    type: 5,
    model: { kind: 'insert', isImmediate: false, ...model } as const,
    fields,
  })),
  fc.option(pts, { nil: undefined }).map((at) => ({
    ...{ type: 6, fields: time(at) },
    model: { kind: 'timeSignal' as const, ...(at === undefined ? {} : { time: at }) },
  })),
  fc.array(fc.oneof(scheduled, cancelled), { maxLength: 3 }).map((events) => ({
    ...{ type: 4, fields: [[events.length, 8] as Field, ...events.flatMap(({ fields }) => fields)] },
    model: { kind: 'schedule' as const, events: events.map(({ model }) => model) },
  })),
  fc.record({ identifier: id, bytes: fc.uint8Array({ maxLength: 5 }) }).map(({ identifier, bytes }) => ({
    ...{ type: 0xff, fields: [[identifier, 32] as Field, ...Array.from(bytes, (each): Field => [each, 8])] },
    model: { kind: 'private' as const, identifier, bytes: Buffer.from(bytes).toString('hex') },
  })),
  fc.constantFrom(
    { type: 0, fields: [], model: { kind: 'null' } as const },
    { type: 7, fields: [], model: { kind: 'bandwidthReservation' } as const },
  ),
);
