// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../time/units.ts';
import { foldOld } from './foldOld.ts';
import type { SessionState } from './ports.ts';

test('counts the decisions before an instant, except those of breaks that left the schedule (law 3)', () => {
  const decision = (startsAt: number, isVoid: boolean) => ({
    ...{ breakId: `b${startsAt}`, startsAt: millis(startsAt), joined: 0, ads: [], isVoid },
    shift: { segments: [startsAt, -startsAt], discontinuities: 1 },
  });
  const state = {
    session: { id: 's' },
    decisions: [decision(1, false), decision(2, true), decision(4, false), decision(8, false)],
    odometer: { segments: [100, 100], discontinuities: 10 },
    foldedBefore: millis(0),
  } as unknown as SessionState;
  const folded = foldOld(state, millis(5));
  expect(folded.odometer).toEqual({ segments: [105, 95], discontinuities: 12 });
  expect(folded.decisions.map(({ breakId }) => breakId)).toEqual(['b8']);
  expect(folded.foldedBefore).toBe(5);
  expect(foldOld(folded, millis(6))).toBe(folded);
});
