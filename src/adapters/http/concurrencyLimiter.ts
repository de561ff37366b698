// SPDX-License-Identifier: Apache-2.0
// Limits how much work runs at once for each key (a host, an ad server) and how much may wait. It manages places only;
// what the work is, is left to the caller.

export type ConcurrencyLimits = {
  /** Running at once for one key. */
  readonly concurrency: number;
  /** Waiting for one key; more is rejected. */
  readonly queue: number;
};

/** `waiting`: what admits each. */
type Queue = { running: number; readonly waiting: Set<() => void> };

/** Gives the place back. Calling it twice has no effect. */
type Release = () => void;

export function createConcurrencyLimiter({ concurrency, queue: maxWaiting }: ConcurrencyLimits) {
  const queues = new Map<string, Queue>();

  const releaseOnce = (key: string, queue: Queue): Release => {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      queue.running -= 1;
      const [admit] = queue.waiting;
      admit?.();
      if (queue.running === 0) queues.delete(key);
    };
  };

  return {
    /** Resolves once there is a place, with `full` if the queue is full, or with `aborted` if the signal fires first. */
    acquire(key: string, signal?: AbortSignal): Promise<Release | 'full' | 'aborted'> {
      const queue = queues.get(key) ?? { running: 0, waiting: new Set() };
      queues.set(key, queue);
      if (queue.running < concurrency) {
        queue.running += 1;
        return Promise.resolve(releaseOnce(key, queue));
      }
      if (signal?.aborted) return Promise.resolve('aborted');
      if (queue.waiting.size >= maxWaiting) return Promise.resolve('full');
      return new Promise((resolve) => {
        const onAbort = () => {
          queue.waiting.delete(admit);
          resolve('aborted');
        };
        const admit = () => {
          signal?.removeEventListener('abort', onAbort);
          queue.waiting.delete(admit);
          queue.running += 1;
          resolve(releaseOnce(key, queue));
        };
        queue.waiting.add(admit);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
    },
  };
}
