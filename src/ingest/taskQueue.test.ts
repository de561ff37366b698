// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { deferred } from '../../test/deferred.ts';
import { createTaskQueue } from './taskQueue.ts';

/** A task that runs until `end` is called. */
function createTask(name: string, log: string[]) {
  const { promise: ended, resolve: end } = deferred();
  return {
    end,
    run: async () => {
      log.push(name);
      await ended;
      return name;
    },
  };
}
const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('createTaskQueue', () => {
  it('runs a limited number at a time, urgent ones first', async () => {
    const queue = createTaskQueue(2);
    const log: string[] = [];
    const tasks = ['a', 'b', 'c', 'd', 'urgent', 'urgent too'].map((name) => createTask(name, log));
    const results = tasks.map(({ run }, index) => queue.run(run, index >= 4));
    await nextTurn();
    expect(log).toEqual(['a', 'b']);
    for (const { end } of tasks) {
      end();
      await nextTurn();
    }
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'urgent', 'urgent too']);
    expect(log).toEqual(['a', 'b', 'urgent', 'urgent too', 'c', 'd']);
  });

  it('reports how many tasks wait', async () => {
    const queue = createTaskQueue(1);
    const tasks = ['a', 'b', 'c'].map((name) => createTask(name, []));
    const waiting = tasks.map(({ run }) => {
      queue.run(run, false);
      return queue.waiting();
    });
    expect(waiting).toEqual([0, 1, 2]);
    tasks[0]!.end();
    await nextTurn();
    expect(queue.waiting()).toBe(1);
  });

  it('continues after a task that fails', async () => {
    const queue = createTaskQueue(1);
    const failed = queue.run(() => Promise.reject(new Error('no')), false);
    const next = queue.run(async () => 'next', false);
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});
