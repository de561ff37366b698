// Deliveries that the store does not take, or not in time, are kept on this machine's disk before the viewer is answered, and
// written down once the store takes them again, by this process or the next. Writing one twice is writing it once. Where
// the disk takes nothing either they wait in memory, and more than so many are too many.
import type { Session } from '../../sessions/session.ts';
import { type Timers, within } from '../../time/clock.ts';
import type { Delivery } from './delivery.ts';
import type { DeliverySpool } from './ports.ts';
import type { RecordDelivery, WriteDelivery } from './recordDelivery.ts';
import { createSpoolReplay } from './replaySpool.ts';

export type DurableRecorderDeps = {
  readonly record: WriteDelivery;
  readonly spool: DeliverySpool;
  /** Where the ledger is: a viewer's session, as long as it is remembered. */
  readonly findSession: (id: string) => Promise<Session | undefined>;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** A parcel was set aside, because it cannot be written. */
  readonly onQuarantine: () => void;
  /** Milliseconds that the store has for a delivery. */
  readonly timeoutMs?: number;
  /** Waiting in memory, at most. */
  readonly maxInMemory?: number;
};

export type DurableRecorder = {
  /** Resolves once it is on disk, here or in the store. Rejects only when too many wait in memory. */
  readonly record: RecordDelivery;
  /** Tries those that wait; what cannot be written stays, or is set aside. */
  readonly retry: () => Promise<void>;
};

/** Less than a viewer waits for the record. */
const PATIENCE = 1000;
const MOST_WAITING = 20_000;
const AT_ONCE = 500;
/** Deliveries that fail one after the other: the store is away. One alone may be the fault of its own. */
const ENOUGH = 3;

export function createDurableRecorder(deps: DurableRecorderDeps): DurableRecorder {
  const {
    record,
    spool,
    findSession,
    timers,
    log,
    onQuarantine,
    timeoutMs = PATIENCE,
    maxInMemory = MOST_WAITING,
  } = deps;
  const inMemory: Delivery[] = [];
  /** A store that does not answer is not tried for every viewer. */
  let isAway = false;
  /** Deliveries that the store took. */
  let taken = 0;
  /** Viewers' deliveries that failed since the store took one. */
  let inVain = 0;

  async function write(delivery: Delivery): Promise<void> {
    if ((await record(delivery)) === 'known') return;
    taken += 1;
    inVain = 0;
  }

  async function isWritten(delivery: Delivery): Promise<boolean> {
    if (isAway) return false;
    let error: unknown = `no answer within ${timeoutMs} ms`;
    try {
      const written = write(delivery).then(() => true);
      if (await within(timers, timeoutMs, written)) return true;
      inVain = ENOUGH;
    } catch (failure) {
      error = failure;
      inVain += 1;
    }
    if (inVain < ENOUGH || isAway) return false;
    log('the store does not take deliveries: they wait on disk', { error });
    isAway = true;
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

  /** What fails goes to the disk, if the disk takes it by now. @returns whether any failed */
  async function writeFromMemory(): Promise<boolean> {
    const waiting = inMemory.splice(0);
    let hasFailed = false;
    for (let from = 0; from < waiting.length; from += AT_ONCE) {
      const some = waiting.slice(from, from + AT_ONCE);
      const results = await Promise.allSettled(some.map(write));
      const failed = some.filter((_, index) => results[index]!.status === 'rejected');
      hasFailed ||= failed.length > 0;
      await Promise.all(failed.map((one) => keep(one).catch(() => inMemory.push(one))));
    }
    return hasFailed;
  }

  /** Viewers' sessions, each read once in a round. */
  let sessions = new Map<string, Promise<Session | undefined>>();
  let forgotten = 0;
  const writeParcels = createSpoolReplay({
    ...{ spool, log, onQuarantine, written: () => taken },
    async write({ sessionId, ...delivery }) {
      const known = sessions.get(sessionId) ?? findSession(sessionId);
      sessions.set(sessionId, known);
      known.catch(() => sessions.delete(sessionId));
      const session = await known;
      if (session === undefined) forgotten += 1;
      else await write({ ...delivery, session });
    },
  });

  return {
    async record(delivery) {
      if (!(await isWritten(delivery))) await keep(delivery);
    },
    async retry() {
      const before = taken;
      const hasFailed = await writeFromMemory();
      const isStoreAway = await writeParcels();
      sessions = new Map();
      if (forgotten > 0) log('deliveries waited until their viewers were forgotten', { deliveries: forgotten });
      forgotten = 0;
      isAway = isStoreAway || (hasFailed && taken === before);
      inVain = 0;
    },
  };
}
