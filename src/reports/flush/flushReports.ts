// Hands on what this process counted. It is written to the spool first, so that a restart and a store that is away lose
// nothing, and then brought (bringParcels.ts).
import { randomUUID } from 'node:crypto';
import { type Counted, type Counter, createCounter } from '../count/counter.ts';
import type { ReportEvent } from '../event.ts';
import { writeSpoolEntry } from './spoolEntry.ts';
import { createStoreWriter, type StoreWriterDeps, type WriteToStores } from './writeToStores.ts';

export type ReportFlusherDeps = StoreWriterDeps & { readonly counter: Counter };

export type ReportFlusher = {
  /** Hands over what was counted. `isLast`: there is no later, the process ends. */
  flush(isLast?: boolean): Promise<void>;
  /** Hands over what every process would say alike, under the same id: it is counted once. */
  flushShared(id: string, events: readonly ReportEvent[]): Promise<void>;
  readonly writeToStores: WriteToStores;
};

export function createReportFlusher(deps: ReportFlusherDeps): ReportFlusher {
  const { counter, spool, now, log } = deps;

  async function put(id: string, counted: Counted): Promise<void> {
    const text = writeSpoolEntry(id, counted);
    if (text === undefined) return;
    const lost = await spool.put(id, text);
    if (lost > 0) log('the spool of the reports is full: the oldest of what was counted is lost', { parcels: lost });
  }

  return {
    flush: (isLast = false) => put(randomUUID(), counter.take(now(), isLast)),
    async flushShared(id, events) {
      const once = createCounter();
      for (const event of events) once.record(event);
      await put(id, once.take(now(), true));
    },
    writeToStores: createStoreWriter(deps),
  };
}
