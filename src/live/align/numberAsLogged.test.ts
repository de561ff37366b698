// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { list, marked, reading, signal, signalsOf, texts } from '../../../test/live/origin/readings.ts';
import type { OriginSegment } from '../origin.ts';

/** As an MPD with `$Time$` is read by a process that counts from another segment; time 0 is at second 0. */
const counted = (first: number, count: number, by: number): OriginSegment[] =>
  list(first, count).map((one) => ({
    ...one,
    number: one.number + by,
    mediaTime: one.number * 25_600,
    media: { url: `http://o.test/v/t${one.number * 25_600}.m4s` },
  }));

test.each([1, -1, 2, -5, 700])('a segment that another process counts differently is listed once (%i)', (by) => {
  const slots = texts(
    reading(counted(10, 4, 0), counted(10, 4, 0)),
    reading(counted(11, 4, by), counted(11, 4, -by)),
    reading(counted(12, 4, 0), counted(12, 4, 0)),
    reading(counted(13, 4, by), counted(13, 4, -by)),
  );
  expect(slots).toEqual(['*10|10', '11|11', '12|12', '13|13', '14|14', '15|15', '16|16']);
});

test('markers keep their places', () => {
  const first = reading(counted(10, 4, 0));
  const plain = marked([signal(14)], counted(11, 4, 0));
  const other = marked([signal(14 + 3)], counted(11, 4, 3));
  expect(signalsOf(first, other)).toEqual(signalsOf(first, plain));
});

test('an encoder that uses times and names again has numbers of its own', () => {
  const again = counted(10, 3, -9).map((one, index) => ({ ...one, startsAt: list(100, 3)[index]!.startsAt! }));
  expect(texts(reading(counted(10, 4, 0)), reading(again))).toEqual(['*10', '11', '12', '13', '*1', '2', '3']);
});
