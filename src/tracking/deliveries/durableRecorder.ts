// SPDX-License-Identifier: Apache-2.0
// Acknowledges deliveries when they are in the journal on this machine's disk, whether the store is available or not. Soon after,
// a recorder outside of the serving thread takes them from there. If the disk fails, the recorder receives them directly; if it
// fails as well, a limited number of deliveries wait in memory. Recording a delivery twice has the same effect as recording it once.
import { LRUCache } from 'lru-cache';
import type { RequestedSegments } from '../../ads/record/delivery.ts';
import { type Timers, within } from '../../time/clock.ts';
import { type Delivery, deliveryLine } from './delivery.ts';
import type { DeliveryJournal, DeliveryRecorder, Round } from './ports.ts';
import { bitsOf, includesAll, joinBits, noBits } from './requestedBits.ts';

type Deps = {
  readonly journal: DeliveryJournal;
  readonly recorder: DeliveryRecorder;
  readonly timers: Timers;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
  readonly onRound?: (round: Round) => void;
  /** The maximum number of deliveries in memory, and of those that wait for the disk. */
  readonly maxInMemory?: number;
};

/** Resolves when the delivery is on disk. */
export type RecordDelivery = (delivery: Delivery) => Promise<unknown>;

type DurableRecorder = {
  /** Resolves when the delivery is on disk, or in the store. Rejects only if memory is full. */
  readonly record: RecordDelivery;
  /** Records all waiting deliveries, also those that have failed before. What cannot be recorded stays or is quarantined. */
  readonly retry: () => Promise<void>;
};

/** A write to the store that takes longer counts as failed. A response waits longer for the record (segmentRequest.ts). */
const STORE_TIMEOUT_MS = 1000;
const MAX_IN_MEMORY = 20_000;
/** The time from the first delivery until it is recorded, together with deliveries that arrive meanwhile. */
const ROUND_DELAY_MS = 500;
/** Ads whose requested segments this process remembers, so that a repeated request costs nothing. */
const MAX_KNOWN_ADS = 20_000;
const KNOWN = Promise.resolve();

export function createDurableRecorder(deps: Deps): DurableRecorder {
  const { journal, recorder, timers, log, onRound, maxInMemory = MAX_IN_MEMORY } = deps;
  const known = new LRUCache<string, RequestedSegments>({ max: MAX_KNOWN_ADS });
  const inMemory: Delivery[] = [];
  let waitingForDisk = 0;
  let isStoreUnavailable = false;
  let isScheduled = false;
  let rounds: Promise<void> = Promise.resolve();

  const isRecorded = (deliveries: readonly Delivery[]): Promise<boolean> =>
    recorder.record(deliveries).then(
      () => true,
      () => false,
    );

  async function writeDirectly(deliveries: readonly Delivery[]): Promise<boolean> {
    if (isStoreUnavailable) return false;
    return (await within(timers, STORE_TIMEOUT_MS, isRecorded(deliveries))) === true;
  }

  async function keepElsewhere(delivery: Delivery, cause: unknown): Promise<void> {
    log('writing deliveries to DATA_DIR failed', { error: cause });
    if (await writeDirectly([delivery])) return;
    if (inMemory.length >= maxInMemory) throw cause;
    inMemory.push(delivery);
  }

  const noteKnown = (key: string, delivery: Delivery) =>
    known.set(key, joinBits(known.get(key) ?? noBits, bitsOf(delivery)));

  /** Called for each request: few promises. */
  function keep(key: string, delivery: Delivery): Promise<void> {
    if (waitingForDisk >= maxInMemory)
      return Promise.reject(new Error(`${waitingForDisk} deliveries wait for the disk of DATA_DIR`));
    waitingForDisk += 1;
    return journal.keep(deliveryLine(delivery)).then(
      () => {
        waitingForDisk -= 1;
        noteKnown(key, delivery);
        schedule();
      },
      async (error: unknown) => {
        waitingForDisk -= 1;
        await keepElsewhere(delivery, error);
        noteKnown(key, delivery);
      },
    );
  }

  async function keepFromMemory(): Promise<void> {
    const failed: Delivery[] = [];
    const keepOne = (one: Delivery) => journal.keep(deliveryLine(one)).catch(() => void failed.push(one));
    await Promise.all(inMemory.splice(0).map(keepOne));
    if (failed.length > 0 && !(await isRecorded(failed))) inMemory.unshift(...failed);
  }

  async function round(isRetry: boolean): Promise<void> {
    await keepFromMemory();
    const result = await recorder.replay(await journal.close(), isRetry);
    const { outage } = result;
    if (outage !== undefined && !isStoreUnavailable) log('store unavailable: deliveries are kept in the spool', outage);
    isStoreUnavailable = outage !== undefined;
    onRound?.(result);
  }

  /** One after the other. */
  function startRound(isRetry: boolean): Promise<void> {
    const started = rounds.then(() => round(isRetry));
    rounds = started.catch(() => {});
    return started;
  }

  /** While the store is unavailable, only retries write to it. */
  function schedule(): void {
    if (isScheduled || isStoreUnavailable) return;
    isScheduled = true;
    timers.after(ROUND_DELAY_MS, () => {
      isScheduled = false;
      startRound(false).catch((error: unknown) => log('recording deliveries failed', { error }));
    });
  }

  return {
    record(delivery) {
      const key = `${delivery.session.id} ${delivery.adId}`;
      const own = known.get(key);
      return own !== undefined && includesAll(own, delivery) ? KNOWN : keep(key, delivery);
    },
    retry: () => startRound(true),
  };
}
