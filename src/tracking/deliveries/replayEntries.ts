// SPDX-License-Identifier: Apache-2.0
// Records the deliveries in the journals, entry by entry. An entry that fails while others succeed is quarantined after a few
// rounds, and delays no others until then. If nothing succeeds, the store is unavailable and no entry is at fault.
import { AppError } from '../../errors.ts';
import type { WaitingDelivery } from './delivery.ts';
import type { DeliveryEntries } from './ports.ts';
import type { Unwritten } from './writeDeliveries.ts';

export type ReplayDeps = {
  readonly entries: DeliveryEntries;
  /** @returns those that were not recorded. Rejects if none was */
  readonly write: (deliveries: readonly WaitingDelivery[]) => Promise<Unwritten<WaitingDelivery>>;
  /** The number of deliveries that the store has accepted. */
  readonly written: () => number;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  readonly onQuarantine: () => void;
};

/**
 * @param isRetry whether entries that failed before are tried again. Only such rounds count towards a quarantine
 * @returns the last error if the store appears to be unavailable
 */
export type ReplayEntries = (
  lastComplete: number,
  isRetry: boolean,
) => Promise<{ readonly error: unknown } | undefined>;

/** Deliveries that are written together. */
const MAX_BATCH = 500;

/** After this many consecutive failures without a success, the cause is not the entries or deliveries. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** An entry is quarantined after failing in this many rounds in which others succeeded. */
const MAX_FAILED_ROUNDS = 3;

/** After this many rounds in which nothing was accepted, the store counts as unavailable, whatever the error is. */
const ROUNDS_OF_OUTAGE = 3;

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.kind === 'UNAVAILABLE';

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

/** Does not reject. */
async function writeBatches(
  deliveries: readonly WaitingDelivery[],
  write: ReplayDeps['write'],
): Promise<Unwritten<WaitingDelivery>> {
  const failed: WaitingDelivery[] = [];
  let error: unknown;
  for (let from = 0; from < deliveries.length; from += MAX_BATCH) {
    const some = deliveries.slice(from, from + MAX_BATCH);
    try {
      const unwritten = await write(some);
      failed.push(...unwritten.failed);
      error = unwritten.error ?? error;
    } catch (cause) {
      failed.push(...some);
      error = cause;
    }
  }
  return { failed, error };
}

/** An invalid delivery makes others fail that are written in the same statement, so these are written one by one. */
async function writeOneByOne(
  deliveries: readonly WaitingDelivery[],
  write: ReplayDeps['write'],
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
        const unwritten = await write([one]);
        if (unwritten.failed.length > 0) throw unwritten.error;
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

export function createReplay({ entries, write, written, log, onQuarantine }: ReplayDeps): ReplayEntries {
  const histories = new Map<string, FailureHistory>();
  let round = 0;
  let writtenBefore = 0;
  let failedRoundsInARow = 0;

  async function quarantine(id: string, lines: readonly string[] | undefined, error: unknown): Promise<void> {
    await entries.quarantine(id, lines);
    onQuarantine();
    log('deliveries that cannot be recorded were quarantined', { entry: id, deliveries: lines?.length, error });
  }

  async function finish(id: string, unreadable: readonly string[]): Promise<void> {
    if (unreadable.length === 0) await entries.remove(id);
    else await quarantine(id, unreadable, 'not a valid delivery');
    histories.delete(id);
  }

  /** @returns the remainder of the entry; undefined if it is finished or cannot be read */
  async function replayEntry(id: string): Promise<FailingEntry | undefined> {
    const { remainder, failedRounds = 0 } = histories.get(id) ?? {};
    let entry = remainder;
    try {
      entry ??= await entries.read(id);
    } catch (error) {
      histories.set(id, { round, failedRounds: failedRounds + 1 });
      if (failedRounds + 1 < MAX_FAILED_ROUNDS) return undefined;
      await quarantine(id, undefined, error);
      histories.delete(id);
      return undefined;
    }
    const { unreadable } = entry;
    const { failed, error } = await writeBatches(entry.deliveries, write);
    if (failed.length > 0) return { id, deliveries: failed, unreadable, error };
    await finish(id, unreadable);
    return undefined;
  }

  /** Counts a failed round of an entry; the store has accepted others in this round. */
  async function countFailedRound(failing: FailingEntry): Promise<void> {
    const { id, unreadable } = failing;
    const { failed: deliveries, error } = await writeOneByOne(failing.deliveries, write, failing.error);
    // What cannot be read or written because a store is unavailable is not at fault, even if another store accepts others.
    const before = histories.get(id)?.failedRounds ?? 0;
    const failedRounds = isUnavailable(error) ? before : before + 1;
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

  return async (lastComplete, isRetry) => {
    round += 1;
    const failed: FailingEntry[] = [];
    let failures = 0;
    const listed = new Set(await entries.list(lastComplete));
    for (const id of histories.keys()) if (!listed.has(id)) histories.delete(id);
    const ids = [...listed].filter((id) => isRetry || !histories.has(id));
    const roundOf = (id: string) => histories.get(id)?.round ?? 0;
    for (const id of ids.sort((one, other) => roundOf(one) - roundOf(other))) {
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
    const hasFailed = !isAccepting && failed.some(({ id }) => histories.get(id)?.failedRounds === 0);
    failedRoundsInARow = hasFailed ? failedRoundsInARow + 1 : 0;
    const [{ error } = { error: undefined }] = failed;
    return hasFailed && (isUnavailable(error) || failedRoundsInARow >= ROUNDS_OF_OUTAGE) ? { error } : undefined;
  };
}
