// SPDX-License-Identifier: Apache-2.0
// Composes delivery and beacons. The serving thread only writes the journal; what follows from it is done in a thread of its own.
import { Worker } from 'node:worker_threads';
import { Counter } from 'prom-client';
import { createDeliveryJournal } from '../adapters/spool/deliveryJournal.ts';
import { createFileSpool } from '../adapters/spool/fileSpool.ts';
import { sqlBeacons } from '../adapters/sql/tracking/sqlBeacons.ts';
import { sqlDeliveries } from '../adapters/sql/tracking/sqlDeliveries.ts';
import type { CertifiedSource } from '../ads/request/ports.ts';
import { AppError } from '../errors.ts';
import type { SessionStore } from '../sessions/ports.ts';
import type { Timer, Timers } from '../time/clock.ts';
import type { BeaconFact } from '../tracking/beacons/beacon.ts';
import { createDurableRecorder } from '../tracking/deliveries/durableRecorder.ts';
import { createJournalRoom } from '../tracking/deliveries/journalRoom.ts';
import { createLateDeliveries } from '../tracking/deliveries/lateDeliveries.ts';
import { readGauge } from './metrics/storeMetrics.ts';
import type { Services } from './openServices.ts';
import { type PeriodicTask, startPeriodicTask } from './part.ts';
import {
  type CountedFact,
  createTrackingWork,
  journalFiles,
  type ThreadCall,
  type ThreadData,
  type ThreadMessage,
  type ThreadReply,
  type TrackingEvents,
  type TrackingWork,
} from './tracking/trackingWork.ts';

type Deps = Services & {
  readonly sessions: SessionStore;
  /** Sessions are not in the database. */
  readonly hasStoreApart?: boolean;
  /** Whether the work has a thread of its own, on the system's clock. */
  readonly inThread: boolean;
  /** Receives the outcomes of beacons, for reports, and how many there were. */
  readonly onBeacon: (fact: BeaconFact, times: number) => void;
};

export type Tracking = ReturnType<typeof composeTracking>;

const RETRY_INTERVAL_MS = 2_000;
const LATE_INTERVAL_MS = 1_000;

export function composeTracking({ hasStoreApart = false, ...deps }: Deps) {
  const { sql, config, now, timers, inThread, warn } = deps;
  const registers = [deps.metrics];
  const beacons = new Counter({
    name: 'midroll_beacons_total',
    help: 'Attempts to send beacons by step: sent, retried, recovered or failed',
    labelNames: ['step'] as const,
    registers,
  });
  const quarantined = new Counter({
    name: 'midroll_delivery_parcels_set_aside_total',
    help: 'Delivery files that the database rejected while it accepted others; kept in DATA_DIR/deliveries',
    registers,
  });
  const files = journalFiles(config);
  const onBeacons = (fact: BeaconFact, times: number) => {
    beacons.inc({ step: fact.step }, times);
    deps.onBeacon(fact, times);
  };
  const common = { warn, onQuarantine: () => quarantined.inc() };
  const work = inThread
    ? createThreadedWork({
        data: { config, files },
        timers,
        events: { ...common, onBeacons: ({ fact, count }) => onBeacons(fact, count) },
      })
    : createTrackingWork({
        ...deps,
        hasStoreApart,
        files,
        events: { ...common, onBeacon: (fact) => onBeacons(fact, 1) },
      });
  const spool = createFileSpool(files.folder, files);
  const room = createJournalRoom(files.maxBytes, async (bytes) => {
    const entries = await spool.makeRoom(bytes);
    if (entries > 0) warn('delivery spool full: oldest entries discarded', { entries });
    return spool.size();
  });
  const help = 'Size of DATA_DIR/deliveries: deliveries that the database does not have yet, and quarantined files';
  readGauge(deps.metrics, { name: 'midroll_delivery_journal_bytes', help, aggregator: 'max' }, room.bytes);
  const recorder = createDurableRecorder({
    // On another clock, a response must not wait for the system's timers.
    journal: createDeliveryJournal({ ...files, makeRoom: room.makeRoom, ...(inThread ? {} : { intervalMs: 0 }) }),
    recorder: work,
    timers,
    log: warn,
    onRound: room.onRound,
  });
  const late = createLateDeliveries(now, (error, sessionId) =>
    warn('recording a delivery failed', { sessionId, error }),
  );
  return {
    deliveries: sqlDeliveries(sql),
    beacons: sqlBeacons(sql),
    late,
    recordDelivery: recorder.record,
    present: (sources: readonly CertifiedSource[]): void =>
      void work.present(sources).catch((error: unknown) => warn('passing on client certificates failed', { error })),
    /** @param sends whether this process sends beacons and deletes old rows */
    start(sends: boolean): PeriodicTask[] {
      if (sends) work.startSending().catch((error: unknown) => warn('sending beacons failed', { error }));
      return [
        startPeriodicTask(timers, 'storing spooled deliveries', RETRY_INTERVAL_MS, recorder.retry, warn),
        startPeriodicTask(timers, 'recording late deliveries', LATE_INTERVAL_MS, late.retry, warn),
      ];
    },
    async stop(): Promise<void> {
      await late.retry();
      await recorder.retry().catch((error: unknown) => warn('storing spooled deliveries failed', { error }));
      await work.stop();
    },
  };
}

type ThreadedWorkDeps = {
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

/** Work in a thread (trackingThread.ts), which is replaced when it ends; what it had not recorded is in the journal. */
export function createThreadedWork({ data, program = PROGRAM, timers, events }: ThreadedWorkDeps): TrackingWork {
  const waiting = new Map<number, Waiting>();
  let next = 0;
  let thread: Worker | undefined;
  let restart: Timer | undefined;
  let isSending = false;
  let presented: readonly CertifiedSource[] = [];
  let isStopped = false;

  function onReply(reply: ThreadReply): void {
    const one = waiting.get(reply.id);
    waiting.delete(reply.id);
    if ('error' in reply) one?.reject(reply.error);
    else one?.resolve(reply.result);
    if (waiting.size === 0) thread?.unref();
  }

  function onMessage(message: ThreadMessage): void {
    if (!('note' in message)) onReply(message);
    else if (message.note === 'warn') events.warn(message.message, message.facts);
    else if (message.note === 'quarantined') events.onQuarantine();
    else message.counts.forEach(events.onBeacons);
  }

  function onEnd(ended: Worker, error: unknown): void {
    if (thread !== ended) return;
    thread = undefined;
    for (const { reject } of waiting.values())
      reject(new AppError('UNAVAILABLE', 'The tracking thread has ended. Retry soon.'));
    waiting.clear();
    if (isStopped) return;
    events.warn('tracking thread ended: deliveries wait in the journal', { error });
    restart = timers.after(RESTART_DELAY_MS, start);
  }

  function start(): void {
    const started = new Worker(program, { workerData: data, execArgv: [] });
    thread = started;
    started.on('message', (messages: readonly ThreadMessage[]) => messages.forEach(onMessage));
    started.on('error', (error) => onEnd(started, error));
    started.on('exit', () => onEnd(started, undefined));
    // A process ends when nothing but its thread remains.
    started.unref();
    if (presented.length > 0) call({ call: 'present', args: [presented] }).catch(() => {});
    if (isSending) call({ call: 'startSending', args: [] }).catch(() => {});
  }

  function call(what: Call): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (thread === undefined)
        return reject(new AppError('UNAVAILABLE', 'The tracking thread is not running. Retry soon.'));
      const id = next++;
      waiting.set(id, { resolve, reject });
      thread.ref();
      thread.postMessage({ id, ...what });
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
    async present(sources) {
      presented = sources;
      await call({ call: 'present', args: [sources] });
    },
    async stop() {
      isStopped = true;
      restart?.cancel();
      if (thread !== undefined) await call({ call: 'stop', args: [] });
    },
  };
}
