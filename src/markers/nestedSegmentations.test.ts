// SPDX-License-Identifier: Apache-2.0
// Breaks, placement opportunities and advertisements of SCTE-35 within each other, as programmers send them.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { encodeSection, insertFields, segmentationDescriptor, spliceTime } from '../../test/scte35/encodeSection.ts';
import { readSection } from '../scte35/readSection.ts';
import { type Flicks, flicks, flicksToSeconds, secondsToFlicks } from '../time/units.ts';
import { collectBreaks } from './breakFold.ts';
import { spliceStatements } from './spliceStatements.ts';

type Described = readonly [typeId: number, id: number, seconds?: number, num?: number, expected?: number];
type Step = readonly [at: number, ...of: readonly (Described | 'out' | 'in' | `out ${number}`)[]];

const ticks = (seconds: number) => seconds * 90_000;

/** The message of a step; `out` and `in` are a splice_insert, everything else is described by descriptors. */
function messageOf([at, ...of]: Step): Uint8Array {
  const insert = of.find((each) => typeof each === 'string');
  const descriptors = of.flatMap((each) => {
    if (typeof each === 'string') return [];
    const [typeId, id, seconds, num, expected] = each;
    const numbered = num === undefined ? {} : { segments: [num, expected ?? 0] as const };
    return [segmentationDescriptor({ id, typeId, ...(seconds && { duration: ticks(seconds) }), ...numbered })];
  });
  if (insert === undefined) return encodeSection({ type: 6, command: spliceTime(ticks(at)), descriptors });
  const [kind, seconds] = insert.split(' ');
  const duration = seconds === undefined ? {} : { duration: ticks(Number(seconds)) };
  return encodeSection({
    type: 5,
    descriptors,
    command: insertFields({ id: 7, isOut: kind === 'out', time: ticks(at), ...duration }),
  });
}

/** Each break as start–end/length, in seconds. */
function breaksOf(...steps: readonly Step[]): string[] {
  const signals = steps.flatMap((step) => {
    const { statements } = spliceStatements(readSection(messageOf(step)));
    return statements.map((each) => ({ ...each, at: secondsToFlicks(step[0]), source: 's', line: 1, raw: `${step}` }));
  });
  const text = (time: Flicks | undefined): string => (time === undefined ? '' : `${flicksToSeconds(time)}`);
  const { breaks } = collectBreaks(signals, flicks(0));
  return breaks.map(({ at, until, duration }) => `${text(at)}–${text(until)}/${text(duration)}`);
}

const SAME = 2 ** 32 - 1;

describe('segmentation within segmentation', () => {
  const cases: readonly (readonly [what: string, steps: readonly Step[], breaks: readonly string[]])[] = [
    [
      'ads with the event id of their break',
      [
        [10, [0x22, SAME, 120], [0x30, SAME, 30]],
        [40, [0x31, SAME], [0x30, SAME, 30]],
        [70, [0x31, SAME], [0x30, SAME, 60]],
        [130, [0x31, SAME], [0x23, SAME]],
      ],
      ['10–130/120'],
    ],
    [
      'an early end of a break whose ad has its event id',
      [
        [10, [0x34, SAME, 120], [0x30, SAME, 30]],
        [25, [0x35, SAME]],
      ],
      ['10–25/120'],
    ],
    [
      'a break without a length, with ads of known length',
      [
        [10, [0x22, 1], [0x30, 2, 30, 1, 2]],
        [40, [0x31, 2, 0, 1, 2], [0x30, 3, 30, 2, 2]],
        [70, [0x31, 3, 0, 2, 2]],
        [85, [0x23, 1]],
      ],
      ['10–85/'],
    ],
    [
      'the ad is described before its break',
      [
        [10, [0x30, 2, 30], [0x34, 1, 90]],
        [40, [0x31, 2]],
        [100, [0x35, 1]],
      ],
      ['10–100/90'],
    ],
    [
      'a distributor opportunity within that of the provider, described first',
      [
        [10, [0x36, 2, 30], [0x34, 1, 90]],
        [40, [0x37, 2]],
        [100, [0x35, 1]],
      ],
      ['10–100/90'],
    ],
    [
      'a distributor opportunity without a length within that of the provider',
      [
        [10, [0x34, 1, 90]],
        [40, [0x36, 2]],
        [70, [0x37, 2]],
      ],
      ['10–/90'],
    ],
    [
      'an early end with another event id, after an ad has ended',
      [
        [10, [0x22, 1, 120], [0x30, 2, 30]],
        [40, [0x31, 2], [0x30, 3, 30]],
        [60, [0x23, 9]],
      ],
      ['10–60/120'],
    ],
    [
      'the last ad is announced for longer than its break',
      [
        [10, [0x34, 1, 60]],
        [40, [0x30, 2, 45]],
        [70, [0x35, 1]],
      ],
      ['10–70/60'],
    ],
    [
      'a second opportunity that begins before the first one ends',
      [
        [10, [0x34, 1, 60]],
        [40, [0x34, 2, 60]],
        [70, [0x35, 1]],
        [100, [0x35, 2]],
      ],
      ['10–100/90'],
    ],
    [
      'a break that begins after its first ad',
      [
        [10, [0x30, 1, 60]],
        [20, [0x22, 2, 90]],
        [70, [0x31, 1]],
        [110, [0x23, 2]],
      ],
      ['10–110/100'],
    ],
    [
      'a splice_insert that is ended by its placement opportunity',
      [
        [10, 'out 60', [0x34, 1, 60]],
        [40, [0x35, 1]],
      ],
      ['10–40/60'],
    ],
    [
      'a splice_insert that is ended by another placement opportunity',
      [
        [10, 'out 60'],
        [40, [0x37, 1]],
      ],
      ['10–40/60'],
    ],
    [
      'a splice_insert whose ad ends first',
      [
        [10, 'out 60', [0x30, 1, 30]],
        [40, [0x31, 1]],
        [55, 'in'],
      ],
      ['10–55/60'],
    ],
    ['a splice_insert without a length, with that of its segmentation', [[10, 'out', [0x34, 1, 60]]], ['10–/60']],
    [
      'a splice_insert without a length, with the first of its ads',
      [
        [10, 'out', [0x30, 1, 30, 1, 2]],
        [40, [0x31, 1, 0, 1, 2], [0x30, 2, 30, 2, 2]],
        [70, 'in', [0x31, 2, 0, 2, 2]],
      ],
      ['10–70/'],
    ],
    [
      'a return to the network within a break',
      [
        [10, [0x22, 1, 120]],
        [40, 'in'],
      ],
      ['10–40/120'],
    ],
    [
      'the same opportunity with another length',
      [
        [10, [0x34, 1, 60]],
        [10, [0x34, 1, 30]],
        [30, [0x35, 1]],
      ],
      ['10–30/30'],
    ],
    [
      'ads alone: each is a break',
      [
        [10, [0x30, 1, 30, 1, 2]],
        [40, [0x31, 1, 0, 1, 2], [0x30, 2, 30, 2, 2]],
        [70, [0x31, 2, 0, 2, 2]],
      ],
      ['10–40/30', '40–70/30'],
    ],
    [
      'an ad long after a break without an end',
      [
        [10, [0x34, 1]],
        [600, [0x30, 2, 30]],
        [630, [0x31, 2]],
      ],
      ['10–/', '600–630/30'],
    ],
    [
      'an end of a break and of its ad, and the next break, in one message',
      [
        [10, [0x34, 1, 30], [0x30, 2, 30]],
        [40, [0x34, 3, 30], [0x31, 2], [0x35, 1], [0x30, 4, 30]],
        [70, [0x31, 4], [0x35, 3]],
      ],
      ['10–40/30', '40–70/30'],
    ],
  ];

  test.each(cases)('%s', (_what, steps, breaks) => {
    expect(breaksOf(...steps)).toEqual(breaks);
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
        const opening: Described = isOuterSized ? [outer, 1, total] : [outer, 1];
        let at = 10;
        const steps = lengths.flatMap((length, index): Step[] => {
          const start: Described = areAdsSized ? [ad, idOf(index), length] : [ad, idOf(index)];
          const before: Described[] = index === 0 ? [] : [[ad + 1, idOf(index - 1)]];
          const all: Described[] = index > 0 ? [...before, start] : isAdFirst ? [start, opening] : [opening, start];
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
