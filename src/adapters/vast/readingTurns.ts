// SPDX-License-Identifier: Apache-2.0
// Spreads the reading of ad responses over turns of the event loop, so that requests of viewers are served in between when many
// responses arrive at once.

/** @returns a promise until it is the turn of a response of this size; undefined if it may be read at once */
export type ReadingTurns = (bytes: number) => Promise<void> | undefined;

type Waiting = { readonly bytes: number; readonly resume: () => void };

/** @param maxBytes read in one turn. A larger response has a turn of its own */
export function createReadingTurns(maxBytes: number): ReadingTurns {
  const line: Waiting[] = [];
  let read = 0;
  let isScheduled = false;

  const fits = (bytes: number): boolean => read === 0 || read + bytes <= maxBytes;

  function count(bytes: number): void {
    read += bytes;
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(nextTurn);
  }

  function nextTurn(): void {
    isScheduled = false;
    read = 0;
    for (let [first] = line; first !== undefined && fits(first.bytes); [first] = line) {
      line.shift();
      count(first.bytes);
      first.resume();
    }
  }

  return (bytes) => {
    if (line.length > 0 || !fits(bytes)) return new Promise((resume) => line.push({ bytes, resume }));
    count(bytes);
    return undefined;
  };
}
