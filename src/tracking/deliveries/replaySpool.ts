// SPDX-License-Identifier: Apache-2.0
// Records the deliveries in the spool, entry by entry. An entry that fails while others succeed is quarantined after a few
// rounds, and delays no others until then. If nothing succeeds, the store is unavailable and no entry is at fault.
import type { WaitingDelivery } from './delivery.ts';
import type { DeliverySpool } from './ports.ts';
import { type Unwritten, writeConcurrently } from './writeConcurrently.ts';

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

/** After this many consecutive failures without a success, the cause is not the entries or deliveries. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** An entry is quarantined after failing in this many rounds in which others succeeded. */
const MAX_FAILED_ROUNDS = 3;

type FailingEntry = {
  readonly id: string;
  readonly deliveries: readonly WaitingDelivery[];
  readonly unreadable: readonly string[];
  readonly error: unknown;
};

/** The history of an entry that has failed. */
type FailureHistory = {
  /** The last round in which it failed. */
  readonly round: number;
  readonly failedRounds: number;
  /** What remains to be written. Writing the rest of the entry again would look like a success of the store. */
  readonly remainder?: Pick<FailingEntry, 'deliveries' | 'unreadable'>;
};

/** An invalid delivery makes others fail that are written in the same statement, so these are written one by one. */
async function writeOneByOne(
  deliveries: readonly WaitingDelivery[],
  write: SpoolReplayDeps['write'],
  error: unknown,
): Promise<Unwritten<WaitingDelivery>> {
  const failed: WaitingDelivery[] = [];
  let lastError = error;
  let failures = 0;
  // Shuffled, so that the same few deliveries do not block the others in every round.
  const shuffled = deliveries.map((one) => ({ one, at: Math.random() })).sort((a, b) => a.at - b.at);
  for (const { one } of shuffled) {
    try {
      if (failures < MAX_CONSECUTIVE_FAILURES) {
        await write(one);
        failures = 0;
        continue;
      }
    } catch (cause) {
      lastError = cause;
      failures += 1;
    }
    failed.push(one);
  }
  return { failed, error: lastError };
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

  async function finish(id: string, unreadable: readonly string[]): Promise<void> {
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
    const { failed, error } = await writeConcurrently(entry.deliveries, write);
    if (failed.length > 0) return { id, deliveries: failed, unreadable, error };
    await finish(id, unreadable);
    return undefined;
  }

  /** Counts a failed round of an entry; the store has accepted others in this round. */
  async function countFailedRound(failing: FailingEntry): Promise<void> {
    const { id, unreadable } = failing;
    const { failed: deliveries, error } = await writeOneByOne(failing.deliveries, write, failing.error);
    const failedRounds = (histories.get(id)?.failedRounds ?? 0) + 1;
    histories.set(id, { round, failedRounds, remainder: { deliveries, unreadable } });
    if (deliveries.length === 0) await finish(id, unreadable);
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
      const { failed: deliveries, error } = await writeOneByOne(first.deliveries, write, first.error);
      failed[0] = { ...first, deliveries, error };
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
