// SPDX-License-Identifier: Apache-2.0
// Makes creatives and slate: takes jobs from the queue, renews their leases while it works on them, and stores the outcomes.
// There may be any number of workers in any number of processes. One worker at a time has a job; a worker that dies or hangs
// loses its lease, and another takes the job.
import { randomUUID } from 'node:crypto';
import type { CreativeFault, CreativeOwner, CreativeSource } from '../../ads/creative/creative.ts';
import { type Timer, type Timers, within } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { ConditionOrder } from '../condition/conditionMedia.ts';
import { isFailure, permanent } from '../condition/fetch/conditionFailure.ts';
import {
  type CreativeJobs,
  type JobOutcome,
  type MediaSummary,
  summarizeMedia,
  type TakenJob,
  URGENCY,
} from './creativeJobs.ts';
import { type CreativeMakerOptions, createCreativeMaker, type Made } from './creativeMaker.ts';

export type CreativeEvent = {
  readonly id: string;
  readonly kind: ConditionOrder['kind'];
  /** In the order of their first requests. */
  readonly owners: readonly CreativeOwner[];
  /** From taking the job to its end. */
  readonly seconds: number;
};
export type MadeEvent = CreativeEvent & Pick<MediaSummary, 'mediaId' | 'duration' | 'bytes'>;
export type FailedEvent = CreativeEvent & {
  readonly reason: string;
  readonly fault: CreativeFault;
  readonly willRetry: boolean;
};

export type CreativeWorkerOptions = CreativeMakerOptions & {
  readonly jobs: CreativeJobs;
  readonly now: () => Millis;
  readonly timers: Timers;
  /** The length of a lease, in milliseconds. Heartbeats renew it three times as often. */
  readonly leaseMs?: number;
  /** Milliseconds after which a running job no longer counts towards the limit of concurrent jobs. Default: 10,000. */
  readonly slowMs?: number;
  /** Milliseconds from each transient failure to the next attempt. After the last one, the job has failed. */
  readonly backoff?: readonly number[];
  /** Wraps each job, for traces. */
  readonly around?: (order: ConditionOrder, job: () => Promise<void>) => Promise<void>;
  readonly onSettled?: (id: string) => void;
  readonly onMade?: (event: MadeEvent) => void;
  readonly onFailed?: (event: FailedEvent) => void;
};

type Running = {
  readonly kind: ConditionOrder['kind'];
  readonly abort: AbortController;
  readonly done: Promise<void>;
  readonly since: number;
};

/** Concurrent jobs, including their fetches, and slow jobs in addition: a slow origin must not delay the others. */
const CONCURRENT_JOBS = 8;
const MAX_SLOW_JOBS = 56;
const SLOW_MS = 10_000;
/** Slates that are made in addition to CONCURRENT_JOBS. */
const CONCURRENT_SLATES = 4;
const POLL_MS = 500;
const LEASE_MS = 10_000;
const JOB_TIMEOUT_MS = 45 * 60_000;
const BACKOFF = [5000, 30_000, 120_000, 600_000, 3_600_000];

export function createCreativeWorker(options: CreativeWorkerOptions) {
  const { jobs, now, timers, log, backoff = BACKOFF, leaseMs = LEASE_MS, slowMs = SLOW_MS } = options;
  const { around = (_, job) => job() } = options;
  const maker = createCreativeMaker(options);
  const running = new Map<string, Running>();
  let timer: Timer | undefined;
  let taking: Promise<void> | undefined;
  let isFailing = false;
  let isWoken = false;
  let wait = POLL_MS;
  let isDraining = false;
  let isStopped = false;

  /**
   * The range of urgencies that this worker can start now. It leaves other jobs to other workers. Slate that would have to
   * wait for an encoder stays in the queue, where the slate of a channel that players request can overtake it.
   */
  const urgencies = (): { most: number; least: number } | undefined => {
    const late = timers.elapsed() - slowMs;
    const quickJobs = [...running.values()].filter(({ since }) => since >= late);
    const quick = Math.max(quickJobs.length, running.size - MAX_SLOW_JOBS);
    const slates = quickJobs.filter(({ kind }) => kind === 'slate').length;
    const takesSlate = quick < CONCURRENT_JOBS + CONCURRENT_SLATES && slates <= maker.concurrency;
    const takesAds = quick < CONCURRENT_JOBS && !maker.isBusy();
    if (!takesSlate && !takesAds) return undefined;
    return { most: takesAds ? URGENCY.retry : URGENCY.slate, least: takesSlate ? URGENCY.requested : URGENCY.viewer };
  };

  async function takeAll(): Promise<void> {
    for (let range = urgencies(); range !== undefined && !isDraining; range = urgencies()) {
      const at = now();
      const job = await jobs.take(randomUUID(), at, millis(at + leaseMs), range.most, range.least);
      if (job === undefined) return;
      begin(job);
    }
  }

  /** Takes jobs now instead of at the next poll. */
  function wake(): void {
    isWoken = true;
    if (taking !== undefined || isDraining) return;
    timer?.cancel();
    taking = (async () => {
      while (isWoken && !isDraining) {
        isWoken = false;
        wait = POLL_MS;
        await takeAll().then(
          () => {
            if (isFailing) log.warn({}, 'jobs can be taken from the queue again');
            isFailing = false;
          },
          (error: unknown) => {
            wait = 10 * POLL_MS;
            if (!isFailing) log.warn({ err: error }, 'no job could be taken from the queue');
            isFailing = true;
          },
        );
      }
    })().finally(() => {
      taking = undefined;
      if (!isDraining) timer = timers.after(wait, wake);
    });
  }

  function begin(job: TakenJob): void {
    const abort = new AbortController();
    const done = around(job.order, () => work(job, abort))
      .catch((error: unknown) =>
        log.warn({ err: error, id: job.order.id }, 'the outcome of a creative could not be stored'),
      )
      .finally(() => {
        running.delete(job.lease);
        options.onSettled?.(job.order.id);
        wake();
      });
    running.set(job.lease, { kind: job.order.kind, abort, done, since: timers.elapsed() });
  }

  async function work(job: TakenJob, abort: AbortController): Promise<void> {
    const { order, lease } = job;
    const since = timers.elapsed();
    const renew = async (): Promise<void> => {
      if (!(await jobs.renew(lease, millis(now() + leaseMs)))) abort.abort();
    };
    const heartbeat = timers.every(leaseMs / 3, () => {
      renew().catch((error: unknown) => log.warn({ err: error, id: order.id }, 'a lease could not be renewed'));
    });
    const deadline = timers.after(JOB_TIMEOUT_MS, () => abort.abort('late'));
    const made = await makeUnlessHarmful(job, abort.signal).finally(() => {
      heartbeat.cancel();
      deadline.cancel();
    });
    if (isStopped && isFailure(made)) return jobs.release(lease, now());
    const outcome = outcomeOf(made, job, backoff, now());
    if (!(await jobs.finish(lease, outcome, now()))) {
      log.info({ id: order.id }, 'a creative was deleted, or its lease was lost to another worker');
      return;
    }
    await report(job, outcome, (timers.elapsed() - since) / 1000);
  }

  /** A job with more attempts than reported failures has probably killed its workers. */
  const makeUnlessHarmful = async ({ order, attempts }: TakenJob, signal: AbortSignal): Promise<Made> =>
    attempts > backoff.length + 1
      ? permanent('BROKEN_OFF', `its worker ended ${attempts - 1} times while making it`)
      : maker.make(order, signal);

  async function report({ order }: TakenJob, outcome: JobOutcome, seconds: number): Promise<void> {
    const { id, kind, source } = order;
    const facts = { id, kind, url: addressOf(source), seconds: Math.round(seconds * 100) / 100 };
    const listener = outcome.state === 'ready' ? options.onMade : options.onFailed;
    const owners = listener ? await jobs.owners(id) : [];
    if (outcome.state === 'ready') {
      const { mediaId, duration, bytes, frames } = outcome.made;
      log.info({ ...facts, frames }, 'media conditioned');
      options.onMade?.({ id, kind, owners, seconds, mediaId, duration, bytes });
    } else {
      const willRetry = outcome.state === 'waiting';
      const { fault, reason } = outcome;
      log.warn({ ...facts, fault, reason, willRetry }, 'media could not be conditioned');
      options.onFailed?.({ id, kind, owners, seconds, fault, reason, willRetry });
    }
  }

  const allDone = async (): Promise<void> => {
    await taking;
    await Promise.all([...running.values()].map(({ done }) => done));
  };

  return {
    start: wake,
    wake,
    running: () => running.size,
    /** Takes no more jobs. Resolves when those that it has are completed, at the latest after so many milliseconds. */
    async drain(ms: number): Promise<void> {
      isDraining = true;
      timer?.cancel();
      await within(timers, ms, allDone());
    },
    /** Returns unfinished jobs to the queue, so that other workers can take them immediately. */
    async stop(): Promise<void> {
      isDraining = true;
      isStopped = true;
      timer?.cancel();
      await taking;
      for (const { abort } of running.values()) abort.abort('stopping');
      await allDone();
    },
  };
}

/** For the log, without query and credentials, which may be secrets. */
function addressOf(source: CreativeSource | undefined): string {
  if (source === undefined) return 'built in';
  const url = URL.canParse(source.url) ? new URL(source.url) : undefined;
  return url ? `${url.origin}${url.pathname}` : 'not a URL';
}

/** Milliseconds after a failure during which new requests do not retry the job. */
const RETRY_AFTER_MS = { transient: 3_600_000, permanent: 6 * 3_600_000 };

/** @param backoff milliseconds from each transient failure to the next attempt */
function outcomeOf(made: Made, { order, attempts }: TakenJob, backoff: readonly number[], at: Millis): JobOutcome {
  if (!isFailure(made)) return { state: 'ready', made: summarizeMedia(made, order.ladder) };
  const { fault, failed: reason } = made;
  const wait = made.isPermanent ? undefined : backoff[attempts - 1];
  if (wait === undefined) {
    const retryAfter = made.isPermanent ? RETRY_AFTER_MS.permanent : RETRY_AFTER_MS.transient;
    return { state: 'failed', fault, reason, dueAt: millis(at + retryAfter) };
  }
  // Randomized, so that creatives of one failing origin are not all retried at the same moment.
  return { state: 'waiting', fault, reason, dueAt: millis(at + Math.round(wait * (0.8 + Math.random() * 0.4))) };
}
