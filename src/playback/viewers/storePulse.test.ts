import { expect, test } from 'vitest';
import { createHandClock } from '../../../test/laws/handClock.ts';
import { AppError } from '../../errors.ts';
import { createStorePulse, OVERDUE } from './storePulse.ts';

const open = () => {
  const clock = createHandClock(0, () => false);
  const logged: string[] = [];
  const pulse = createStorePulse(clock.timers, (message) => void logged.push(message));
  return { clock, logged, pulse };
};
const never = () => new Promise<never>(() => {});
const fails = () => Promise.reject(new Error('down'));

test('a store that fails is away until a call succeeds, and both are logged once', async () => {
  const { pulse, logged } = open();
  await pulse.watch(async () => 1);
  expect(pulse.isAway()).toBe(false);
  for (let count = 0; count < 3; count += 1) await pulse.watch(fails).catch(() => {});
  expect([pulse.isAway(), logged.length]).toEqual([true, 1]);
  await pulse.watch(async () => 1);
  expect([pulse.isAway(), logged.length]).toEqual([false, 2]);
});

test('why a call failed is known for a while, also when others succeed', async () => {
  const { pulse, clock, logged } = open();
  await pulse.watch(fails).catch(() => {});
  expect(pulse.reason()).toBeUndefined();
  const full = () => Promise.reject(new AppError('UNAVAILABLE', 'It is full.'));
  await pulse.watch(full).catch(() => {});
  await pulse.watch(async () => 1);
  expect(pulse.reason()).toBe('It is full.');
  // One that reads and cannot write is logged now and then, not at every turn.
  expect(logged).toHaveLength(2);
  await clock.pass(10_000);
  expect(pulse.reason()).toBeUndefined();
  await pulse.watch(full).catch(() => {});
  expect(logged).toHaveLength(3);
});

test('a store that is silent is away once a call is overdue, though not while others are answered', async () => {
  const { pulse, clock } = open();
  void pulse.watch(never);
  await clock.pass(OVERDUE);
  expect(pulse.isAway()).toBe(false);
  await clock.pass(1);
  expect(pulse.isAway()).toBe(true);
  expect(pulse.respondsFor()).toBe(0);
  await pulse.watch(async () => 1);
  expect(pulse.isAway()).toBe(false);
  await clock.pass(7000);
  void pulse.watch(async () => 1);
  expect(pulse.respondsFor()).toBe(7000);
});

test('nothing waits for a store that is away; one call at a time finds out whether it is back', async () => {
  const { pulse, clock } = open();
  expect(await clock.finish(pulse.soon(30, () => pulse.watch(never)))).toEqual({ value: undefined, ms: 30 });
  await clock.pass(OVERDUE);
  let calls = 0;
  let answer = () => {};
  const probe = () =>
    pulse.watch(() => {
      calls += 1;
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    });
  for (let count = 0; count < 5; count += 1) expect((await clock.finish(pulse.soon(30, probe))).ms).toBe(0);
  expect(calls).toBe(1);
  answer();
  await clock.pass(0);
  expect(pulse.isAway()).toBe(false);
});
