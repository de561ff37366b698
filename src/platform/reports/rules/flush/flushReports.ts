// SPDX-License-Identifier: Apache-2.0
// Flushes what this process counted. Counts are written to a spool first, so a restart or an unavailable store loses
// nothing, and from there to the stores (writeToStores.ts).
import { randomUUID } from 'node:crypto';
import { type Counted, type Counter, createCounter } from '../count/counter.ts';
import type { ReportEvent } from '../event.ts';
import { writeSpoolEntry } from './spoolEntry.ts';
import { createStoreWriter, type StoreWriterDeps, type WriteToStores } from './writeToStores.ts';

export type ReportFlusherDeps = StoreWriterDeps & { readonly counter: Counter };

export type ReportFlusher = {
  /** Moves the counts to the spool. @param isLast true when the process ends: also the current report interval */
  flush(isLast?: boolean): Promise<void>;
  /** Writes events that every process reports alike. They count once for each id. */
  flushShared(id: string, events: readonly ReportEvent[]): Promise<void>;
  readonly writeToStores: WriteToStores;
};

export function createReportFlusher(deps: ReportFlusherDeps): ReportFlusher {
  const { counter, spool, now, log } = deps;

  async function put(id: string, counted: Counted): Promise<void> {
    const text = writeSpoolEntry(id, counted);
    if (text === undefined) return;
    const lost = await spool.put(id, text);
    if (lost > 0) log('report spool full: oldest entries discarded', { entries: lost });
  }

  return {
    flush: (isLast = false) => put(randomUUID(), counter.take(now(), isLast)),
    async flushShared(id, events) {
      const shared = createCounter();
      for (const event of events) shared.record(event);
      await put(id, shared.take(now(), true));
    },
    writeToStores: createStoreWriter(deps),
  };
}
