// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../time/units.ts';
import { hasRecorded } from './hasRecorded.ts';
import type { SessionState, StoredDecision } from './ports.ts';

const state = (...decisions: Partial<StoredDecision>[]) =>
  ({ decisions, foldedBefore: millis(1000) }) as unknown as SessionState;

test('a state with as many decisions and the same odometer as the store is not read again', () => {
  const recorded = { decisions: 2, foldedBefore: millis(1000) };
  expect(hasRecorded(state({}, {}), recorded)).toBe(true);
  expect(hasRecorded(state({}, { isVoid: true }), recorded)).toBe(true);
});

test('a state is read again if another process has decided or folded, after an outage, and if the store reports nothing', () => {
  const recorded = { decisions: 2, foldedBefore: millis(1000) };
  expect(hasRecorded(state({}), recorded)).toBe(false);
  expect(hasRecorded(state({}, {}), { ...recorded, foldedBefore: millis(2000) })).toBe(false);
  // What was shown in an outage may not be stored, and the store may have a decision instead that is not in memory.
  expect(hasRecorded(state({}, { isShown: true }), recorded)).toBe(false);
  expect(hasRecorded(state({}, {}), undefined)).toBe(false);
});
