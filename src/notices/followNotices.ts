// SPDX-License-Identifier: Apache-2.0
// Keeps what this process has in memory up to date with what others store. Notices announce changes; where it is not certain that
// all of them have arrived, everything is read once a second. What is read, and how, is left to the readers.
import type { Timer, Timers } from '../time/clock.ts';
import { createNoticeReader, type NoticeReader, type Reading } from './noticeReader.ts';
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

export type NoticeFollower = {
  /** Reads what changes from now on. The caller has read it before, or reads it next. */
  follow(reading: Reading): void;
  start(): void;
  stop(): Promise<void>;
};

export type NoticeFollowerDeps = {
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

export function createNoticeFollower({
  source,
  timers,
  warn,
  observe,
  polls = POLLS,
}: NoticeFollowerDeps): NoticeFollower {
  const readers: (NoticeReader & Pick<Reading, 'topics'>)[] = [];
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
    const late = `no response within ${CHECK_MS} ms`;
    return new Promise((resolve) => {
      const limit = timers.after(CHECK_MS, () => resolve(late));
      void checking!.then((reason) => {
        limit.cancel();
        resolve(reason);
      });
    });
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
    const [without, withNotices] = [polls.without, polls.with].map((ms) => ms - CHECK_MS / 2) as [number, number];
    for (const reader of readers) reader.readOlder(reason === undefined ? withNotices : without, without);
  }

  function schedule(): void {
    if (!isStopped) timer = timers.after(CHECK_MS, () => void checkOnce().finally(schedule));
  }

  return {
    follow({ topics, ...reading }) {
      readers.push({ ...createNoticeReader(reading, { timers, warn, onRead: observe.read }), topics });
    },
    start() {
      source.start({
        notice(one) {
          observe.arrived(one.topic);
          for (const reader of readers) if (reader.topics.includes(one.topic)) reader.notice(one);
        },
        lost() {
          for (const reader of readers) reader.readAll();
        },
        echo: observe.echo,
      });
      schedule();
    },
    async stop() {
      isStopped = true;
      timer?.cancel();
      for (const reader of readers) reader.stop();
      await source.stop();
    },
  };
}
