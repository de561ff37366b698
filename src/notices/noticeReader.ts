// SPDX-License-Identifier: Apache-2.0
// Reads again what notices announce: at once, and during a storm of notices twice a second for all of them.
import type { Timer, Timers } from '../time/clock.ts';
import type { Notice, Topic } from './ports.ts';

export type Reading = {
  /** A noun phrase for the log: `<name> failed`, `<name> works again`. */
  readonly name: string;
  readonly topics: readonly Topic[];
  /** @param keys what has changed; undefined: anything may have changed */
  readonly read: (keys?: ReadonlySet<string>) => Promise<void>;
  /** False if something could not be read although it is in the store: no notice will follow. */
  readonly isComplete?: () => boolean;
};

export type NoticeReader = {
  notice(notice: Notice): void;
  /** Reads everything. */
  readAll(): void;
  /** Reads everything that was read longer ago, in milliseconds. @param incomplete the same while something could not be read */
  readOlder(than: number, incomplete: number): void;
  stop(): void;
};

export type NoticeReaderDeps = {
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  /** Called when what a notice announced has been read. */
  readonly onRead: (notice: Notice) => void;
};

/** Milliseconds from the start of a reading to that of the next one. */
const SPACING_MS = 500;

export function createNoticeReader(
  { name, read, isComplete = () => true }: Omit<Reading, 'topics'>,
  { timers, warn, onRead }: NoticeReaderDeps,
): NoticeReader {
  let notices: Notice[] = [];
  let readsAll = false;
  let isRunning = false;
  let hasFailed = false;
  let isStopped = false;
  let timer: Timer | undefined;
  let startedAt = Number.NEGATIVE_INFINITY;

  async function run(): Promise<void> {
    const [announced, all] = [notices, readsAll];
    [notices, readsAll] = [[], false];
    isRunning = true;
    startedAt = timers.elapsed();
    try {
      await read(all ? undefined : new Set(announced.map(({ key }) => key)));
      if (hasFailed) warn(`${name} works again`, {});
      hasFailed = false;
      for (const one of announced) onRead(one);
    } catch (error) {
      if (!hasFailed) warn(`${name} failed`, { error });
      hasFailed = true;
      // The next poll repeats it.
      readsAll = true;
    }
    isRunning = false;
    if (!hasFailed) schedule();
  }

  function schedule(): void {
    const isIdle = notices.length === 0 && !readsAll;
    if (isStopped || isRunning || timer !== undefined || isIdle) return;
    const wait = startedAt + SPACING_MS - timers.elapsed();
    if (wait <= 0) return void run();
    timer = timers.after(wait, () => {
      timer = undefined;
      if (!isStopped) void run();
    });
  }

  function readAll(): void {
    readsAll = true;
    schedule();
  }

  return {
    notice(one) {
      notices.push(one);
      schedule();
    },
    readAll,
    readOlder(than, incomplete) {
      if (timers.elapsed() - startedAt > (hasFailed || !isComplete() ? incomplete : than)) readAll();
    },
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
