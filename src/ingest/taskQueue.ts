// SPDX-License-Identifier: Apache-2.0
type TaskQueue = ReturnType<typeof createTaskQueue>;

/** Runs a limited number of tasks at a time; the others wait in order, urgent ones first. */
export function createTaskQueue(concurrency: number) {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  return {
    async run<Result>(task: () => Promise<Result>, isUrgent: boolean): Promise<Result> {
      if (running >= concurrency) {
        await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve));
      } else running += 1;
      try {
        return await task();
      } finally {
        const next = urgent.shift() ?? others.shift(); // takes this task's place, so `running` stays the same
        if (next) next();
        else running -= 1;
      }
    },
    waiting: (): number => urgent.length + others.length,
  };
}

/** Queues of tasks by key, each of which exists while it is used. */
export function createKeyedQueues(atOnce: number) {
  const queues = new Map<string, { readonly queue: TaskQueue; users: number }>();
  return {
    users: (key: string): number => queues.get(key)?.users ?? 0,
    async run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
      const one = queues.get(key) ?? { queue: createTaskQueue(atOnce), users: 0 };
      queues.set(key, one);
      one.users += 1;
      try {
        return await one.queue.run(task, false);
      } finally {
        one.users -= 1;
        if (one.users === 0) queues.delete(key);
      }
    },
  };
}

/** The key of a queue of requests; empty if the URL is not valid. */
export const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '');
