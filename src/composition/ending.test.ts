// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { finishAll } from './ending.ts';

test('steps that fail or do not end in time are logged, and the others run', async () => {
  const logged: unknown[] = [];
  const done: string[] = [];
  const step = (name: string, limitMs = 60_000, run: () => unknown = () => done.push(name)) => ({ name, limitMs, run });
  const unfinished = await finishAll(
    [
      [step('one'), step('late', 1, () => new Promise(() => {})), step('two')],
      [
        step('failing', 60_000, () => {
          throw new Error('no disk');
        }),
        step('three', 60_000, async () => {
          await sleep(1);
          done.push('three');
        }),
      ],
    ],
    (message, facts) => logged.push([message, facts]),
  );
  expect(unfinished).toEqual(['late', 'failing']);
  expect(done).toEqual(['one', 'two', 'three']);
  expect(logged).toEqual([
    ['late not finished in time', { limitMs: 1 }],
    ['failing failed', { error: new Error('no disk') }],
  ]);
});
