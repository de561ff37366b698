// What was counted, as it waits to be brought to the systems' stores. Viewers become measurements, measurements become
// batches, batches go.
import type { Counted } from '../count/counter.ts';
import type { Batch } from '../ports.ts';

export type SpoolEntry = Counted & {
  /** Begins the ids of its batches. */
  readonly id: string;
  /** Whose channels these are, in parcels that were written before each count said it. */
  readonly tenants?: Readonly<Record<string, string>>;
  readonly batches: readonly { readonly tenant: string; readonly id: string; readonly batch: Batch }[];
};

/** @returns undefined when nothing was counted */
export function writeSpoolEntry(id: string, counted: Counted): string | undefined {
  if (counted.measurements.length + counted.viewing.length + counted.ofSystems.length === 0) return undefined;
  return JSON.stringify({ ...counted, id, batches: [] } satisfies SpoolEntry);
}

/** @returns undefined when it is no parcel */
export function readSpoolEntry(text: string): SpoolEntry | undefined {
  try {
    const parcel = JSON.parse(text) as Partial<SpoolEntry>;
    const { id, measurements, viewing, ofSystems, batches } = parcel;
    const isParcel = typeof id === 'string' && [measurements, viewing, ofSystems, batches].every(Array.isArray);
    return isParcel ? (parcel as SpoolEntry) : undefined;
  } catch {
    return undefined;
  }
}
