// SPDX-License-Identifier: Apache-2.0
// Reads what other processes have written to the logs of live feeds, at the same instants of the clock in all of them: so all have
// read the same when the store becomes unavailable. A process that was suspended or is overloaded reads late, and shows nothing
// until it has read again: its edge would be older than that of the others (law 8).
import { type Clock, type Timer, within } from '../../time/clock.ts';

export type LogSync = {
  /** Reads periodically from now on, for as long as feeds are in use. */
  start(): void;
  /**
   * Undefined if the last reading is recent enough to contain all entries that are due. Otherwise resolves when they are known,
   * or when the store does not respond: then each process continues on its own.
   */
  catchUp(): Promise<void> | undefined;
  stop(): void;
};

export type LogSyncDeps = Clock & {
  /** Reads the logs of all feeds. */
  readonly read: () => Promise<void>;
  readonly isInUse: () => boolean;
  /** Called after each reading that tells whether the store is unavailable. */
  readonly onOutage: (isOutage: boolean) => void;
  /** Milliseconds between writing an entry and showing it. */
  readonly visibleDelay: number;
};

/** Milliseconds: all processes read at the multiples of it. They show an entry a second after it was written. */
const SYNC_MS = 250;
/** Before a call that stores entries counts as failed: so all processes notice an outage at the same instant. */
const TIMEOUT_MS = 750;
/** A timeout that this process noticed so much later is not the store's. */
const LATE_MS = 100;
/** A viewer waits for readings no longer than this. */
const CATCH_UP_MS = 1000;

export function createLogSync({ timers, now, read, isInUse, onOutage, visibleDelay }: LogSyncDeps): LogSync {
  /** The other half of the delay is for the writer. */
  const maxAge = visibleDelay / 2;
  let timer: Timer | undefined;
  let reading: Promise<void> | undefined;
  let isStopped = false;
  /** When the newest reading that succeeded was begun. */
  let readAt = timers.elapsed();
  let isOutage = false;

  const isOld = (): boolean => !isOutage && !isStopped && timers.elapsed() - readAt > maxAge;

  async function readOnce(): Promise<void> {
    const begunAt = timers.elapsed();
    const isRead = await within(
      timers,
      TIMEOUT_MS,
      read().then(
        () => true,
        () => false,
      ),
    );
    reading = undefined;
    if (isRead) readAt = begunAt;
    if (isRead) isOutage = false;
    else if (timers.elapsed() - begunAt <= TIMEOUT_MS + LATE_MS) isOutage = true;
    else return;
    onOutage(isOutage);
  }

  const readNow = (): Promise<void> => {
    reading ??= readOnce();
    return reading;
  };

  function schedule(): void {
    if (timer !== undefined || isStopped || !isInUse()) return;
    timer = timers.after(SYNC_MS - (now() % SYNC_MS), async () => {
      // A failure has no effect: entries that could not be stored are reported by the queue.
      await readNow();
      timer = undefined;
      schedule();
    });
  }

  async function readSince(at: number): Promise<void> {
    while (!isOutage && !isStopped && readAt < at) await readNow();
  }

  return {
    start() {
      // Nothing was read while no feed was in use. A feed that is loaded now is as new as its log.
      if (timer === undefined) readAt = timers.elapsed();
      schedule();
    },
    catchUp: () => (isOld() ? within(timers, CATCH_UP_MS, readSince(timers.elapsed())) : undefined),
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
