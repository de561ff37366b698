// Writes what waits in one go: while a write is under way the next items gather, and go together. So a crowd costs few
// writes, and somebody alone waits for nobody.

const MOST_AT_ONCE = 500;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * @param write answers for each item, in their order
 * @param apart milliseconds from the beginning of a write of several items to that of the next: most of what a write costs it
 * costs whatever its size, so a crowd waits for more
 * @returns a function that resolves once its item is written
 */
export function groupWrites<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
  apart = 0,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;
  let nextAt = Number.NEGATIVE_INFINITY;

  async function writeGroup(): Promise<void> {
    const group = waiting.splice(0, MOST_AT_ONCE);
    if (group.length > 1) nextAt = performance.now() + apart;
    try {
      const results = await write(group.map(({ item }) => item));
      group.forEach(({ resolve }, index) => void resolve(results[index]!));
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    if (waiting.length > 0) begin();
    else isWriting = false;
  }

  function begin(): void {
    isWriting = true;
    const early = waiting.length < MOST_AT_ONCE ? nextAt - performance.now() : 0;
    // Whoever comes in this turn of the loop comes along.
    if (early <= 0) setImmediate(() => void writeGroup());
    else setTimeout(() => void writeGroup(), early);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (!isWriting) begin();
    });
}
