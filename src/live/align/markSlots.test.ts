// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { list, logOf, marked, OPTIONS, RULES, reading, signal, since } from '../../../test/live/origin/readings.ts';
import type { OriginReading, OriginSignal } from '../origin.ts';

/** The tags of slots of 2 s, after the second at which the slot starts. */
const tagsOf = (...readings: OriginReading[]): string[] =>
  logOf(readings, OPTIONS, 2000, { ...RULES, markers: 'pass' }).flatMap(({ slots }) =>
    slots.flatMap(({ start, tags = [] }) => tags.map((tag) => `${since(start)} ${tag}`)),
  );
const end = (number: number, raw = '#EXT-X-CUE-IN'): OriginSignal => ({ ...signal(number, raw), kind: 'in' });
const range = (number: number, offset: number, rest = ''): OriginSignal => ({
  ...signal(number, `#EXT-X-DATERANGE:ID="a",SCTE35-OUT=0xFC${rest}`, offset),
  id: 'daterange a',
});

test('tags are kept at the segments before which the origin lists them', () => {
  const cues = [signal(1), { ...signal(2, '#EXT-X-CUE-OUT-CONT:2/30'), kind: 'continue' as const }, end(4)];
  const expected = ['2 #EXT-X-CUE-OUT:30', '4 #EXT-X-CUE-OUT-CONT:2/30', '8 #EXT-X-CUE-IN'];
  expect(tagsOf(marked(cues, list(0, 6)))).toEqual(expected);
  const parts = [2, 3, 4, 5].map((count) =>
    marked(
      cues.filter(({ number }) => number <= count),
      list(0, count),
    ),
  );
  expect(tagsOf(...parts)).toEqual(expected);
  expect(logOf(parts).flatMap(({ slots }) => slots.flatMap(({ tags = [] }) => tags))).toEqual([]);
});

test('a tag is one line and is listed once, also if it is several signals', () => {
  const text = '#EXT-X-CUE:TYPE="SpliceOut",\nID="1"';
  const both = [signal(1, text), { ...signal(1, text), kind: 'in' as const }, signal(1, '#EXT-X-CUE-OUT:30')];
  expect(tagsOf(marked(both, list(0, 3)))).toEqual(['2 #EXT-X-CUE:TYPE="SpliceOut",ID="1"', '2 #EXT-X-CUE-OUT:30']);
});

test('tags that cannot be read are left out', () => {
  const unread = { ...signal(1, '#EXT-OATCLS-SCTE35:%%'), kind: 'unread' as const, warnings: ['no message'] };
  expect(tagsOf(marked([unread, signal(2)], list(0, 4)))).toEqual(['4 #EXT-X-CUE-OUT:30']);
});

test('signals of other sources are not tags', () => {
  expect(tagsOf(marked([signal(1, '<Event presentationTime="0">')], list(0, 3)))).toEqual([]);
});

test('a tag within a segment belongs to the nearest start of one', () => {
  const offsets = [0.9, 1, 1.9].map((offset, index) => signal(2, `#EXT-X-CUE-OUT:${index}`, offset));
  expect(tagsOf(marked(offsets, list(0, 3)), reading(list(1, 3)))).toEqual([
    '4 #EXT-X-CUE-OUT:0',
    '6 #EXT-X-CUE-OUT:1',
    '6 #EXT-X-CUE-OUT:2',
  ]);
});

test('a tag for segments that were listed without it is left out', () => {
  expect(tagsOf(reading(list(0, 3)), marked([signal(1)], list(0, 4)))).toEqual([]);
});

test('a date range that is announced ahead is listed at its time, after the end of another break', () => {
  const readings = [marked([range(0, 8)], list(0, 3)), marked([end(4), range(0, 8)], list(0, 6))];
  expect(tagsOf(...readings)).toEqual(['8 #EXT-X-CUE-IN', '8 #EXT-X-DATERANGE:ID="a",SCTE35-OUT=0xFC']);
});

test('a date range that is moved or cancelled before its time is listed where it takes place', () => {
  const first = marked([range(0, 8)], list(0, 3));
  expect(tagsOf(first, marked([range(0, 10, ',PLANNED-DURATION=30')], list(0, 7)))).toEqual([
    '10 #EXT-X-DATERANGE:ID="a",SCTE35-OUT=0xFC,PLANNED-DURATION=30',
  ]);
  const cancel: OriginSignal = { ...signal(3, '#EXT-OATCLS-SCTE35:cancel'), kind: 'cancel', id: 'daterange a' };
  expect(tagsOf(first, marked([cancel], list(0, 7)))).toEqual(['6 #EXT-OATCLS-SCTE35:cancel']);
});

test('a further tag of a date range is listed if it adds attributes and changes none', () => {
  const further = (number: number, rest: string) => ({
    ...range(number, 0),
    ...end(number, `#EXT-X-DATERANGE:ID="a"${rest}`),
  });
  const tags = [
    range(1, 0),
    further(2, ',SCTE35-OUT=0xFD'),
    further(3, ',SCTE35-IN=0xFC'),
    further(4, ',SCTE35-IN=0xFC'),
  ];
  const expected = ['2 #EXT-X-DATERANGE:ID="a",SCTE35-OUT=0xFC', '6 #EXT-X-DATERANGE:ID="a",SCTE35-IN=0xFC'];
  expect(tagsOf(marked(tags, list(0, 6)))).toEqual(expected);
  const parts = tags.map((_, index) => marked(tags.slice(0, index + 1), list(0, index + 2)));
  expect(tagsOf(...parts)).toEqual(expected);
});
