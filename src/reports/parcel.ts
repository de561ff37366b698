// What was counted, as it waits to be brought to the systems' stores. Viewers become measurements, measurements become
// batches, batches go.
import type { Counted } from './counter.ts';
import type { Batch } from './ports.ts';

export type Parcel = Counted & {
  /** Begins the ids of its batches. */
  readonly id: string;
  /** Whose channels these are, in parcels that were written before each count said it. */
  readonly tenants?: Readonly<Record<string, string>>;
  readonly batches: readonly { readonly tenant: string; readonly id: string; readonly batch: Batch }[];
};

/** @returns undefined when nothing was counted */
export function writeParcel(id: string, counted: Counted): string | undefined {
  if (counted.measurements.length + counted.viewing.length + counted.ofSystems.length === 0) return undefined;
  return JSON.stringify({ ...counted, id, batches: [] } satisfies Parcel);
}

/** @returns undefined when it is no parcel */
export function readParcel(text: string): Parcel | undefined {
  try {
    const parcel = JSON.parse(text) as Partial<Parcel>;
    const { id, measurements, viewing, ofSystems, batches } = parcel;
    const isParcel = typeof id === 'string' && [measurements, viewing, ofSystems, batches].every(Array.isArray);
    return isParcel ? (parcel as Parcel) : undefined;
  } catch {
    return undefined;
  }
}
