// SPDX-License-Identifier: Apache-2.0
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { systemTimers } from '../../systemClock.ts';
import { settleInTurns } from './startSqliteWriter.ts';

const open = (mayWait: readonly boolean[]) => {
  const settled: number[] = [];
  return { settled, callers: mayWait.map((may, index) => ({ mayWait: may, settle: () => void settled.push(index) })) };
};

test('callers that may wait continue by the timer, the others in the next turns', async () => {
  const due: (() => void)[] = [];
  const timers = {
    ...systemTimers,
    after: (_: number, work: () => void) => {
      due.push(work);
      return { cancel: () => {} };
    },
  };
  const { settled, callers } = open([true, false, true, false, true, false, true, true]);
  settleInTurns(callers, timers);
  expect(settled).toEqual([1, 3, 0, 2]);
  await turn();
  expect(settled).toEqual([1, 3, 0, 2, 5]);
  while (due.length > 0) due.shift()!();
  expect(settled).toEqual([1, 3, 0, 2, 5, 4, 6, 7]);
});

test('without timers, all continue in their order', async () => {
  const { settled, callers } = open([true, false, true, false, true]);
  settleInTurns(callers, undefined);
  while (settled.length < callers.length) await turn();
  expect(settled).toEqual([0, 1, 2, 3, 4]);
});
