// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/laws/manualClock.ts';
import { AppError } from '../../errors.ts';
import { createStoreHealth, RESPONSE_TIMEOUT_MS } from './storeHealth.ts';

const open = () => {
  const clock = createManualClock(0, () => false);
  const logged: string[] = [];
  const health = createStoreHealth(clock.timers, (message) => void logged.push(message));
  return { clock, logged, health };
};
const never = () => new Promise<never>(() => {});
const fails = () => Promise.reject(new Error('down'));

test('a failing store is unavailable until a call succeeds; each change is logged once', async () => {
  const { health, logged } = open();
  await health.track(async () => 1);
  expect(health.isUnavailable()).toBe(false);
  for (let count = 0; count < 3; count += 1) await health.track(fails).catch(() => {});
  expect([health.isUnavailable(), logged.length]).toEqual([true, 1]);
  await health.track(async () => 1);
  expect([health.isUnavailable(), logged.length]).toEqual([false, 2]);
});

test('the reason of a failure is reported for a while, also after other calls succeed', async () => {
  const { health, clock, logged } = open();
  await health.track(fails).catch(() => {});
  expect(health.failureReason()).toBeUndefined();
  const full = () => Promise.reject(new AppError('UNAVAILABLE', 'It is full.'));
  await health.track(full).catch(() => {});
  await health.track(async () => 1);
  expect(health.failureReason()).toBe('It is full.');
  // A store that reads but cannot write is logged at intervals.
  expect(logged).toHaveLength(2);
  await clock.advance(10_000);
  expect(health.failureReason()).toBeUndefined();
  await health.track(full).catch(() => {});
  expect(logged).toHaveLength(3);
});

test('a store that does not respond is unavailable after the timeout, unless other calls complete', async () => {
  const { health, clock } = open();
  void health.track(never);
  await clock.advance(RESPONSE_TIMEOUT_MS);
  expect(health.isUnavailable()).toBe(false);
  await clock.advance(1);
  expect(health.isUnavailable()).toBe(true);
  expect(health.availableFor()).toBe(0);
  await health.track(async () => 1);
  expect(health.isUnavailable()).toBe(false);
  await clock.advance(7000);
  void health.track(async () => 1);
  expect(health.availableFor()).toBe(7000);
});

test('nothing waits for an unavailable store; one call at a time probes it', async () => {
  const { health, clock } = open();
  expect(await clock.runUntil(health.whenAvailable(30, () => health.track(never)))).toEqual({
    value: undefined,
    ms: 30,
  });
  await clock.advance(RESPONSE_TIMEOUT_MS);
  let calls = 0;
  let respond = () => {};
  const probe = () =>
    health.track(() => {
      calls += 1;
      return new Promise<void>((resolve) => {
        respond = resolve;
      });
    });
  for (let count = 0; count < 5; count += 1) expect((await clock.runUntil(health.whenAvailable(30, probe))).ms).toBe(0);
  expect(calls).toBe(1);
  respond();
  await clock.advance(0);
  expect(health.isUnavailable()).toBe(false);
});
