/** So many jobs at once, the others in turn; urgent ones first. */
export type TurnQueue = {
  run<Result>(job: () => Promise<Result>, isUrgent: boolean): Promise<Result>;
  /** How many wait for their turn. */
  waiting(): number;
};

export function createTurnQueue(atOnce: number): TurnQueue {
  const waiting: (() => void)[] = [];
  let running = 0;
  return {
    async run(job, isUrgent) {
      if (running >= atOnce) {
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
    waiting: () => waiting.length,
  };
}
