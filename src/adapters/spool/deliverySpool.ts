// SPDX-License-Identifier: Apache-2.0
// Deliveries that wait for the store (lineSpool.ts). Checks that the store accepts a line before it is recorded.
import type { WaitingDelivery } from '../../tracking/deliveries/delivery.ts';
import type { DeliverySpool } from '../../tracking/deliveries/ports.ts';
import type { FileSpool } from './fileSpool.ts';
import { createLineSpool } from './lineSpool.ts';

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** A line of another version or from a faulty disk would make the write of its whole batch fail. */
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

/** @param onLost called with the number of entries that were removed because the spool was full */
export function createDeliverySpool(files: FileSpool, onLost: (entries: number) => void): DeliverySpool {
  const spool = createLineSpool(files, isDelivery, onLost);
  return {
    ...spool,
    async read(entry) {
      const { values, unreadable } = await spool.read(entry);
      return { deliveries: values, unreadable };
    },
  };
}
