// Deliveries that wait for the store, as lines of files that outlive the process. Those who come while the disk is at work
// go together, so a crowd costs few writes.
import { randomUUID } from 'node:crypto';
import type { WaitingDelivery } from '../tracking/delivery.ts';
import type { DeliverySpool } from '../tracking/ports.ts';
import type { FileSpool } from './fileSpool.ts';
import { groupWrites } from './groupWrites.ts';

/** Bytes after which the next parcel is begun. */
const PARCEL = 1024 * 1024;

/** Of a process that was killed while it wrote, the last line is torn; nobody was answered for it. */
function readLine(line: string): WaitingDelivery[] {
  try {
    const read = JSON.parse(line) as WaitingDelivery;
    return typeof read.sessionId === 'string' && Array.isArray(read.grid) && Array.isArray(read.segments) ? [read] : [];
  } catch {
    return [];
  }
}

/** @param onLost is told how many parcels had to go, because the spool is full */
export function createDeliverySpool(files: FileSpool, onLost: (parcels: number) => void): DeliverySpool {
  let parcel: { readonly id: string; bytes: number } | undefined;
  /** Parcels that may still be written to. */
  let open = new Set<string>();
  let writing: Promise<unknown> = Promise.resolve();

  async function append(deliveries: readonly WaitingDelivery[]): Promise<undefined[]> {
    parcel ??= { id: randomUUID(), bytes: 0 };
    open.add(parcel.id);
    const text = deliveries.map((one) => `${JSON.stringify(one)}\n`).join('');
    parcel.bytes += text.length;
    const { id, bytes } = parcel;
    if (bytes >= PARCEL) parcel = undefined;
    try {
      const lost = await files.append(id, text);
      if (lost > 0) onLost(lost);
    } catch (error) {
      // Half a line may stand at its end: nothing is to follow it.
      parcel = undefined;
      throw error;
    }
    return deliveries.map(() => undefined);
  }

  return {
    keep: groupWrites((deliveries) => {
      const work = append(deliveries);
      writing = work.catch(() => {});
      return work;
    }),
    async close() {
      parcel = undefined;
      open = new Set();
      await writing;
      const all = await files.list();
      return all.map(({ id }) => id).filter((id) => !open.has(id));
    },
    async read(id) {
      const text = await files.read(id);
      return (text ?? '').split('\n').flatMap(readLine);
    },
    remove: files.remove,
  };
}
