// SPDX-License-Identifier: Apache-2.0
// Sends error beacons without waiting for the response. They are optional: they must not delay a viewer or fill memory,
// so excess ones are dropped. Beacons that must arrive go through the ledger of src/tracking.
import type { Dispatcher } from 'undici';
import type { FireAndForget } from '../../ads/request/ports.ts';
import type { Timers } from '../../time/clock.ts';
import { createExchange } from './httpExchange.ts';

export type FireLimits = {
  /** Sent to one host at once. Beyond `concurrency + queue` in total, requests are dropped. */
  readonly concurrency?: number;
  readonly queue?: number;
  readonly timeoutMs?: number;
  readonly timers?: Timers;
};

/** @param guard the dispatcher of createEgressGuard */
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
