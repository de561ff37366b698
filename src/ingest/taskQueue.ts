// SPDX-License-Identifier: Apache-2.0
export type TaskQueue = ReturnType<typeof createTaskQueue>;

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
