// SPDX-License-Identifier: Apache-2.0
// Records the deliveries in the journals, entry by entry; the serving thread waits for none of this. An entry that fails while
// others succeed is quarantined after a few rounds, and delays no others until then. If nothing succeeds, the store is
// unavailable and no entry is at fault.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import { defined } from '../../invariant.ts';
import type { Session } from '../../sessions/session.ts';
import type { Delivery, WaitingDelivery } from './delivery.ts';
import type { DeliveryEntries, DeliveryRecorder } from './ports.ts';
import type { DeliveryWriter, Unwritten } from './writeDeliveries.ts';

type Deps = {
  readonly entries: DeliveryEntries;
  readonly writer: DeliveryWriter;
  readonly findSession: (id: string) => Promise<Session | undefined>;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  /** Called when an entry was quarantined because it cannot be recorded. */
  readonly onQuarantine: () => void;
};

/** What a session contains never changes. */
const MAX_SESSIONS = 20_000;
/** Deliveries that are written together. */
const MAX_BATCH = 500;
/** After this many consecutive failures without a success, the cause is not the entries or deliveries. */
const MAX_CONSECUTIVE_FAILURES = 3;
/** An entry is quarantined after failing in this many rounds in which others succeeded. */
const MAX_FAILED_ROUNDS = 3;
/** After this many rounds in which nothing was accepted, the store counts as unavailable, whatever the error is. */
const ROUNDS_OF_OUTAGE = 3;

const isUnavailable = (error: unknown): boolean => error instanceof AppError && error.kind === 'UNAVAILABLE';

/** What remains to be written of an entry. */
type Remainder = { readonly deliveries: readonly WaitingDelivery[]; readonly unreadable: readonly string[] };
type FailingEntry = Remainder & { readonly id: string; readonly error: unknown };

type FailureHistory = {
  /** The last round in which it failed. */
  readonly round: number;
  readonly failedRounds: number;
  /** Writing the rest of the entry again would look like a success of the store. */
  readonly remainder?: Remainder;
};

export function createDeliveryRecorder({ entries, writer, findSession, log, onQuarantine }: Deps): DeliveryRecorder {
  const sessions = new LRUCache<string, Session>({ max: MAX_SESSIONS });
  const histories = new Map<string, FailureHistory>();
  /** Deliveries that the store has accepted. */
  let written = 0;
  let writtenBefore = 0;
  let expired = 0;
  let round = 0;
  let failedRoundsInARow = 0;

  async function record(deliveries: readonly Delivery[]): Promise<void> {
    written += await writer.write(deliveries);
  }

  async function find(id: string): Promise<{ readonly session?: Session; readonly error?: unknown }> {
    try {
      const session = sessions.get(id) ?? (await findSession(id));
      if (session === undefined) return {};
      sessions.set(id, session);
      return { session };
    } catch (error) {
      return { error };
    }
  }

  /** If a store does not respond for some viewers, those of the others are recorded. Rejects if none was. */
  async function write(waiting: readonly WaitingDelivery[]): Promise<Unwritten<WaitingDelivery>> {
    const ids = [...new Set(waiting.map(({ sessionId }) => sessionId))];
    const found = new Map(await Promise.all(ids.map(async (id) => [id, await find(id)] as const)));
    const failed: WaitingDelivery[] = [];
    const known = new Map<Delivery, WaitingDelivery>();
    let gone = 0;
    let lastError: unknown;
    for (const one of waiting) {
      const { sessionId, ...delivery } = one;
      const { session, error } = defined(found.get(sessionId), 'the session of each delivery was looked up');
      if (error !== undefined) {
        failed.push(one);
        lastError ??= error;
      } else if (session === undefined) gone += 1;
      else known.set({ ...delivery, session }, one);
    }
    const unprepared = await writer.prepare([...known.keys()]);
    for (const delivery of unprepared.failed) {
      failed.push(defined(known.get(delivery), 'a delivery that failed is one of those that were prepared'));
      known.delete(delivery);
    }
    await record([...known.keys()]);
    expired += gone;
    return failed.length === 0 ? { failed } : { failed, error: unprepared.error ?? lastError };
  }

  /** Does not reject. */
  async function writeBatches(deliveries: readonly WaitingDelivery[]): Promise<Unwritten<WaitingDelivery>> {
    const failed: WaitingDelivery[] = [];
    let error: unknown;
    for (let from = 0; from < deliveries.length; from += MAX_BATCH) {
      const some = deliveries.slice(from, from + MAX_BATCH);
      const unwritten = await write(some).catch((cause: unknown) => ({ failed: some, error: cause }));
      failed.push(...unwritten.failed);
      error = unwritten.error ?? error;
    }
    return { failed, error };
  }

  /** An invalid delivery makes others fail that are written in the same statement, so these are written one by one. */
  async function writeOneByOne<Entry extends Omit<FailingEntry, 'id'>>(failing: Entry): Promise<Entry> {
    const failed: WaitingDelivery[] = [];
    let { error } = failing;
    let failures = 0;
    // Shuffled, so that the same few deliveries do not block the others in every round.
    const shuffled = failing.deliveries.map((one) => ({ one, at: Math.random() })).sort((a, b) => a.at - b.at);
    for (const { one } of shuffled) {
      if (failures < MAX_CONSECUTIVE_FAILURES) {
        const unwritten = await writeBatches([one]);
        failures = unwritten.failed.length === 0 ? 0 : failures + 1;
        if (failures === 0) continue;
        error = unwritten.error;
      }
      failed.push(one);
    }
    return { ...failing, deliveries: failed, error };
  }

  async function quarantine(id: string, lines: readonly string[] | undefined, error: unknown): Promise<void> {
    await entries.quarantine(id, lines);
    onQuarantine();
    log('deliveries that cannot be recorded were quarantined', { entry: id, deliveries: lines?.length, error });
    histories.delete(id);
  }

  async function finish(id: string, unreadable: readonly string[]): Promise<void> {
    if (unreadable.length > 0) return quarantine(id, unreadable, 'not a valid delivery');
    await entries.remove(id);
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
      if (failedRounds + 1 >= MAX_FAILED_ROUNDS) await quarantine(id, undefined, error);
      return undefined;
    }
    const { unreadable } = entry;
    const { failed, error } = await writeBatches(entry.deliveries);
    if (failed.length > 0) return { id, deliveries: failed, unreadable, error };
    await finish(id, unreadable);
    return undefined;
  }

  /** Counts a failed round of an entry; the store has accepted others in this round. */
  async function countFailedRound(failing: FailingEntry): Promise<void> {
    const { id, unreadable, deliveries, error } = await writeOneByOne(failing);
    // What cannot be read or written because a store is unavailable is not at fault, even if another store accepts others.
    const before = histories.get(id)?.failedRounds ?? 0;
    const failedRounds = isUnavailable(error) ? before : before + 1;
    histories.set(id, { round, failedRounds, remainder: { deliveries, unreadable } });
    if (deliveries.length === 0) await finish(id, unreadable);
    else if (failedRounds >= MAX_FAILED_ROUNDS)
      await quarantine(id, [...unreadable, ...deliveries.map((one) => JSON.stringify(one))], error);
  }

  const noteFailure = (id: string) => histories.set(id, { failedRounds: 0, ...histories.get(id), round });
  const onDiskError = (id: string) => (error: unknown) => {
    noteFailure(id);
    log('removing or quarantining spooled deliveries failed', { entry: id, error });
    return undefined;
  };

  /** Only retries count towards a quarantine. @returns the last error if the store appears to be unavailable */
  async function replay(lastComplete: number, isRetry: boolean): Promise<{ readonly error: unknown } | undefined> {
    round += 1;
    const failed: FailingEntry[] = [];
    let failures = 0;
    const listed = new Set(await entries.list(lastComplete));
    for (const id of histories.keys()) if (!listed.has(id)) histories.delete(id);
    const ids = [...listed].filter((id) => isRetry || !histories.has(id));
    const roundOf = (id: string) => histories.get(id)?.round ?? 0;
    for (const id of ids.sort((one, other) => roundOf(one) - roundOf(other))) {
      const before = written;
      const failing = await replayEntry(id).catch(onDiskError(id));
      if (failing !== undefined) failed.push(failing);
      failures = failing !== undefined && written === before ? failures + 1 : 0;
      if (failures === MAX_CONSECUTIVE_FAILURES) break;
    }
    const [first] = failed;
    if (first !== undefined && written === writtenBefore) failed[0] = await writeOneByOne(first);
    const isAccepting = written > writtenBefore;
    writtenBefore = written;
    for (const failing of failed) {
      if (isAccepting) await countFailedRound(failing).catch(onDiskError(failing.id));
      else noteFailure(failing.id);
    }
    const hasFailed = !isAccepting && failed.some(({ id }) => histories.get(id)?.failedRounds === 0);
    failedRoundsInARow = hasFailed ? failedRoundsInARow + 1 : 0;
    const error = failed[0]?.error;
    return hasFailed && (isUnavailable(error) || failedRoundsInARow >= ROUNDS_OF_OUTAGE) ? { error } : undefined;
  }

  return {
    record,
    async replay(lastComplete, isRetry) {
      const outage = await replay(lastComplete, isRetry);
      if (expired > 0) log('deliveries discarded: their sessions have expired', { deliveries: expired });
      expired = 0;
      const bytes = await entries.size();
      return outage === undefined ? { bytes } : { outage, bytes };
    },
  };
}
