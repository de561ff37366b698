// SPDX-License-Identifier: Apache-2.0
import { setImmediate as nextTurn } from 'node:timers/promises';

/** After this many characters other work gets a turn: a page of records can hold a hundred megabytes. */
const CHARACTERS_PER_TURN = 256 * 1024;

/** A list as JSON text, without blocking the event loop for long. */
export async function stringifyList(items: readonly unknown[]): Promise<string> {
  const parts: string[] = [];
  let size = 0;
  for (const item of items) {
    const part = JSON.stringify(item);
    parts.push(part);
    size += part.length;
    if (size < CHARACTERS_PER_TURN) continue;
    size = 0;
    await nextTurn();
  }
  return `[${parts.join(',')}]`;
}
