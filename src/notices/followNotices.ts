// SPDX-License-Identifier: Apache-2.0
// Keeps what this process has in memory up to date with what others store. Notices announce changes; where it is not certain that
// all of them have arrived, everything is read once a second. What is read, and how, is left to the readers.
import { type Timer, type Timers, within } from '../time/clock.ts';
import type { Notice, NoticeSource, Topic } from './ports.ts';

export type NoticeObserver = {
  arrived(topic: Topic): void;
  /** What a notice announced has been read. */
  read(notice: Notice): void;
  /** A notice of this process to itself has arrived. */
  echo(ms: number): void;
  /** Whether notices arrive. */
  connected(isConnected: boolean): void;
};

export type Reading = {
  /** A noun phrase for the log: `<name> failed`, `<name> works again`. */
  readonly name: string;
  readonly topics: readonly Topic[];
  /** @param keys what has changed; undefined: anything may have changed */
  readonly read: (keys?: ReadonlySet<string>) => Promise<void>;
  /** False if something could not be read although it is in the store: no notice will follow. */
  readonly isComplete?: () => boolean;
};

export type NoticeFollower = ReturnType<typeof createNoticeFollower>;

type Deps = {
  readonly source: NoticeSource;
  readonly timers: Timers;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
  readonly observe: NoticeObserver;
  readonly polls?: NoticePolls;
};

/** Milliseconds between two readings of everything. */
export type NoticePolls = {
  /** While notices do not arrive. */
  readonly without: number;
  /** While they arrive, in case one was never sent. */
  readonly with: number;
};

/** Half of the time within which a change has to be seen. A check that takes longer than this has failed. */
const CHECK_MS = 500;
const POLLS: NoticePolls = { without: 1000, with: 10_000 };
/** A busy process fails a check now and then; from this many in a row on, it is logged. */
const FAILURES_TO_LOG = 4;

export function createNoticeFollower(deps: Deps) {
  const { source, timers, warn, observe, polls = POLLS } = deps;
  const readers: ReturnType<typeof createNoticeReader>[] = [];
  let timer: Timer | undefined;
  let isStopped = false;
  let checking: Promise<string | undefined> | undefined;
  let failures = 0;
  let isLogged = false;

  /** A check that has not responded in time continues, and the next one waits for it. */
  async function check(): Promise<string | undefined> {
    checking ??= source
      .catchUp()
      .catch((error: unknown) => `the check failed: ${error instanceof Error ? error.message : String(error)}`)
      .finally(() => {
        checking = undefined;
      });
    const reason = checking.then((found) => ({ found }));
    const checked = await within(timers, CHECK_MS, reason);
    return checked === undefined ? `no response within ${CHECK_MS} ms` : checked.found;
  }

  function recordCheck(reason: string | undefined): void {
    failures = reason === undefined ? 0 : failures + 1;
    observe.connected(failures === 0);
    if (failures === FAILURES_TO_LOG && !isLogged) {
      isLogged = true;
      warn('notices of other processes do not arrive; changes are read every second', { reason });
    }
    if (failures > 0 || !isLogged) return;
    isLogged = false;
    warn('notices of other processes arrive again', {});
  }

  async function checkOnce(): Promise<void> {
    const reason = await check();
    recordCheck(reason);
    // Less by half an interval: timers that fire a little early must not skip one.
    const without = polls.without - CHECK_MS / 2;
    const than = reason === undefined ? polls.with - CHECK_MS / 2 : without;
    for (const reader of readers) reader.readOlder(than, without);
  }

  function schedule(): void {
    if (!isStopped) timer = timers.after(CHECK_MS, () => void checkOnce().finally(schedule));
  }

  return {
    /** Reads what changes from now on. The caller has read it before, or reads it next. */
    follow(reading: Reading): void {
      readers.push(createNoticeReader(reading, deps));
    },
    start(): void {
      source.start({
        notice(one) {
          observe.arrived(one.topic);
          for (const reader of readers) reader.notice(one);
        },
        lost() {
          for (const reader of readers) reader.readAll();
        },
        echo: observe.echo,
      });
      schedule();
    },
    async stop(): Promise<void> {
      isStopped = true;
      timer?.cancel();
      for (const reader of readers) reader.stop();
      await source.stop();
    },
  };
}

/** Milliseconds from the start of a reading to that of the next one. */
const SPACING_MS = 500;

/** Reads again what notices announce: at once, and during a storm of notices twice a second for all of them. */
function createNoticeReader(
  { name, topics, read, isComplete = () => true }: Reading,
  { timers, warn, observe }: Pick<Deps, 'timers' | 'warn' | 'observe'>,
) {
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
      for (const one of announced) observe.read(one);
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
    notice(one: Notice): void {
      if (!topics.includes(one.topic)) return;
      notices.push(one);
      schedule();
    },
    readAll,
    /** Reads everything that was read longer ago, in milliseconds. @param incomplete the same while something could not be read */
    readOlder(than: number, incomplete: number): void {
      if (timers.elapsed() - startedAt > (hasFailed || !isComplete() ? incomplete : than)) readAll();
    },
    stop(): void {
      isStopped = true;
      timer?.cancel();
    },
  };
}
