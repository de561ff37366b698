// SPDX-License-Identifier: Apache-2.0
// Writes many deliveries. The store combines concurrent writes into one statement, so they are started together, up to a limit.

const MAX_CONCURRENT = 500;

export type Unwritten<Item> = { readonly failed: readonly Item[] /** Of the last failure. */; readonly error: unknown };

/** Does not reject. */
export async function writeConcurrently<Item>(
  items: readonly Item[],
  write: (item: Item) => Promise<unknown>,
): Promise<Unwritten<Item>> {
  const failed: Item[] = [];
  let error: unknown;
  for (let from = 0; from < items.length; from += MAX_CONCURRENT) {
    const some = items.slice(from, from + MAX_CONCURRENT);
    (await Promise.allSettled(some.map(write))).forEach((result, index) => {
      if (result.status === 'fulfilled') return;
      failed.push(some[index]!);
      error = result.reason;
    });
  }
  return { failed, error };
}
