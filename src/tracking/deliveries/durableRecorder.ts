// SPDX-License-Identifier: Apache-2.0
// Records deliveries even if the store is unavailable or slow. They are written to a spool on disk before the viewer receives
// the response, and recorded once the store is available, by this process or the next. Recording a delivery twice has the
// same effect as recording it once. If the disk fails as well, a limited number of deliveries wait in memory.
import type { Session } from '../../sessions/session.ts';
import { type Timers, within } from '../../time/clock.ts';
import type { Delivery } from './delivery.ts';
import type { DeliverySpool } from './ports.ts';
import type { RecordDelivery, WriteDelivery } from './recordDelivery.ts';
import { createSpoolReplay } from './replaySpool.ts';
import { writeConcurrently } from './writeConcurrently.ts';

export type DurableRecorderDeps = {
  readonly record: WriteDelivery;
  readonly spool: DeliverySpool;
  /** Reads a session from the store. */
  readonly findSession: (id: string) => Promise<Session | undefined>;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Called when an entry of the spool was quarantined because it cannot be recorded. */
  readonly onQuarantine: () => void;
  /** Milliseconds after which a write to the store counts as failed. */
  readonly timeoutMs?: number;
  /** The maximum number of deliveries in memory. */
  readonly maxInMemory?: number;
};

export type DurableRecorder = {
  /** Resolves when the delivery is on disk, in the store or in the spool. Rejects only if memory is full. */
  readonly record: RecordDelivery;
  /** Records waiting deliveries. What cannot be recorded stays or is quarantined. */
  readonly retry: () => Promise<void>;
};

/** Shorter than the time that a response waits for the record (segmentRequest.ts). */
const STORE_TIMEOUT_MS = 1000;
const MAX_IN_MEMORY = 20_000;
/** After this many consecutive failures the store counts as unavailable. A single failure may have its own cause. */
const FAILURES_OF_OUTAGE = 3;

export function createDurableRecorder(deps: DurableRecorderDeps): DurableRecorder {
  const { record, spool, findSession, timers, log, onQuarantine } = deps;
  const { timeoutMs = STORE_TIMEOUT_MS, maxInMemory = MAX_IN_MEMORY } = deps;
  const inMemory: Delivery[] = [];
  /** While the store is unavailable, viewers' requests do not try to write to it. */
  let isUnavailable = false;
  /** Deliveries that the store has accepted. */
  let written = 0;
  /** Failed requests of viewers since the store last accepted a delivery. */
  let failures = 0;

  async function write(delivery: Delivery): Promise<void> {
    if ((await record(delivery)) === 'known') return;
    written += 1;
    failures = 0;
  }

  async function tryWrite(delivery: Delivery): Promise<boolean> {
    if (isUnavailable) return false;
    let error: unknown = `no response within ${timeoutMs} ms`;
    try {
      const attempt = write(delivery).then(() => true);
      if (await within(timers, timeoutMs, attempt)) return true;
      failures = FAILURES_OF_OUTAGE;
    } catch (failure) {
      error = failure;
      failures += 1;
    }
    if (failures < FAILURES_OF_OUTAGE || isUnavailable) return false;
    log('store unavailable: deliveries are kept in the spool', { error });
    isUnavailable = true;
    return false;
  }

  async function keep({ session, ...delivery }: Delivery): Promise<void> {
    try {
      await spool.keep({ ...delivery, sessionId: session.id });
    } catch (error) {
      if (inMemory.length >= maxInMemory) throw error;
      inMemory.push({ ...delivery, session });
    }
  }

  /** Moves deliveries that fail to the spool, if the disk is available again. @returns whether any failed */
  async function writeFromMemory(): Promise<boolean> {
    const { failed } = await writeConcurrently(inMemory.splice(0), write);
    await Promise.all(failed.map((one) => keep(one).catch(() => inMemory.push(one))));
    return failed.length > 0;
  }

  /** Sessions are read once per round. */
  let sessions = new Map<string, Promise<Session | undefined>>();
  let expired = 0;
  const replaySpool = createSpoolReplay({
    ...{ spool, log, onQuarantine, written: () => written },
    async write({ sessionId, ...delivery }) {
      const cached = sessions.get(sessionId) ?? findSession(sessionId);
      sessions.set(sessionId, cached);
      cached.catch(() => sessions.delete(sessionId));
      const session = await cached;
      if (session === undefined) expired += 1;
      else await write({ ...delivery, session });
    },
  });

  return {
    async record(delivery) {
      if (!(await tryWrite(delivery))) await keep(delivery);
    },
    async retry() {
      const before = written;
      const hasFailed = await writeFromMemory();
      const isReplayBlocked = await replaySpool();
      sessions = new Map();
      if (expired > 0) log('deliveries discarded: their sessions have expired', { deliveries: expired });
      expired = 0;
      isUnavailable = isReplayBlocked || (hasFailed && written === before);
      failures = 0;
    },
  };
}
