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

const breakDuration = fc.record({ autoReturn: flag, duration: pts }).map(({ autoReturn, duration }) => ({
  model: { duration },
  fields: [bit(autoReturn), reserved(6), [duration, 33]] as Field[],
}));
const length = fc.option(breakDuration, { nil: undefined });
const avail = fc.tuple(word, byte, byte).map((values) => values.map((each, i): Field => [each, i === 0 ? 16 : 8]));
const time = (at: number | undefined): Field[] =>
  at === undefined ? [[0, 1], reserved(7)] : [[1, 1], reserved(6), [at, 33]];

const cancelled = fc.record({ eventId: id, isIdFree: flag }).map(({ eventId, isIdFree }) => ({
  model: { eventId, isCancelled: true, isOut: false },
  fields: [[eventId, 32], [1, 1], bit(isIdFree), reserved(6)] as Field[],
}));

const insert: fc.Arbitrary<Meant<SpliceCommand>> = fc
  .record({
    eventId: id,
    isIdFree: flag,
    isOut: flag,
    isImmediate: flag,
    at: fc.option(pts, { nil: undefined }),
    avail,
    length,
    tags: fc.option(fc.array(byte, { minLength: 1, maxLength: 4 }), { nil: undefined }),
  })
  .map(({ eventId, isIdFree, isOut, isImmediate, at, avail, length, tags }) => ({
    model: {
      kind: 'insert' as const,
      eventId,
      isCancelled: false,
      isOut,
      ...(isImmediate || at === undefined ? {} : { time: at }),
      ...length?.model,
    },
    fields: [
      ...([[eventId, 32], [0, 1], bit(isIdFree), reserved(6)] as Field[]),
      ...[bit(isOut), bit(tags === undefined), bit(length !== undefined), bit(isImmediate), reserved(4)],
      ...(tags === undefined && !isImmediate ? time(at) : []),
      ...(tags === undefined ? [] : [[tags.length, 8] as Field]),
      ...(tags ?? []).flatMap((tag): Field[] => [[tag, 8], ...(isImmediate ? [] : time(at))]),
      ...(length?.fields ?? []),
      ...avail,
    ],
  }));

const scheduled = fc
  .record({ eventId: id, isIdFree: flag, isOut: flag, gpsSeconds: id, avail, length })
  .map(({ eventId, isIdFree, isOut, gpsSeconds, avail, length }): Field[] => [
    ...([[eventId, 32], [0, 1], bit(isIdFree), reserved(6), bit(isOut), [1, 1]] as Field[]),
    ...([bit(length !== undefined), reserved(5), [gpsSeconds, 32]] as Field[]),
    ...(length?.fields ?? []),
    ...avail,
  ]);

const other = (type: number, fields: readonly Field[]) => ({ type, fields, model: { kind: 'other' } as const });

/** With its splice_command_type. */
export const anyCommand: fc.Arbitrary<Meant<SpliceCommand> & { readonly type: number }> = fc.oneof(
  insert.map((meant) => ({ ...meant, type: 5 })),
  cancelled.map(({ model, fields }) => ({ type: 5, model: { kind: 'insert', ...model } as const, fields })),
  fc.option(pts, { nil: undefined }).map((at) => ({
    type: 6,
    fields: time(at),
    model: { kind: 'timeSignal' as const, ...(at === undefined ? {} : { time: at }) },
  })),
  fc
    .array(
      fc.oneof(
        scheduled,
        cancelled.map(({ fields }) => fields),
      ),
      { maxLength: 3 },
    )
    .map((events) => other(4, [[events.length, 8], ...events.flat()])),
  fc
    .record({ identifier: id, bytes: fc.uint8Array({ maxLength: 5 }) })
    .map(({ identifier, bytes }) => other(0xff, [[identifier, 32], ...Array.from(bytes, (each): Field => [each, 8])])),
  fc.constantFrom(other(0, []), other(7, [])),
);
