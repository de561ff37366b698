// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { createOpeningLimits } from './openingLimits.ts';

function limits(perAddress: number, perChannel: number) {
  const logged: unknown[] = [];
  const clock = { now: 1_000_000 };
  const log = (_: string, facts: unknown) => void logged.push(facts);
  return { clock, logged, allow: createOpeningLimits({ perAddress, perChannel, now: () => clock.now, log }) };
}
const outcome = (work: () => void): unknown => {
  try {
    work();
    return 'opened';
  } catch (error) {
    return error;
  }
};

test('rejects an address over its limit until the minute is over, and no other address', () => {
  const { clock, logged, allow } = limits(3, 0);
  for (let count = 0; count < 3; count += 1) allow('192.0.2.1', 'c');
  clock.now += 45_000;
  expect(outcome(() => allow('192.0.2.1', 'other'))).toMatchObject({ status: 429, retryAfter: 15, message: naming(3) });
  expect(outcome(() => allow('192.0.2.2', 'c'))).toBe('opened');
  outcome(() => allow('192.0.2.1', 'c'));
  // One log line per minute.
  expect(logged).toEqual([{ client: '192.0.2.1', channel: 'other', perAddress: 3, perChannel: 0 }]);
  clock.now += 15_000;
  expect(outcome(() => allow('192.0.2.1', 'c'))).toBe('opened');
});

test('rejects openings of a channel over its limit from any address, and of no other channel', () => {
  const { allow } = limits(0, 3);
  for (let count = 0; count < 3; count += 1) allow(`192.0.2.${count}`, 'c');
  expect(outcome(() => allow('192.0.2.9', 'c'))).toMatchObject({ status: 429, retryAfter: 60, message: naming(3) });
  expect(outcome(() => allow('192.0.2.9', 'other'))).toBe('opened');
});

test('0 disables a limit', () => {
  const { allow } = limits(0, 0);
  for (let count = 0; count < 10_000; count += 1) allow('192.0.2.1', 'c');
});
