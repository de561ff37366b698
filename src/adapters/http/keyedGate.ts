// So many at a time for each key (a host, an ad server), the others in line up to a bound. It knows how to wait and
// when to give up; it refuses to know what is waited for.

export type GateLimits = {
  /** At once, for one key. */
  readonly concurrency: number;
  /** Waiting, for one key; who comes after them is turned away. */
  readonly queue: number;
};

type Waiter = { readonly admit: () => void };
type Line = { running: number; readonly waiting: Set<Waiter> };

/** Leaves the gate; calling it twice is calling it once. */
type Leave = () => void;

export type KeyedGate = {
  /** Resolves once there is a place; `full` at once when the line is too long; `aborted` when the signal came first. */
  enter(key: string, signal?: AbortSignal): Promise<Leave | 'full' | 'aborted'>;
};

export function createKeyedGate({ concurrency, queue }: GateLimits): KeyedGate {
  const lines = new Map<string, Line>();

  const leaveOnce = (key: string, line: Line): Leave => {
    let left = false;
    return () => {
      if (left) return;
      left = true;
      line.running -= 1;
      const [next] = line.waiting;
      if (next) next.admit();
      else if (line.running === 0) lines.delete(key);
    };
  };

  return {
    enter(key, signal) {
      const line = lines.get(key) ?? { running: 0, waiting: new Set() };
      lines.set(key, line);
      if (line.running < concurrency) {
        line.running += 1;
        return Promise.resolve(leaveOnce(key, line));
      }
      if (signal?.aborted) return Promise.resolve('aborted');
      if (line.waiting.size >= queue) return Promise.resolve('full');
      return new Promise((resolve) => {
        const giveUp = () => {
          line.waiting.delete(waiter);
          resolve('aborted');
        };
        const waiter: Waiter = {
          admit: () => {
            signal?.removeEventListener('abort', giveUp);
            line.waiting.delete(waiter);
            line.running += 1;
            resolve(leaveOnce(key, line));
          },
        };
        line.waiting.add(waiter);
        signal?.addEventListener('abort', giveUp, { once: true });
      });
    },
  };
}
