// SPDX-License-Identifier: Apache-2.0
// Parses what others send without delaying viewers: one slice in each turn of the event loop, whatever else is parsed meanwhile.
import { setImmediate as immediate } from 'node:timers/promises';
import type { Sliced } from '../../time/sliced.ts';

/** Characters. Less is parsed in a few milliseconds. */
const LONG_TEXT = 64 * 1024;

let last: Promise<unknown> = Promise.resolve();

/** Waits for a turn of the event loop. Each turn goes to one of those who wait. */
export function nextTurn(): Promise<void> {
  const turn = last.then(() => immediate());
  last = turn;
  return turn;
}

/** @param length of the text. Work on a long one does not start in the turn in which it was received */
export async function inTurns<Result>(length: number, work: Sliced<Result>): Promise<Result> {
  if (length > LONG_TEXT) await nextTurn();
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    await nextTurn();
  }
}
