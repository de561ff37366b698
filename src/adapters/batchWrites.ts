// SPDX-License-Identifier: Apache-2.0
// Batches concurrent writes: items that arrive during a write are written together afterwards. So many viewers cause
// few writes, and a single item is written without delay. What a write does is left to the caller.

const MAX_BATCH = 500;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * @param write returns one result for each item, in their order
 * @param intervalMs the minimum time between the start of a write of several items and the next write. Most of the cost
 * of a write does not depend on its size, so under load it pays to collect more items.
 * @returns a function that resolves once its item is written
 */
export function batchWrites<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  intervalMs = 0,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isScheduled = false;
  let nextAt = Number.NEGATIVE_INFINITY;

  async function writeBatch(): Promise<void> {
    const batch = waiting.splice(0, MAX_BATCH);
    if (batch.length > 1) nextAt = performance.now() + intervalMs;
    try {
      const results = await write(batch.map(({ item }) => item));
      batch.forEach(({ resolve }, index) => void resolve(results[index] as Result));
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    if (waiting.length > 0) schedule();
    else isScheduled = false;
  }

  function schedule(): void {
    isScheduled = true;
    const delay = waiting.length < MAX_BATCH ? nextAt - performance.now() : 0;
    // Items that arrive in the same turn of the event loop join the batch.
    if (delay <= 0) setImmediate(() => void writeBatch());
    else setTimeout(() => void writeBatch(), delay);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isScheduled) schedule();
    });
}
