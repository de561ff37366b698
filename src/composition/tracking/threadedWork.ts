// SPDX-License-Identifier: Apache-2.0
// Runs the work of tracking in a thread (trackingWorker.ts). A thread that ends is replaced; what it had not recorded is still in
// the journal.
import { Worker } from 'node:worker_threads';
import { AppError } from '../../errors.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import type { CountedFact, ThreadCall, ThreadData, ThreadMessage, ThreadReply } from './threadMessages.ts';
import type { TrackingEvents, TrackingWork } from './trackingWork.ts';

export type ThreadedWorkDeps = {
  readonly data: ThreadData;
  /** Replaced by benchmarks. */
  readonly program?: URL;
  readonly timers: Timers;
  readonly events: Pick<TrackingEvents, 'warn' | 'onQuarantine'> & {
    readonly onBeacons: (counted: CountedFact) => void;
  };
};

type Waiting = { readonly resolve: (result: unknown) => void; readonly reject: (error: unknown) => void };
type Call = ThreadCall extends infer One ? (One extends ThreadCall ? Omit<One, 'id'> : never) : never;

const PROGRAM = new URL('./trackingThread.mjs', import.meta.url);
const RESTART_DELAY_MS = 1000;

export function createThreadedWork({ data, program = PROGRAM, timers, events }: ThreadedWorkDeps): TrackingWork {
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let worker: Worker | undefined;
  let restart: Timer | undefined;
  let isSending = false;
  let isStopped = false;

  function onReply(reply: ThreadReply): void {
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) one?.reject(reply.error);
    else one?.resolve(reply.result);
    if (waiting.size === 0) worker?.unref();
  }

  function onMessage(message: ThreadMessage): void {
    if (!('note' in message)) onReply(message);
    else if (message.note === 'warn') events.warn(message.message, message.facts);
    else if (message.note === 'quarantined') events.onQuarantine();
    else message.counts.forEach(events.onBeacons);
  }

  function onEnd(ended: Worker, error: unknown): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new AppError('UNAVAILABLE', 'The tracking thread has ended.'));
    waiting.clear();
    if (isStopped) return;
    events.warn('tracking thread ended: deliveries wait in the journal', { error });
    restart = timers.after(RESTART_DELAY_MS, start);
  }

  function start(): void {
    const started = new Worker(program, { workerData: data, execArgv: [] });
    worker = started;
    started.on('message', (messages: readonly ThreadMessage[]) => messages.forEach(onMessage));
    started.on('error', (error) => onEnd(started, error));
    started.on('exit', () => onEnd(started, undefined));
    // A process ends when nothing but its thread remains.
    started.unref();
    if (isSending) call({ call: 'startSending', args: [] }).catch(() => {});
  }

  function call(what: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (worker === undefined) return reject(new AppError('UNAVAILABLE', 'The tracking thread is not running.'));
      const id = next++;
      waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, ...what });
    });
  }

  start();
  return {
    replay: (...args) => call({ call: 'replay', args }) as ReturnType<TrackingWork['replay']>,
    record: async (...args) => void (await call({ call: 'record', args })),
    async startSending() {
      isSending = true;
      await call({ call: 'startSending', args: [] });
    },
    async stop() {
      isStopped = true;
      restart?.cancel();
      if (worker !== undefined) await call({ call: 'stop', args: [] });
    },
  };
}
