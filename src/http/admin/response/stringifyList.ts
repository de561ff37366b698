import { setImmediate as others } from 'node:timers/promises';

/** After this many characters, whoever waits for this thread comes first: a page may hold a hundred megabytes. */
const TURN = 256 * 1024;

/** A list as JSON text, made in turns. */
export async function stringifyList(items: readonly unknown[]): Promise<string> {
  const parts: string[] = [];
  let size = 0;
  for (const item of items) {
    const part = JSON.stringify(item);
    parts.push(part);
    size += part.length;
    if (size < TURN) continue;
    size = 0;
    await others();
  }
  return `[${parts.join(',')}]`;
}
