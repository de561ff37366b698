// SPDX-License-Identifier: Apache-2.0

import { describe, expect, test } from 'vitest';
import {
  list,
  logOf,
  marked,
  OPTIONS,
  RULES,
  reading,
  signal,
  signalsOf,
  since,
} from '../../../test/live/origin/readings.ts';
import { secondsToFlicks } from '../../time/units.ts';
import type { OriginReading, OriginSignal } from '../origin.ts';

describe('signals', () => {
  test('are placed on their segments, each once', () => {
    const readings = [
      marked([signal(2)], list(0, 4)),
      marked([signal(2)], list(1, 4)),
      marked([signal(2)], list(2, 4)),
    ];
    expect(signalsOf(...readings)).toEqual(['0:4']);
  });

  test('a tag at each segment is a signal at each place', () => {
    const cues = (...numbers: number[]) => numbers.map((number) => signal(number, '#EXT-X-CUE:TYPE="SpliceOut"'));
    expect(signalsOf(marked(cues(1, 2), list(0, 3)), marked(cues(1, 2, 3), list(1, 3)))).toEqual(['0:2', '0:4', '1:6']);
  });

  test('a tag at the edge is placed at once, and on its segment later', () => {
    expect(signalsOf(marked([signal(3)], list(0, 3)), marked([signal(3)], list(1, 3)))).toEqual(['0:6']);
    expect(signalsOf(reading(list(0, 3)), marked([signal(3)], list(0, 3)), marked([signal(3)], list(1, 3)))).toEqual([
      '1:6',
    ]);
  });

  test('a signal within segments that no slot contains yet waits', () => {
    const lagging = [marked([signal(3)], list(0, 5), list(0, 2)), marked([signal(3)], list(0, 5), list(0, 5))];
    expect(signalsOf(...lagging)).toEqual(['1:6']);
    expect(signalsOf(marked([signal(1, '#EXT-X-DATERANGE:ID="a"', 60)], list(0, 5), list(0, 2)))).toEqual(['0:62']);
  });

  test('a date range that moves a little is the same, with other attributes it is not', () => {
    const range = (number: number, raw: string, offset: number) => signal(number, `#EXT-X-DATERANGE:${raw}`, offset);
    const readings = [
      marked([range(2, 'ID="a"', 8)], list(0, 4)),
      marked([range(3, 'ID="a"', 6.3)], list(1, 4)),
      marked([range(4, 'ID="a",END-ON-NEXT=YES', 4)], list(2, 4)),
    ];
    expect(signalsOf(...readings)).toEqual(['0:12', '2:12']);
  });

  test('an event whose length changes is another one', () => {
    const event = (seconds: number) => ({ ...signal(2, '<Event id="7">'), duration: secondsToFlicks(seconds) });
    const readings = [24, 24, 48, 48].map((seconds, index) => marked([event(seconds)], list(index, 4)));
    expect(signalsOf(...readings)).toEqual(['0:4', '2:4']);
  });

  test('a log that begins within a break has the signals before it', () => {
    const [entry] = logOf([marked([signal(1)], list(0, 30))], { history: 10_000 });
    expect(since(entry!.slots[0]!.start)).toBe(50);
    expect(entry!.signals.map((one) => since(one.at))).toEqual([2]);
  });

  test('are in the order of their times, and nonsense is left out', () => {
    const all = [
      signal(2),
      signal(0, '#a', 1),
      signal(Number.NaN),
      { ...signal(1), offset: Number.NaN as never },
      signal(99),
    ];
    expect(signalsOf(marked(all, list(0, 4)))).toEqual(['0:1', '0:4']);
  });

  test('those that are announced far ahead wait until a node that starts would find them in the log', () => {
    const ahead = signal(2, '#EXT-X-DATERANGE:ID="a"', 20 * 60);
    expect(signalsOf(marked([ahead], list(0, 4)), marked([ahead], list(0, 400)))).toEqual(['1:1204']);
  });

  test('those before what is remembered are not logged again', () => {
    const old = [marked([signal(0)], list(0, 3)), marked([signal(0)], list(0, 900)), marked([signal(0)], list(0, 901))];
    expect(signalsOf(...old)).toEqual(['0:0']);
  });
});

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
