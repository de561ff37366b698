// SPDX-License-Identifier: Apache-2.0
// A store that a test can make unavailable: calls are rejected, or never settle. The store itself is a real one.
import { AppError } from '../../src/errors.ts';
import type { SessionStore } from '../../src/sessions/ports.ts';

export type StoreWithOutages<Store extends object = SessionStore> = {
  readonly store: Store;
  /** The number of calls that the real store is processing. */
  readonly pending: () => number;
  readonly isUnavailable: () => boolean;
  /**
   * Begins an outage. `refused`: calls are rejected. `silent`: calls do not settle. `lost`: the next call takes effect, but
   * its response is lost, and later calls do not settle.
   */
  begin(how: 'refused' | 'silent' | 'lost'): void;
  /** Ends the outage. Calls that have not settled are rejected, as those of closed connections are. */
  end(): void;
};

const unavailable = () => new AppError('UNAVAILABLE', 'The store is unavailable.');

export function createStoreWithOutages<Store extends object>(real: Store): StoreWithOutages<Store> {
  let state: 'up' | 'refused' | 'silent' | 'lost' = 'up';
  let pending = 0;
  let unsettled: (() => void)[] = [];
  const neverSettle = () =>
    new Promise<never>((_, reject) => {
      unsettled.push(() => reject(unavailable()));
    });

  async function call(work: () => Promise<unknown>): Promise<unknown> {
    if (state === 'refused') throw unavailable();
    if (state === 'silent') return neverSettle();
    const isLost = state === 'lost';
    if (isLost) state = 'silent';
    pending += 1;
    const value = await work().finally(() => {
      pending -= 1;
    });
    return isLost ? neverSettle() : value;
  }

  return {
    store: new Proxy(real, {
      get(target, name) {
        const method = Reflect.get(target, name) as (...parameters: unknown[]) => Promise<unknown>;
        return (...parameters: unknown[]) => call(() => method(...parameters));
      },
    }),
    pending: () => pending,
    isUnavailable: () => state !== 'up',
    begin(how) {
      state = how;
    },
    end() {
      state = 'up';
      const rejections = unsettled;
      unsettled = [];
      for (const reject of rejections) reject();
    },
  };
}
