// SPDX-License-Identifier: Apache-2.0
// The entries of the journals of deliveries (deliveryJournal.ts). Checks that the store accepts a line before it is recorded.
import type { WaitingDelivery } from '../../tracking/deliveries/delivery.ts';
import type { DeliveryEntries } from '../../tracking/deliveries/ports.ts';
import { createFileSpool, readLines } from './fileSpool.ts';

export type EntriesOptions = {
  readonly folder: string;
  /** Begins the names of the entries of this process. */
  readonly owner: string;
  readonly maxBytes: number;
  /** Milliseconds without a write after which an entry of another process counts as abandoned. */
  readonly leftAfter: number;
};

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** A line from a faulty disk would make the write of its whole batch fail. */
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

export function createDeliveryEntries({ folder, owner, maxBytes, leftAfter }: EntriesOptions): DeliveryEntries {
  /** @returns NaN for an entry of another process */
  const numberOf = (id: string): number =>
    id.startsWith(`${owner}.`) ? Number(id.slice(owner.length + 1)) : Number.NaN;
  const files = createFileSpool(folder, { maxBytes, leftAfter, isOurs: (id) => !Number.isNaN(numberOf(id)) });

  /** Other processes leave an entry alone as long as this one lives. */
  const holdOld = (entries: readonly { readonly id: string; readonly writtenAt: number }[]) =>
    Promise.all(
      entries
        .filter(({ id, writtenAt }) => numberOf(id) > 0 && Date.now() - writtenAt > leftAfter / 3)
        .map(({ id }) => files.hold(id)),
    );

  return {
    async list(lastComplete) {
      const listed = await files.list();
      const complete = listed.filter(({ id }) => !(numberOf(id) > lastComplete));
      await holdOld(complete);
      return complete.map(({ id }) => id);
    },
    async read(id) {
      const { values: deliveries, unreadable } = readLines(await files.read(id), isDelivery);
      return { deliveries, unreadable };
    },
    remove: files.remove,
    quarantine: files.quarantine,
    size: files.size,
  };
}
