// Tells a URL that something happened and does not wait: an error beacon is a courtesy to the ad's seller, never a
// reason to slow a viewer or to fill memory. What must arrive goes through the ledger of tracking instead.
import type { Dispatcher } from 'undici';
import type { FireAndForget } from '../../ads/request/ports.ts';
import type { Timers } from '../../time/clock.ts';
import { createExchange } from './httpExchange.ts';

export type FireLimits = {
  /** Under way to one host at once. With `queue` more it is as many as there may be in all; the rest are dropped. */
  readonly concurrency?: number;
  readonly queue?: number;
  readonly timeoutMs?: number;
  readonly timers?: Timers;
};

/** @param guard the dispatcher that createEgressGuard made */
export function createFireAndForget(guard: Dispatcher, limits: FireLimits = {}): FireAndForget {
  const { concurrency = 16, queue = 500, timeoutMs = 3_000 } = limits;
  const exchange = createExchange(guard, { concurrency, queue }, limits.timers);
  let underWay = 0;
  return (url, headers = {}) => {
    if (underWay >= concurrency + queue) return;
    underWay += 1;
    void exchange({ url, headers, maxBytes: 64 * 1024, timeoutMs }, () => false).finally(() => {
      underWay -= 1;
    });
  };
}
