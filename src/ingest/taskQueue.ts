// SPDX-License-Identifier: Apache-2.0
/** Runs a limited number of tasks at a time; the others wait in order, urgent ones first. */
export type TaskQueue = {
  run<Result>(task: () => Promise<Result>, isUrgent: boolean): Promise<Result>;
  waiting(): number;
};

export function createTaskQueue(concurrency: number): TaskQueue {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  return {
    async run(task, isUrgent) {
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
    waiting: () => urgent.length + others.length,
  };
}
