// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { millis } from '../../../time/units.ts';
import { type AlertState, type Hearing, isChanged, nextState } from './alertState.ts';
import type { Judgement } from './judge.ts';

const MINUTE = 60_000;
type Level = Judgement['level'];
type Timing = Parameters<typeof nextState>[2];

/** @returns the changes, each with its minute, of one judgement a minute */
const run = (levels: readonly Level[], rule?: Partial<Timing>): string[] =>
  runHeard(
    levels.map((level) => ({ level })),
    rule,
  );
const times = (count: number, level: Level): Level[] => Array.from({ length: count }, () => level);

test('fires when the condition has held for the time of the rule, and resolves when it has been clear for as long', () => {
  expect(run([...times(10, 'bad'), ...times(10, 'good')])).toEqual(['firing 5', 'resolved 15']);
});

test('a short problem does not fire, and a short recovery does not resolve', () => {
  expect(run([...times(4, 'bad'), 'good', ...times(4, 'bad')])).toEqual([]);
  expect(run([...times(6, 'bad'), ...times(4, 'good'), 'bad', ...times(4, 'good')])).toEqual(['firing 5']);
});

test('values in the margin neither fire nor resolve', () => {
  expect(run([...times(3, 'bad'), ...times(10, 'near')])).toEqual([]);
  expect(run([...times(6, 'bad'), ...times(60, 'near')])).toEqual(['firing 5']);
});

test('without data nothing fires; a second bad break does', () => {
  expect(run(['bad', ...times(30, 'unknown')])).toEqual([]);
  expect(run(['bad', ...times(30, 'unknown'), 'bad'])).toEqual(['firing 31']);
  expect(run(['bad', ...times(121, 'unknown'), 'bad'])).toEqual([]);
});

test('an alert resolves after one good break without a bad one, and after two hours without data', () => {
  expect(run([...times(6, 'bad'), 'good', ...times(10, 'unknown')])).toEqual(['firing 5', 'resolved 11']);
  expect(run([...times(6, 'bad'), ...times(200, 'unknown')])).toEqual(['firing 5', 'resolved 126']);
});

test('a firing alert is repeated at the interval of the rule', () => {
  expect(run(times(30, 'bad'), { repeatMinutes: 10 })).toEqual(['firing 5', 'reminder 15', 'reminder 25']);
});

test('a failed creative fires at once', () => {
  expect(run(['bad', 'bad', 'good'], { kind: 'creative' })).toEqual(['firing 0', 'resolved 2']);
});

test('firing and resolved alternate, whatever happens', () => {
  const level = fc.constantFrom<Level>('bad', 'near', 'good', 'unknown');
  fc.assert(
    fc.property(fc.array(level, { maxLength: 400 }), fc.integer({ min: 1, max: 30 }), (levels, forMinutes) => {
      const changes = run(levels, { forMinutes }).map((change) => change.split(' ')[0]);
      expect(changes).toEqual(changes.map((_, index) => (index % 2 === 0 ? 'firing' : 'resolved')));
    }),
  );
});

test('a state is stored when it changes, and when data was seen every few minutes', () => {
  const state: AlertState = { phase: 'pending', since: millis(0), seenAt: millis(0) };
  expect(isChanged(undefined, undefined)).toBe(false);
  expect(isChanged(undefined, state)).toBe(true);
  expect(isChanged(state, { ...state, seenAt: millis(60_000) })).toBe(false);
  expect(isChanged(state, { ...state, seenAt: millis(300_000) })).toBe(true);
  expect(isChanged(state, { ...state, phase: 'firing', reportedAt: millis(0) })).toBe(true);
});

type Heard = { readonly level: Level; readonly hearing?: Hearing; readonly value?: number };

/** @returns the changes with their minutes; those that are not sent in brackets */
function runHeard(judged: readonly Heard[], rule: Partial<Timing> = {}): string[] {
  let state: AlertState | undefined;
  return judged.flatMap(({ level, hearing }, minute) => {
    const own = { kind: 'fill', forMinutes: 5, ...rule } as const;
    const next = nextState(state, { level }, own, millis(minute * MINUTE), hearing);
    state = next.state;
    if (next.change === undefined) return [];
    return [next.isSilent ? `(${next.change} ${minute})` : `${next.change} ${minute}`];
  });
}
const heard = (count: number, level: Level, hearing: Hearing = {}): Heard[] =>
  Array.from({ length: count }, () => ({ level, hearing }));
const silenced = { isSilenced: true };
const taken = { isAcknowledged: true };

test('what starts and ends during a silence is not sent', () => {
  expect(runHeard([...heard(10, 'bad', silenced), ...heard(6, 'good', silenced)])).toEqual([
    '(firing 5)',
    '(resolved 15)',
  ]);
});

test('an alert that still fires when its silence ends is sent then, and so is its end', () => {
  const all = [...heard(10, 'bad', silenced), ...heard(5, 'bad'), ...heard(6, 'good')];
  expect(runHeard(all)).toEqual(['(firing 5)', 'firing 10', 'resolved 20']);
});

test('the end of an alert that was sent is sent during a silence', () => {
  expect(runHeard([...heard(7, 'bad'), ...heard(6, 'good', silenced)])).toEqual(['firing 5', 'resolved 12']);
});

test('there are no reminders during a silence, and none of an acknowledged alert', () => {
  const repeated = { repeatMinutes: 5 };
  const all = [...heard(12, 'bad'), ...heard(10, 'bad', silenced), ...heard(3, 'bad')];
  expect(runHeard(all, repeated)).toEqual(['firing 5', 'reminder 10', 'reminder 22']);
  const acknowledged = [...heard(12, 'bad'), ...heard(30, 'bad', taken), ...heard(6, 'good', taken)];
  expect(runHeard(acknowledged, repeated)).toEqual(['firing 5', 'reminder 10', 'resolved 47']);
});

test('of what is sent, firing and resolved alternate, whatever is silenced', () => {
  const one = fc.record({
    level: fc.constantFrom<Level>('bad', 'near', 'good', 'unknown'),
    hearing: fc.record({ isSilenced: fc.boolean() }),
  });
  fc.assert(
    fc.property(fc.array(one, { maxLength: 400 }), fc.integer({ min: 1, max: 10 }), (judged, forMinutes) => {
      const sent = runHeard(judged, { forMinutes }).filter((change) => !change.startsWith('('));
      const changes = sent.map((change) => change.split(' ')[0]);
      expect(changes).toEqual(changes.map((_, index) => (index % 2 === 0 ? 'firing' : 'resolved')));
    }),
  );
});

test('a value that changes is stored at most once a minute', () => {
  const rule = { kind: 'fill', forMinutes: 1 } as const;
  let stored: AlertState | undefined;
  let writes = 0;
  for (let second = 0; second < 600; second += 10) {
    const { state } = nextState(stored, { level: 'bad', value: second }, rule, millis(second * 1000));
    if (!isChanged(stored, state)) continue;
    stored = state;
    writes += 1;
  }
  expect(stored).toMatchObject({ phase: 'firing', last: { value: expect.toSatisfy((value) => value > 500) } });
  expect(writes).toBeLessThan(12);
});
