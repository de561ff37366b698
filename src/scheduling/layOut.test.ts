// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { growthOf, LINEAR } from '../../test/growthOf.ts';
import { slate } from '../../test/laws/shared/syntheticSchedule.ts';
import { flicks, millis, secondsToFlicks } from '../time/units.ts';
import { layOut, type PreparedEntry } from './layOut.ts';

const SECONDS = 30;

test('entries cost as much as there are, with few starts among them', () => {
  const growth = growthOf((size) => {
    const entries = Array.from({ length: size }, (_, index): PreparedEntry => {
      const plannedAt = millis(index * SECONDS * 1000);
      const start = index % 1000 === 0 ? { startsAt: plannedAt } : {};
      return { id: `${index}`, plannedAt, length: secondsToFlicks(SECONDS), slots: [], ...start };
    });
    const range = {
      from: millis(0),
      until: millis(size * SECONDS * 1000),
      place: { item: -1, at: flicks(0), played: 0 },
    };
    return () => layOut(entries, { items: [], slate }, { n: 25, d: 1 }, range);
  }, 10_000);
  expect(growth).toBeLessThan(LINEAR);
});
