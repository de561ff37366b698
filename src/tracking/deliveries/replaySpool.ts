// Records the deliveries in the spool, entry by entry. An entry that fails while others succeed is quarantined after a few
// rounds, and delays no others until then. If nothing succeeds, the store is unavailable and no entry is at fault.
import type { WaitingDelivery } from './delivery.ts';
import type { DeliverySpool } from './ports.ts';

export type SpoolReplayDeps = {
  readonly spool: DeliverySpool;
  /** Rejects if the delivery was not recorded. */
  readonly write: (delivery: WaitingDelivery) => Promise<unknown>;
  /** The number of deliveries that the store has accepted, from the spool or from viewers' requests. */
  readonly written: () => number;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  readonly onQuarantine: () => void;
};

/** @returns whether the store appears to be unavailable */
export type ReplaySpool = () => Promise<boolean>;

const MAX_CONCURRENT = 500;
/** After this many consecutive failures without a success, the cause is not the entries or deliveries. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** An entry is quarantined after failing in this many rounds in which others succeeded. */
const MAX_FAILED_ROUNDS = 3;

type Remainder = { readonly deliveries: readonly WaitingDelivery[]; readonly error: unknown };
type FailingEntry = Remainder & { readonly id: string; readonly unreadable: readonly string[] };

/** The history of an entry that has failed. */
type FailureHistory = {
  /** The last round in which it failed. */
  readonly round: number;
  readonly failedRounds: number;
  /** What remains to be written. Writing the rest of the entry again would look like a success of the store. */
  readonly remainder?: Pick<FailingEntry, 'deliveries' | 'unreadable'>;
};

async function writeTogether(
  deliveries: readonly WaitingDelivery[],
  write: SpoolReplayDeps['write'],
): Promise<Remainder> {
  const failed: WaitingDelivery[] = [];
  let error: unknown;
  for (let from = 0; from < deliveries.length; from += MAX_CONCURRENT) {
    const some = deliveries.slice(from, from + MAX_CONCURRENT);
    (await Promise.allSettled(some.map(write))).forEach((result, index) => {
      if (result.status === 'fulfilled') return;
      failed.push(some[index]!);
      error = result.reason;
    });
  }
  return { deliveries: failed, error };
}

/** The store writes concurrent deliveries in one statement, so an invalid one makes the others fail. */
async function writeOneByOne({ deliveries, error }: Remainder, write: SpoolReplayDeps['write']): Promise<Remainder> {
  const failed: WaitingDelivery[] = [];
  let lastError = error;
  let failures = 0;
  // Shuffled, so that the same few deliveries do not block the others in every round.
  const shuffled = deliveries.map((one) => ({ one, at: Math.random() })).sort((a, b) => a.at - b.at);
  for (const { one } of shuffled) {
    const isBlocked = failures >= MAX_CONSECUTIVE_FAILURES;
    const remainder = isBlocked ? { deliveries: [one], error: lastError } : await writeTogether([one], write);
    failures = remainder.deliveries.length > 0 ? failures + 1 : 0;
    failed.push(...remainder.deliveries);
    lastError = remainder.error ?? lastError;
  }
  return { deliveries: failed, error: lastError };
}

export function createSpoolReplay({ spool, write, written, log, onQuarantine }: SpoolReplayDeps): ReplaySpool {
  const histories = new Map<string, FailureHistory>();
  let round = 0;
  let writtenBefore = 0;

  async function quarantine(id: string, lines: readonly string[] | undefined, error: unknown): Promise<void> {
    await spool.quarantine(id, lines);
    onQuarantine();
    log('deliveries that cannot be recorded were quarantined', { entry: id, deliveries: lines?.length, error });
  }

  async function finish({ id, unreadable }: FailingEntry): Promise<void> {
    if (unreadable.length === 0) await spool.remove(id);
    else await quarantine(id, unreadable, 'not a valid delivery');
    histories.delete(id);
  }

  /** @returns the remainder of the entry; undefined if it is finished or cannot be read */
  async function replayEntry(id: string): Promise<FailingEntry | undefined> {
    const { remainder, failedRounds = 0 } = histories.get(id) ?? {};
    let entry = remainder;
    try {
      entry ??= await spool.read(id);
    } catch (error) {
      histories.set(id, { round, failedRounds: failedRounds + 1 });
      if (failedRounds + 1 < MAX_FAILED_ROUNDS) return undefined;
      await quarantine(id, undefined, error);
      histories.delete(id);
      return undefined;
    }
    const { unreadable } = entry;
    const failing = { id, unreadable, ...(await writeTogether(entry.deliveries, write)) };
    if (failing.deliveries.length > 0) return failing;
    await finish(failing);
    return undefined;
  }

  /** Counts a failed round of an entry; the store has accepted others in this round. */
  async function countFailedRound(failing: FailingEntry): Promise<void> {
    const { id, unreadable } = failing;
    const { deliveries, error } = await writeOneByOne(failing, write);
    const failedRounds = (histories.get(id)?.failedRounds ?? 0) + 1;
    histories.set(id, { round, failedRounds, remainder: { deliveries, unreadable } });
    if (deliveries.length === 0) await finish({ ...failing, deliveries });
    else if (failedRounds >= MAX_FAILED_ROUNDS) {
      await quarantine(id, [...unreadable, ...deliveries.map((one) => JSON.stringify(one))], error);
      histories.delete(id);
    }
  }

  const noteFailure = (id: string) => histories.set(id, { failedRounds: 0, ...histories.get(id), round });
  const onDiskError = (id: string) => (error: unknown) => {
    noteFailure(id);
    log('removing or quarantining spooled deliveries failed', { entry: id, error });
    return undefined;
  };

  return async () => {
    round += 1;
    const failed: FailingEntry[] = [];
    let failures = 0;
    const ids = await spool.close();
    for (const id of histories.keys()) if (!ids.includes(id)) histories.delete(id);
    const roundOf = (id: string) => histories.get(id)?.round ?? 0;
    for (const id of [...ids].sort((one, other) => roundOf(one) - roundOf(other))) {
      const before = written();
      const failing = await replayEntry(id).catch(onDiskError(id));
      if (failing !== undefined) failed.push(failing);
      failures = failing !== undefined && written() === before ? failures + 1 : 0;
      if (failures === MAX_CONSECUTIVE_FAILURES) break;
    }
    const [first] = failed;
    if (first !== undefined && written() === writtenBefore) {
      failed[0] = { ...first, ...(await writeOneByOne(first, write)) };
    }
    const isAccepting = written() > writtenBefore;
    writtenBefore = written();
    for (const failing of failed) {
      if (isAccepting) await countFailedRound(failing).catch(onDiskError(failing.id));
      else noteFailure(failing.id);
    }
    return !isAccepting && failed.some(({ id }) => histories.get(id)?.failedRounds === 0);
  };
}
