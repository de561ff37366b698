/** So many jobs at once, the others in turn; urgent ones first, in the order in which they came. */
export type TaskQueue = {
  run<Result>(job: () => Promise<Result>, isUrgent: boolean): Promise<Result>;
  /** How many wait for their turn. */
  waiting(): number;
};

export function createTaskQueue(atOnce: number): TaskQueue {
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];
  let running = 0;
  return {
    async run(job, isUrgent) {
      if (running >= atOnce) {
        await new Promise<void>((resolve) => (isUrgent ? urgent : others).push(resolve));
      } else running += 1;
      try {
        return await job();
      } finally {
        const next = urgent.shift() ?? others.shift(); // it takes over this one's place
        if (next) next();
        else running -= 1;
      }
    },
    waiting: () => urgent.length + others.length,
  };
}
