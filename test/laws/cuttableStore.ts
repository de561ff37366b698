// A session store behind a line that can be cut: calls are refused, or are never answered. What is behind the line is real.
import { AppError } from '../../src/errors.ts';
import type { SessionStore } from '../../src/sessions/ports.ts';

export type CuttableStore = {
  readonly store: SessionStore;
  /** Calls that the store is working on. */
  readonly underWay: () => number;
  readonly isCut: () => boolean;
  /** @param how `lost`: the next call takes effect, and the line is silent before its answer is through */
  cut(how: 'refused' | 'silent' | 'lost'): void;
  /** Calls that were not answered fail now, as those of connections that are closed. */
  mend(): void;
};

const unavailable = () => new AppError('UNAVAILABLE', 'The line is cut.');

export function createCuttableStore(real: SessionStore): CuttableStore {
  let state: 'up' | 'refused' | 'silent' | 'lost' = 'up';
  let underWay = 0;
  let unanswered: (() => void)[] = [];
  const neverAnswered = () =>
    new Promise<never>((_, reject) => {
      unanswered.push(() => reject(unavailable()));
    });

  async function call(work: () => Promise<unknown>): Promise<unknown> {
    if (state === 'refused') throw unavailable();
    if (state === 'silent') return neverAnswered();
    const isLost = state === 'lost';
    if (isLost) state = 'silent';
    underWay += 1;
    const value = await work().finally(() => {
      underWay -= 1;
    });
    return isLost ? neverAnswered() : value;
  }

  return {
    store: new Proxy(real, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...given: unknown[]) => Promise<unknown>;
        return (...given: unknown[]) => call(() => method(...given));
      },
    }),
    underWay: () => underWay,
    isCut: () => state !== 'up',
    cut(how) {
      state = how;
    },
    mend() {
      state = 'up';
      const all = unanswered;
      unanswered = [];
      for (const fail of all) fail();
    },
  };
}
