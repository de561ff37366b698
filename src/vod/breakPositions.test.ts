// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { type Flicks, secondsToFlicks } from '../time/units.ts';
import type { PlannedBreak } from './breakPlan.ts';
import { breakPositions } from './breakPositions.ts';

const planned = (at: number, more: Partial<Record<'requested' | 'until', number>> = {}): PlannedBreak => ({
  id: '0-1',
  origin: 'marker',
  at: secondsToFlicks(at),
  requested: secondsToFlicks(more.requested ?? at),
  ...(more.until === undefined ? {} : { until: secondsToFlicks(more.until) }),
  duration: 30,
  warnings: [],
});
const duration: Flicks = secondsToFlicks(600);

test('a position states how far the break was moved, and its content time without replaced stretches', () => {
  const breaks = [planned(0), planned(100, { requested: 101.5, until: 130 }), planned(200), planned(600)];
  expect(breakPositions(breaks, duration)).toEqual([
    { kind: 'pre', requested: 0, contentTime: 0, movedBy: 0, origin: 'marker' },
    { kind: 'mid', requested: 101.5, contentTime: 100, movedBy: -1.5, origin: 'marker', replaced: 30 },
    { kind: 'mid', requested: 200, contentTime: 170, movedBy: 0, origin: 'marker' },
    { kind: 'post', requested: 600, contentTime: 570, movedBy: 0, origin: 'marker' },
  ]);
});

test('a break that replaces the end of the content is a post-roll', () => {
  expect(breakPositions([planned(570, { until: 600 })], duration)).toMatchObject([{ kind: 'post', contentTime: 570 }]);
});
