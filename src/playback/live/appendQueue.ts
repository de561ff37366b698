// SPDX-License-Identifier: Apache-2.0
// Stores the new entries of all feeds of a process: those that are due at about the same time in one call, so that 500 channels
// do not cause 500 transactions a second.
import type { LiveLog } from '../../live/ports.ts';
import type { LiveEntry } from '../../live/slot.ts';
import { type Timers, within } from '../../time/clock.ts';

/** `lost`: the log has another entry under the first number, or the life has ended. `failed`: the outcome is unknown. */
type AppendResult = 'stored' | 'lost' | 'failed';

type AppendQueueDeps = {
  readonly log: Pick<LiveLog, 'append'>;
  readonly timers: Timers;
  /** Called once when an outage begins, and once when it ends. */
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

type Request = {
  readonly life: string;
  readonly entries: readonly LiveEntry[];
  readonly resolve: (result: AppendResult) => void;
};

/** Milliseconds. */
const GATHER_MS = 50;
/** A call that takes longer counts as failed. It may still store its entries; the log shows that later. */
const RESPONSE_TIMEOUT_MS = 1000;
/** A timeout that this process noticed so much later is not the store's: the process was suspended, and has a response to read. */
const LATE_MS = 100;
/** Entries of one call, and of one life in it. After an outage, there may be many. */
export const MAX_ENTRIES = 1000;

export function createAppendQueue({ log, timers, warn }: AppendQueueDeps) {
  const requests: Request[] = [];
  let isScheduled = false;
  let outageSince: number | undefined;
  let isStopped = false;

  function schedule(): void {
    if (isScheduled || requests.length === 0) return;
    isScheduled = true;
    timers.after(GATHER_MS, flush);
  }

  /** Takes at least one request, and as many as fit. */
  function takeRequests(): Request[] {
    let count = 0;
    const fitting = requests.findIndex(({ entries }, index) => {
      count += entries.length;
      return index > 0 && count > MAX_ENTRIES;
    });
    return requests.splice(0, fitting < 0 ? requests.length : fitting);
  }

  function record(error: unknown): void {
    if (error === undefined) {
      if (outageSince === undefined) return;
      const unavailableMs = Math.round(timers.elapsed() - outageSince);
      outageSince = undefined;
      warn('live timelines are stored again', { unavailableMs });
    } else if (outageSince === undefined) {
      outageSince = timers.elapsed();
      warn('live timelines cannot be stored; they continue from memory', { error });
    }
  }

  /** @returns undefined if the store did not respond in time */
  async function responseTo<Value>(response: Promise<Value>): Promise<Value | undefined> {
    for (;;) {
      const begunAt = timers.elapsed();
      const value = await within(timers, RESPONSE_TIMEOUT_MS, response);
      const isLate = timers.elapsed() - begunAt > RESPONSE_TIMEOUT_MS + LATE_MS;
      if (value !== undefined || !isLate) return value;
    }
  }

  async function store(entries: Parameters<LiveLog['append']>[0]): Promise<readonly boolean[] | undefined> {
    try {
      const stored = await responseTo(log.append(entries));
      record(stored === undefined ? new Error(`No response within ${RESPONSE_TIMEOUT_MS} ms`) : undefined);
      return stored;
    } catch (error) {
      record(error);
      return undefined;
    }
  }

  async function flush(): Promise<void> {
    if (isStopped) return;
    const taken = takeRequests();
    const stored = await store(taken.flatMap(({ life, entries }) => entries.map((entry) => ({ life, entry }))));
    let index = 0;
    for (const { entries, resolve } of taken) {
      const own = stored?.slice(index, index + entries.length);
      index += entries.length;
      resolve(own === undefined ? 'failed' : own.every(Boolean) ? 'stored' : 'lost');
    }
    isScheduled = false;
    schedule();
  }

  return {
    append: (life: string, entries: readonly LiveEntry[]): Promise<AppendResult> =>
      new Promise((resolve) => {
        requests.push({ life, entries, resolve });
        schedule();
      }),
    /** The last call failed. */
    isOutage: (): boolean => outageSince !== undefined,
    stop() {
      isStopped = true;
      for (const { resolve } of requests.splice(0)) resolve('failed');
    },
  };
}

export type AppendQueue = ReturnType<typeof createAppendQueue>;

/** A function that runs once at a time: each call waits for the one before it, whatever that results in. */
export function inTurn<Args extends readonly unknown[], Result>(
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (...args) => {
    const next = last.then(() => run(...args));
    last = next.catch(() => undefined);
    return next;
  };
}
