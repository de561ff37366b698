// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createManualClock } from '../../../test/laws/manualClock.ts';
import type { LiveEntry } from '../../live/slot.ts';
import type { Timers } from '../../time/clock.ts';
import { createAppendQueue } from './appendQueue.ts';

const entry = { number: 7 } as LiveEntry;

/** @param respond milliseconds after which the store responds; undefined if it never does */
function open(respondsAfter: number | undefined) {
  const clock = createManualClock(1_000_000, () => false);
  const process: { held: (() => void)[] | undefined } = { held: undefined };
  const run = (work: () => void) => (process.held === undefined ? work() : process.held.push(work));
  const timers: Timers = {
    ...clock.timers,
    after: (ms, work) => clock.timers.after(ms, () => void run(work)),
  };
  const warnings: string[] = [];
  const log = {
    append: (entries: readonly unknown[]) =>
      new Promise<boolean[]>((resolve) => {
        if (respondsAfter !== undefined) timers.after(respondsAfter, () => resolve(entries.map(() => true)));
      }),
  };
  const queue = createAppendQueue({ log, timers, warn: (message) => warnings.push(message) });
  return {
    clock,
    queue,
    warnings,
    suspend() {
      process.held = [];
    },
    /** Timers fire in the order in which they were due last: the timeout first. */
    resume() {
      const held = process.held ?? [];
      process.held = undefined;
      for (const work of held.reverse()) work();
    },
  };
}

test('a process that was suspended reads the response before it assumes an outage', async () => {
  const { clock, queue, warnings, suspend, resume } = open(30);
  const result = queue.append('life', [entry]);
  await clock.advance(60);
  suspend();
  await clock.advance(5000);
  resume();
  await clock.advance(1);
  expect(await result).toBe('stored');
  expect(warnings).toEqual([]);
});

test('a store that does not respond fails after a second, also after the process was suspended', async () => {
  const { clock, queue, suspend, resume } = open(undefined);
  let result: string | undefined;
  void queue.append('life', [entry]).then((one) => {
    result = one;
  });
  await clock.advance(1040);
  expect(result).toBeUndefined();
  await clock.advance(20);
  expect(result).toBe('failed');
  result = undefined;
  void queue.append('life', [entry]).then((one) => {
    result = one;
  });
  await clock.advance(60);
  suspend();
  await clock.advance(5000);
  resume();
  await clock.advance(900);
  expect(result).toBeUndefined();
  await clock.advance(200);
  expect(result).toBe('failed');
  expect(queue.isOutage()).toBe(true);
});
