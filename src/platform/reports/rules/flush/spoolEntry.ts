// SPDX-License-Identifier: Apache-2.0
// Counts in the spool, on their way to the stores of the systems. Viewers become measurements, measurements become one batch
// per system, and a batch is removed once its store has accepted it.
import type { Counted } from '../count/counter.ts';
import type { Batch } from '../ports.ts';

export type SpoolEntry = Counted & {
  /** Prefix of the ids of its batches. */
  readonly id: string;
  /** Tenants by channel, in entries that an older version wrote without a tenant in each count. */
  readonly tenants?: Readonly<Record<string, string>>;
  readonly batches: readonly { readonly tenant: string; readonly id: string; readonly batch: Batch }[];
};

/** @returns undefined if nothing was counted */
export function writeSpoolEntry(id: string, counted: Counted): string | undefined {
  if (counted.measurements.length + counted.viewing.length + counted.ofSystems.length === 0) return undefined;
  return JSON.stringify({ ...counted, id, batches: [] } satisfies SpoolEntry);
}

/** @returns undefined if the text is not a valid entry */
export function readSpoolEntry(text: string): SpoolEntry | undefined {
  try {
    const entry = JSON.parse(text) as Partial<SpoolEntry>;
    const { id, measurements, viewing, ofSystems, batches } = entry;
    const isEntry = typeof id === 'string' && [measurements, viewing, ofSystems, batches].every(Array.isArray);
    return isEntry ? (entry as SpoolEntry) : undefined;
  } catch {
    return undefined;
  }
}
