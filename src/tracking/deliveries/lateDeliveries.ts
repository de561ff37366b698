// SPDX-License-Identifier: Apache-2.0
// Deliveries of sessions that this process does not know and cannot read, because the store of sessions is unavailable. The viewer is
// redirected to the media; the request waits here, and is recorded when the session can be read.
import { AppError } from '../../errors.ts';
import type { Millis } from '../../time/units.ts';

type LateDelivery = {
  readonly sessionId: string;
  readonly at: Millis;
  /** Records it; keeps it again if the session still cannot be read. */
  readonly record: () => Promise<unknown>;
};

export type LateDeliveries = ReturnType<typeof createLateDeliveries>;

const MAX_WAITING = 20_000;
const KEPT_MS = 900_000;
const AT_ONCE = 100;

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.kind === 'UNAVAILABLE';

/** @param onLost receives the error of a delivery that is not kept */
export function createLateDeliveries(now: () => Millis, onLost: (error: unknown, sessionId: string) => void) {
  let waiting: LateDelivery[] = [];

  /** @param error why it was not recorded. What the store's recovery cannot mend is lost */
  function keep(delivery: LateDelivery, error: unknown): void {
    const isKept = isUnavailable(error) && waiting.length < MAX_WAITING && now() - delivery.at < KEPT_MS;
    if (isKept) waiting.push(delivery);
    else onLost(error, delivery.sessionId);
  }

  return {
    keep,
    /** Records those that wait. To be called every second. */
    async retry(): Promise<void> {
      const all = waiting;
      waiting = [];
      while (all.length > 0) {
        const some = all.splice(0, AT_ONCE);
        const before = waiting.length;
        await Promise.all(some.map((one) => one.record().catch((error: unknown) => keep(one, error))));
        // The store is still unavailable.
        if (waiting.length - before >= some.length) break;
      }
      waiting.push(...all);
    },
  };
}
