// SPDX-License-Identifier: Apache-2.0

import { expect, test } from 'vitest';
import { decisionOf } from '../../test/stores/records.ts';
import { millis } from '../time/units.ts';
import type { SessionState, StoredDecision } from './ports.ts';
import type { Session } from './session.ts';
import { foldOld, hasRecorded, newestState, viewerCounter, writeDelay } from './sessionRules.ts';

const decision = (startsAt: number) => decisionOf(`0-${startsAt}`, startsAt);
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

test('counts the decisions before an instant, except those of breaks that left the schedule (law 3)', () => {
  const decision = (startsAt: number, isVoid: boolean) => ({
    breakId: `b${startsAt}`,
    startsAt: millis(startsAt),
    joined: 0,
    ads: [],
    isVoid,
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

const stateOf = (...decisions: Partial<StoredDecision>[]) =>
  ({ decisions, foldedBefore: millis(1000) }) as unknown as SessionState;

test('a state with as many decisions and the same odometer as the store is not read again', () => {
  const recorded = { decisions: 2, foldedBefore: millis(1000) };
  expect(hasRecorded(stateOf({}, {}), recorded)).toBe(true);
  expect(hasRecorded(stateOf({}, { isVoid: true }), recorded)).toBe(true);
});

test('a state is read again if another process has decided or folded, after an outage, and if the store reports nothing', () => {
  const recorded = { decisions: 2, foldedBefore: millis(1000) };
  expect(hasRecorded(stateOf({}), recorded)).toBe(false);
  expect(hasRecorded(stateOf({}, {}), { ...recorded, foldedBefore: millis(2000) })).toBe(false);
  // What was shown in an outage may not be stored, and the store may have a decision instead that is not in memory.
  expect(hasRecorded(stateOf({}, { isShown: true }), recorded)).toBe(false);
  expect(hasRecorded(stateOf({}, {}), undefined)).toBe(false);
});

test.each([
  ['over', -60_000, 30],
  ['about to start', 1000, 30],
  ['in five seconds', 5000, 100],
  ['in half a minute', 30_000, 250],
])('the decision of a break that is %s', (_, ahead, delay) => {
  expect(writeDelay(1_770_000_000_000 + ahead, 1_770_000_000_000)).toBe(delay);
});

test('viewers are sessions of the last minute', async () => {
  const requests: unknown[] = [];
  const watching = async (...request: unknown[]) => {
    requests.push(request);
    return new Map([['one', 2]]);
  };
  const countViewers = viewerCounter({ watching }, () => millis(1_000_000));
  expect(await countViewers('acme', ['one', 'two'])).toEqual(new Map([['one', 2]]));
  expect(requests).toEqual([['acme', ['one', 'two'], 940_000]]);
});
