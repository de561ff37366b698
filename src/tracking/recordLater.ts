// Deliveries that could not be written down because the store was away are written when it is back, in the order in which
// they came. They wait in memory: a process that is killed meanwhile loses them, and more than so many are too many.
import type { AskedSegment, RecordDelivery } from './recordDelivery.ts';

export type RecordLater = {
  /** Rejects only when too many wait already. */
  readonly record: RecordDelivery;
  /** Tries those that wait; stops at the first that still cannot be written. */
  readonly retry: () => Promise<void>;
};

const MOST_WAITING = 20_000;

export function createRecordLater(record: RecordDelivery, most = MOST_WAITING): RecordLater {
  const waiting: AskedSegment[] = [];
  return {
    record: async (asked) => {
      try {
        await record(asked);
      } catch (error) {
        if (waiting.length >= most) throw error;
        waiting.push(asked);
      }
    },
    async retry() {
      while (waiting.length > 0) {
        try {
          await record(waiting[0]!);
        } catch {
          return;
        }
        waiting.shift();
      }
    },
  };
}
