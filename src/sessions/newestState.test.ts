// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../time/units.ts';
import { newestState } from './newestState.ts';
import type { SessionState, StoredDecision } from './ports.ts';
import type { Session } from './session.ts';

const decision = (startsAt: number): StoredDecision => ({
  breakId: `0-${startsAt}`,
  startsAt,
  joined: 0,
  ads: [],
  shift: { segments: [1], discontinuities: 1 },
});
const state = (foldedBefore: number, folded: number, ...decided: readonly number[]): SessionState => ({
  session: { id: 's' } as Session,
  decisions: decided.map(decision),
  odometer: { segments: [folded], discontinuities: folded },
  foldedBefore: millis(foldedBefore),
});

test.each([
  ['a state that arrives late removes nothing', state(0, 0, 1, 2, 3), state(0, 0, 1, 2)],
  ['decisions that were folded in between are not counted twice', state(3, 2, 3), state(0, 0, 1, 2, 3)],
  ['a decision that is missing in the newer state is kept', state(3, 2, 3, 4), state(0, 0, 1, 2, 4)],
])('%s', (_, newer, older) => {
  const expected = new Set(
    [...newer.decisions, ...older.decisions.filter(({ startsAt }) => startsAt > 3)].map((one) => one.breakId),
  );
  for (const both of [newestState(newer, older), newestState(older, newer)]) {
    expect(new Set(both.decisions.map(({ breakId }) => breakId))).toEqual(expected);
    expect(both.odometer).toEqual(newer.odometer);
    expect(both.foldedBefore).toBe(newer.foldedBefore);
  }
});

test('two decisions that were made at the same time are both kept', () => {
  const both = newestState(state(0, 0, 1, 2), state(0, 0, 1, 3));
  expect(both.decisions.map(({ startsAt }) => startsAt).sort()).toEqual([1, 2, 3]);
});

test('slate that a viewer was shown stays, even if another decision was stored for the break', () => {
  const slate = { ...decision(2), isShown: true };
  const ads = { ...decision(2), ads: [{ adId: '0-2-0', mediaId: 'm', frames: 25 }] };
  const [shown, stored] = [
    { ...state(0, 0, 1), decisions: [decision(1), slate] },
    { ...state(0, 0, 1), decisions: [decision(1), ads, decision(3)] },
  ];
  for (const both of [newestState(shown, stored), newestState(stored, shown)]) {
    expect(both.decisions.find(({ startsAt }) => startsAt === 2)).toBe(slate);
    expect(both.decisions.map(({ startsAt }) => startsAt).sort()).toEqual([1, 2, 3]);
  }
});
