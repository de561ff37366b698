/** So many jobs at once, the others in turn; urgent ones first. */
export type JobQueue = {
  /** undefined, without running it, when too many are waiting already. */
  run<Result>(job: () => Promise<Result>, isUrgent: boolean): Promise<Result | undefined>;
};

export function createJobQueue(atOnce: number, mostWaiting: number): JobQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(job, isUrgent) {
      if (running >= atOnce) {
        if (waiting.length >= mostWaiting && !isUrgent) return undefined;
        await new Promise<void>((resolve) => {
          if (isUrgent) waiting.unshift(resolve);
          else waiting.push(resolve);
        });
      } else running += 1;
      try {
        return await job();
      } finally {
        const next = waiting.shift(); // it takes over this one's place
        if (next) next();
        else running -= 1;
      }
    },
  };
}
