// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { list, logOf, marked, reading, signal, signalsOf, since } from '../../../test/live/origin/readings.ts';
import { secondsToFlicks } from '../../time/units.ts';

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
