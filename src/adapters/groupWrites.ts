// Writes what waits in one go: while a write is under way the next items gather, and go together. So a crowd costs few
// writes, and somebody alone waits for nobody.

const MOST_AT_ONCE = 500;

type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/** @param write answers for each item, in their order; @returns a function that resolves once its item is written */
export function groupWrites<Item, Result>(
  write: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  let waiting: Waiting<Item, Result>[] = [];
  let isWriting = false;

  async function writeAll(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting.splice(0, MOST_AT_ONCE);
      try {
        const results = await write(group.map(({ item }) => item));
        group.forEach(({ resolve }, index) => void resolve(results[index]!));
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    waiting = [];
    isWriting = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (isWriting) return;
      isWriting = true;
      // Whoever comes in this turn of the loop comes along.
      setImmediate(() => void writeAll());
    });
}
