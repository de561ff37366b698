import { describe, expect, it } from 'vitest';
import { createTaskQueue } from './taskQueue.ts';

/** A job that ends when it is told to. */
function job(name: string, log: string[]) {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end,
    run: async () => {
      log.push(name);
      await ended;
      return name;
    },
  };
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('createTaskQueue', () => {
  it('runs so many at once, the others in turn, urgent ones first', async () => {
    const queue = createTaskQueue(2);
    const log: string[] = [];
    const jobs = ['a', 'b', 'c', 'd', 'slate', 'slate too'].map((name) => job(name, log));
    const results = jobs.map(({ run }, index) => queue.run(run, index >= 4));
    await turn();
    expect(log).toEqual(['a', 'b']);
    for (const { end } of jobs) {
      end();
      await turn();
    }
    expect(await Promise.all(results)).toEqual(['a', 'b', 'c', 'd', 'slate', 'slate too']);
    expect(log).toEqual(['a', 'b', 'slate', 'slate too', 'c', 'd']);
  });

  it('says how many wait', async () => {
    const queue = createTaskQueue(1);
    const jobs = ['a', 'b', 'c'].map((name) => job(name, []));
    const waiting = jobs.map(({ run }) => {
      queue.run(run, false);
      return queue.waiting();
    });
    expect(waiting).toEqual([0, 1, 2]);
    jobs[0]!.end();
    await turn();
    expect(queue.waiting()).toBe(1);
  });

  it('goes on after a job that fails', async () => {
    const queue = createTaskQueue(1);
    const failed = queue.run(() => Promise.reject(new Error('no')), false);
    const next = queue.run(async () => 'next', false);
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
  });
});
