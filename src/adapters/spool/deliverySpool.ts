// Deliveries that wait for the store, as lines of files that outlive the process. Those who come while the disk is at work
// go together, so a crowd costs few writes.
import { randomUUID } from 'node:crypto';
import type { WaitingDelivery } from '../../tracking/delivery.ts';
import type { DeliverySpool } from '../../tracking/ports.ts';
import { groupWrites } from '../groupWrites.ts';
import type { FileSpool } from './fileSpool.ts';

/** Bytes after which the next parcel is begun. */
const PARCEL = 1024 * 1024;

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Whether the store can take it: a line of another version, or of a disk that lies, would fail those beside it. */
function isDelivery(value: unknown): value is WaitingDelivery {
  if (typeof value !== 'object' || value === null) return false;
  const { sessionId, adId, startsAt, grid, kind, segments, tracking, holdBack, at } = value as Record<string, unknown>;
  return (
    typeof sessionId === 'string' &&
    typeof adId === 'string' &&
    Number.isFinite(startsAt) &&
    Array.isArray(grid) &&
    grid.every(Number.isFinite) &&
    (kind === 'pictures' || kind === 'sound') &&
    Array.isArray(segments) &&
    segments.every((place) => isCount(place) && place < grid.length) &&
    (tracking === 'server' || tracking === 'client') &&
    Number.isFinite(holdBack) &&
    isCount(at)
  );
}

function readLine(line: string): WaitingDelivery | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isDelivery(value) ? value : undefined;
  } catch {
    return undefined;
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
      // Of a process that was killed while it wrote, the last line is torn; no viewer was answered for it.
      const lines = ((await files.read(id)) ?? '').split('\n').slice(0, -1);
      const read = lines.map((line) => ({ line, delivery: readLine(line) }));
      return {
        deliveries: read.flatMap(({ delivery }) => delivery ?? []),
        unreadable: read.flatMap(({ line, delivery }) => (delivery === undefined ? [line] : [])),
      };
    },
    remove: files.remove,
    setAside: (id, lines) => files.setAside(id, lines?.map((line) => `${line}\n`).join('')),
  };
}
