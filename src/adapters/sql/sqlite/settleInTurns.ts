// SPDX-License-Identifier: Apache-2.0
// Spreads what follows from a group of writes over turns of the event loop, so that requests of viewers are served in between.
import type { Timers } from '../../../time/clock.ts';

export type Settled = {
  /** The caller has waited for others, and may wait longer. */
  readonly mayWait: boolean;
  readonly settle: () => void;
};

const CALLERS_IN_TURN = 2;
/** Milliseconds between the turns of those that may wait: otherwise the ad requests of many viewers would be sent at once. */
const TURN_MS = 2;

/** @param timers without them, all callers continue in their order */
export function settleInTurns(callers: readonly Settled[], timers: Timers | undefined): void {
  if (timers === undefined) {
    takeTurns(callers, setImmediate);
    return;
  }
  takeTurns(
    callers.filter(({ mayWait }) => !mayWait),
    setImmediate,
  );
  takeTurns(
    callers.filter(({ mayWait }) => mayWait),
    (next) => timers.after(TURN_MS, next),
  );
}

function takeTurns(callers: readonly Settled[], later: (next: () => void) => unknown, from = 0): void {
  const to = from + CALLERS_IN_TURN;
  for (const { settle } of callers.slice(from, to)) settle();
  if (to < callers.length) later(() => takeTurns(callers, later, to));
}
