// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { flicks, millis } from '../../time/units.ts';
import type { BreakFact } from '../breaks/breakFact.ts';
import { hasPassedBreak } from './applyEntry.ts';

const at = (seconds: number) => ({ millis: millis(1000 * seconds), rest: flicks(0) });
const breaks = [10, 20, 30].map((seconds) => ({ startsAt: at(seconds) }) as BreakFact);

test.each([
  [11, 13, false],
  [18, 20, false],
  [20, 22, true],
  [19, 21, true],
  [5, 40, true],
  [31, 33, false],
  [5, 9, false],
] as const)(
  'whether a timeline that grows from %i to %i s passes a break at 10, 20 or 30 s: %s',
  (from, to, passes) => {
    expect(hasPassedBreak(breaks, at(from), at(to))).toBe(passes);
    expect(hasPassedBreak([], at(from), at(to))).toBe(false);
  },
);
