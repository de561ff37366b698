// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import { type Millis, millis } from '../../time/units.ts';
import { createLateDeliveries, type LateDeliveries } from './lateDeliveries.ts';

const unavailable = new AppError('UNAVAILABLE', 'The session store does not respond.');
let clock = 0;
let isAway = true;
let attempts = 0;
let lost: unknown[];
let recorded: string[];
let late: LateDeliveries;
beforeEach(() => {
  [clock, isAway, attempts, lost, recorded] = [1000, true, 0, [], []];
  late = createLateDeliveries(
    () => millis(clock),
    (error) => void lost.push(error),
  );
});

function request(sessionId: string, at = clock as Millis): void {
  const record = async () => {
    attempts += 1;
    if (isAway) throw unavailable;
    recorded.push(`${sessionId} ${at}`);
  };
  late.keep({ sessionId, at, record }, unavailable);
}

test('requests are recorded with their time once the store responds', async () => {
  request('one');
  clock = 5000;
  await late.retry();
  request('two');
  isAway = false;
  await late.retry();
  expect([...recorded].sort()).toEqual(['one 1000', 'two 5000']);
  await late.retry();
  expect([recorded.length, lost]).toEqual([2, []]);
});

test('while the store is unavailable, only some are tried, and none is lost', async () => {
  for (let count = 0; count < 1000; count += 1) request(`s${count}`);
  await late.retry();
  expect(attempts).toBe(100);
  isAway = false;
  await late.retry();
  expect(recorded).toHaveLength(1000);
});

test('what cannot be mended, is too old or too much is lost, and reported', async () => {
  late.keep({ sessionId: 'gone', at: millis(clock), record: async () => {} }, new AppError('NOT_FOUND', 'gone'));
  expect(lost).toHaveLength(1);
  request('old');
  clock += 900_000;
  await late.retry();
  expect(lost).toHaveLength(2);
  for (let count = 0; count <= 20_000; count += 1) request(`s${count}`);
  expect(lost).toHaveLength(3);
});
