// SPDX-License-Identifier: Apache-2.0
// Breaks, placement opportunities and advertisements of SCTE-35 within each other, as programmers send them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { inSeconds, type Segmentation, segmentation } from '../../test/markers/markedBreaks.ts';
import { encodeSection, insertFields, spliceTime } from '../../test/scte35/encodeSection.ts';
import { readSection } from '../scte35/readSection.ts';
import { flicks, secondsToFlicks } from '../time/units.ts';
import { collectBreaks } from './breakFold.ts';
import { spliceStatements } from './spliceStatements.ts';

type Step = readonly [at: number, ...of: readonly (Segmentation | 'out' | 'in' | `out/${number}`)[]];

const ticks = (at: number) => at * 90_000;

/** The message of a step; `out` and `in` are a splice_insert, everything else is described by descriptors. */
function messageOf([at, ...of]: Step): Uint8Array {
  const descriptors = of.filter((each) => typeof each !== 'string').map(segmentation);
  const [kind, seconds] = of.find((each) => typeof each === 'string')?.split('/') ?? [];
  const time = ticks(at);
  if (kind === undefined) return encodeSection({ type: 6, command: spliceTime(time), descriptors });
  const duration = seconds === undefined ? {} : { duration: ticks(Number(seconds)) };
  const command = insertFields({ id: 7, isOut: kind === 'out', time, ...duration });
  return encodeSection({ type: 5, command, descriptors });
}

function breaksOf(...steps: readonly Step[]): string[] {
  const signals = steps.flatMap((step) => {
    const { statements } = spliceStatements(readSection(messageOf(step)));
    return statements.map((each) => ({ ...each, at: secondsToFlicks(step[0]), source: 's', line: 1, raw: `${step}` }));
  });
  return collectBreaks(signals, flicks(0)).breaks.map(inSeconds);
}

/** `10: out/60 34#1/60 30#2/30:1of2` */
function stepOf(text: string): Step {
  const [at, of = ''] = text.split(': ');
  const parts = of.split(' ').map((part) => {
    const [, type, id, seconds, num, expected] = /^(\w\w)#(\d+)(?:\/(\d+))?(?::(\d)of(\d))?$/.exec(part) ?? [];
    if (type === undefined) return part as 'in';
    return [Number(`0x${type}`), Number(id), Number(seconds ?? 0), Number(num ?? 1), Number(expected ?? 1)] as const;
  });
  return [Number(at), ...parts];
}

describe('segmentation within segmentation', () => {
  // Seconds: type#id/length of what starts or ends there → the breaks.
  const cases: Readonly<Record<string, string>> = {
    'ads with the event id of their break':
      '10: 22#4294967295/120 30#4294967295/30 | 40: 31#4294967295 30#4294967295/30 | 70: 31#4294967295 30#4294967295/60 | 130: 31#4294967295 23#4294967295 → 10–130/120',
    'an early end of a break whose ad has its event id':
      '10: 34#4294967295/120 30#4294967295/30 | 25: 35#4294967295 → 10–25/120',
    'a break without a length, with ads of known length':
      '10: 22#1 30#2/30:1of2 | 40: 31#2:1of2 30#3/30:2of2 | 70: 31#3:2of2 | 85: 23#1 → 10–85/',
    'the ad is described before its break': '10: 30#2/30 34#1/90 | 40: 31#2 | 100: 35#1 → 10–100/90',
    'a distributor opportunity within that of the provider, described first':
      '10: 36#2/30 34#1/90 | 40: 37#2 | 100: 35#1 → 10–100/90',
    'a distributor opportunity without a length within that of the provider':
      '10: 34#1/90 | 40: 36#2 | 70: 37#2 → 10–/90',
    'an early end with another event id, after an ad has ended':
      '10: 22#1/120 30#2/30 | 40: 31#2 30#3/30 | 60: 23#9 → 10–60/120',
    'the last ad is announced for longer than its break': '10: 34#1/60 | 40: 30#2/45 | 70: 35#1 → 10–70/60',
    'a second opportunity that begins before the first one ends':
      '10: 34#1/60 | 40: 34#2/60 | 70: 35#1 | 100: 35#2 → 10–100/90',
    'a break that begins after its first ad': '10: 30#1/60 | 20: 22#2/90 | 70: 31#1 | 110: 23#2 → 10–110/100',
    'a splice_insert that is ended by its placement opportunity': '10: out/60 34#1/60 | 40: 35#1 → 10–40/60',
    'a splice_insert that is ended by another placement opportunity': '10: out/60 | 40: 37#1 → 10–40/60',
    'a splice_insert whose ad ends first': '10: out/60 30#1/30 | 40: 31#1 | 55: in → 10–55/60',
    'a splice_insert without a length, with that of its segmentation': '10: out 34#1/60 → 10–/60',
    'a splice_insert without a length, with the first of its ads':
      '10: out 30#1/30:1of2 | 40: 31#1:1of2 30#2/30:2of2 | 70: in 31#2:2of2 → 10–70/',
    'a return to the network within a break': '10: 22#1/120 | 40: in → 10–40/120',
    'the same opportunity with another length': '10: 34#1/60 | 10: 34#1/30 | 30: 35#1 → 10–30/30',
    'ads alone: each is a break': '10: 30#1/30:1of2 | 40: 31#1:1of2 30#2/30:2of2 | 70: 31#2:2of2 → 10–40/30, 40–70/30',
    'an ad long after a break without an end': '10: 34#1 | 600: 30#2/30 | 630: 31#2 → 10–/, 600–630/30',
    'an end of a break and of its ad, and the next break, in one message':
      '10: 34#1/30 30#2/30 | 40: 34#3/30 31#2 35#1 30#4/30 | 70: 31#4 35#3 → 10–40/30, 40–70/30',
  };

  test.each(Object.entries(cases))('%s', (_, row) => {
    const [steps = '', breaks] = row.split(' → ');
    expect(breaksOf(...steps.split(' | ').map(stepOf)).join(', ')).toBe(breaks);
  });

  test('whatever the ads in a break state, the break is one, and ends at its end', () => {
    const scenario = fc.record({
      outer: fc.constantFrom(0x22, 0x34, 0x36, 0x44, 0x46),
      ad: fc.constantFrom(0x30, 0x32),
      lengths: fc.array(fc.constantFrom(10, 15, 30, 45), { minLength: 1, maxLength: 6 }),
      isOuterSized: fc.boolean(),
      areAdsSized: fc.boolean(),
      isOneId: fc.boolean(),
      isAdFirst: fc.boolean(),
      // The end comes after so much of the ads.
      share: fc.constantFrom(0.5, 1),
    });
    fc.assert(
      fc.property(scenario, ({ outer, ad, lengths, isOuterSized, areAdsSized, isOneId, isAdFirst, share }) => {
        const total = lengths.reduce((sum, each) => sum + each, 0);
        const end = 10 + Math.ceil(total * share);
        const idOf = (index: number) => (isOneId ? 1 : index + 2);
        const opening: Segmentation = isOuterSized ? [outer, 1, total] : [outer, 1];
        let at = 10;
        const steps = lengths.flatMap((length, index): Step[] => {
          const start: Segmentation = areAdsSized ? [ad, idOf(index), length] : [ad, idOf(index)];
          const before: Segmentation[] = index === 0 ? [] : [[ad + 1, idOf(index - 1)]];
          const all: Segmentation[] = index > 0 ? [...before, start] : isAdFirst ? [start, opening] : [opening, start];
          const step: Step = [at, ...all];
          at += length;
          return step[0] < end ? [step] : [];
        });
        steps.push([end, [ad + 1, idOf(steps.length - 1)], [outer + 1, 1]]);
        expect(breaksOf(...steps)).toEqual([`10–${end}/${isOuterSized ? total : ''}`]);
      }),
      lawRuns(300),
    );
  });
});
