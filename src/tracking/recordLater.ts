// Deliveries that the store does not take, or not in time, are kept on this machine's disk before the viewer is answered, and
// written down once the store takes them again, by this process or the next. Writing one twice is writing it once. Where
// the disk takes nothing either they wait in memory, and more than so many are too many.
import type { Session } from '../sessions/session.ts';
import { type Timers, within } from '../time/clock.ts';
import type { Delivery, WaitingDelivery } from './delivery.ts';
import type { DeliverySpool } from './ports.ts';
import type { RecordDelivery } from './recordDelivery.ts';

export type LaterDeps = {
  readonly record: RecordDelivery;
  readonly spool: DeliverySpool;
  /** Where the ledger is: a viewer's session, as long as it is remembered. */
  readonly findSession: (id: string) => Promise<Session | undefined>;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Milliseconds that the store has for a delivery. */
  readonly patience?: number;
  /** Waiting in memory, at most. */
  readonly most?: number;
};

export type RecordLater = {
  /** Resolves once it is on disk, here or in the store. Rejects only when too many wait in memory. */
  readonly record: RecordDelivery;
  /** Tries those that wait; what cannot be written stays. */
  readonly retry: () => Promise<void>;
};

/** Less than a viewer waits for the record. */
const PATIENCE = 1000;
const MOST_WAITING = 20_000;
const AT_ONCE = 500;
/** Parcels that fail one after the other: it is not the parcels. */
const ENOUGH = 3;

export function createRecordLater(deps: LaterDeps): RecordLater {
  const { record, spool, findSession, timers, log, patience = PATIENCE, most = MOST_WAITING } = deps;
  const inMemory: Delivery[] = [];
  /** What does not answer is not asked by everybody. */
  let isAway = false;

  async function isWritten(delivery: Delivery): Promise<boolean> {
    if (isAway) return false;
    let error: unknown = `no answer within ${patience} ms`;
    try {
      const written = record(delivery).then(() => true);
      if (await within(timers, patience, written)) return true;
    } catch (failure) {
      error = failure;
    }
    if (!isAway) log('the store does not take deliveries: they wait on disk', { error });
    isAway = true;
    return false;
  }

  async function keep({ session, ...delivery }: Delivery): Promise<void> {
    try {
      await spool.keep({ ...delivery, sessionId: session.id });
    } catch (error) {
      if (inMemory.length >= most) throw error;
      inMemory.push({ ...delivery, session });
    }
  }

  async function writeFromMemory(): Promise<void> {
    while (inMemory.length > 0) {
      const some = inMemory.slice(0, AT_ONCE);
      await Promise.all(some.map(record));
      inMemory.splice(0, some.length);
    }
  }

  async function writeParcel(id: string): Promise<void> {
    const sessions = new Map<string, Promise<Session | undefined>>();
    const sessionOf = (sessionId: string) => {
      const known = sessions.get(sessionId) ?? findSession(sessionId);
      sessions.set(sessionId, known);
      return known;
    };
    let forgotten = 0;
    const write = async ({ sessionId, ...delivery }: WaitingDelivery) => {
      const session = await sessionOf(sessionId);
      if (session === undefined) forgotten += 1;
      else await record({ ...delivery, session });
    };
    const waiting = await spool.read(id);
    for (let from = 0; from < waiting.length; from += AT_ONCE) {
      await Promise.all(waiting.slice(from, from + AT_ONCE).map(write));
    }
    await spool.remove(id);
    if (forgotten > 0) log('deliveries waited until their viewers were forgotten', { deliveries: forgotten });
  }

  /** @returns whether the store took any, or there were none */
  async function writeParcels(): Promise<boolean> {
    let [written, failed] = [0, 0];
    for (const id of await spool.close()) {
      try {
        await writeParcel(id);
        written += 1;
        failed = 0;
      } catch {
        failed += 1;
        if (failed >= ENOUGH) break;
      }
    }
    return written > 0 || failed === 0;
  }

  return {
    async record(delivery) {
      if (!(await isWritten(delivery))) await keep(delivery);
    },
    async retry() {
      const isTaken = await writeFromMemory().then(
        () => true,
        () => false,
      );
      isAway = !(isTaken && (await writeParcels()));
    },
  };
}
