// Hands on what this process counted. It is written to the spool first, so that a restart and a store that is away lose
// nothing, and then brought (bringParcels.ts).
import { randomUUID } from 'node:crypto';
import { type BringDeps, type BringParcels, createBringer } from './bringParcels.ts';
import { type Counted, type Counter, createCounter } from './counter.ts';
import type { ReportEvent } from './event.ts';
import { writeParcel } from './parcel.ts';

export type CourierDeps = BringDeps & { readonly counter: Counter };

export type Courier = {
  /** Hands over what was counted. `isLast`: there is no later, the process ends. */
  collect(isLast?: boolean): Promise<void>;
  /** Hands over what every process would say alike, under the same id: it is counted once. */
  post(id: string, events: readonly ReportEvent[]): Promise<void>;
  readonly deliver: BringParcels;
};

export function createCourier(deps: CourierDeps): Courier {
  const { counter, spool, now, log } = deps;

  async function put(id: string, counted: Counted): Promise<void> {
    const text = writeParcel(id, counted);
    if (text === undefined) return;
    const lost = await spool.put(id, text);
    if (lost > 0) log('the spool of the reports is full: the oldest of what was counted is lost', { parcels: lost });
  }

  return {
    collect: (isLast = false) => put(randomUUID(), counter.take(now(), isLast)),
    async post(id, events) {
      const once = createCounter();
      for (const event of events) once.record(event);
      await put(id, once.take(now(), true));
    },
    deliver: createBringer(deps),
  };
}
