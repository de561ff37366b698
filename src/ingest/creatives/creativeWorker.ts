// Makes creatives and slate: takes jobs from the store, holds each for as long as it is at it, and tells the store how it
// went. Any number of workers, in any number of processes: a job is one worker's at a time, and one that dies or hangs
// loses it. It knows no viewer and no channel; what is made is known by the mediaStore.
import { randomUUID } from 'node:crypto';
import type { CreativeOwner, CreativeSource } from '../../ads/creative/creative.ts';
import type { CreativeFault } from '../../ads/creative/creativeFault.ts';
import type { Timer, Timers } from '../../time/clock.ts';
import { type Millis, millis } from '../../time/units.ts';
import type { ConditionOrder } from '../condition/conditionMedia.ts';
import { type Failure, isFailure } from '../condition/fetch/conditionFailure.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';
import { type CreativeJobs, type JobOutcome, type TakenJob, URGENCY } from './creativeJobs.ts';
import { type CreativeMakerOptions, createCreativeMaker } from './creativeMaker.ts';
import { summarizeMedia } from './summarizeMedia.ts';

/** What was made or could not be, and for whom. */
export type CreativeEvent = {
  readonly id: string;
  readonly kind: ConditionOrder['kind'];
  /** Who asked first is first. */
  readonly owners: readonly CreativeOwner[];
  /** When it was asked for first. */
  readonly createdAt: Millis;
  /** Seconds from taking it up to its end. */
  readonly seconds: number;
};
export type MadeEvent = CreativeEvent & {
  /** As decisions name it. */
  readonly mediaId: string;

  /** Seconds that it plays. */ readonly duration: number;
  readonly bytes: number;
};
export type FailedEvent = CreativeEvent & {
  readonly reason: string;
  readonly fault: CreativeFault;
  readonly isTriedAgain: boolean;
};

export type CreativeWorkerOptions = CreativeMakerOptions & {
  readonly jobs: CreativeJobs;
  readonly now: () => Millis;
  readonly timers: Timers;
  /** Milliseconds of silence after which a job is another's; it is held anew three times as often. */
  readonly leaseMs?: number;
  /** Milliseconds after which a job that is still under way makes room for another; 10,000 unless told. */
  readonly slowMs?: number;
  /** Milliseconds until what failed for now is tried again, after the first time, the second …; then it has failed. */
  readonly backoff?: readonly number[];
  /** Called when a job has ended, however it did. */
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

export type CreativeWorker = {
  start(): void;
  /** Looks at once whether there is something to make. */
  wake(): void;
  /** Gives back what is not ready; another takes it up at once. */
  stop(): Promise<void>;
};

/** Jobs at once, fetching included, and those on top that take their time: a slow origin must not hold up the others. */
const AT_ONCE = 8;
const MOST_SLOW = 56;
const SLOW_MS = 10_000;
/** On top of the quick ones. */
const SLATES_AT_ONCE = 4;
const LOOK_MS = 500;
const LEASE_MS = 10_000;
/** For all of a job; what takes longer is no creative. */
const MOST_MS = 45 * 60_000;
const BACKOFF = [5000, 30_000, 120_000, 600_000, 3_600_000];
/** How long a failure is remembered before asking for the creative tries it again. */
const REMEMBERED = { passing: 3_600_000, lasting: 6 * 3_600_000 };

export function createCreativeWorker(options: CreativeWorkerOptions): CreativeWorker {
  const { jobs, now, timers, log, backoff = BACKOFF, leaseMs = LEASE_MS, slowMs = SLOW_MS } = options;
  const maker = createCreativeMaker(options);
  const running = new Map<string, Running>();
  let timer: Timer | undefined;
  let taking: Promise<void> | undefined;
  let isWoken = false;
  let wait = LOOK_MS;
  let isStopped = false;

  /**
   * What it could begin with now: a worker that can't begin leaves jobs to those who can. Slate that would wait for an encoder
   * stays in the store, where the slate of a channel that players request overtakes it.
   */
  const urgencies = (): { most: number; least: number } | undefined => {
    const late = timers.elapsed() - slowMs;
    const jobsInTime = [...running.values()].filter(({ since }) => since >= late);
    const quick = Math.max(jobsInTime.length, running.size - MOST_SLOW);
    const slates = jobsInTime.filter(({ kind }) => kind === 'slate').length;
    const takesSlate = quick < AT_ONCE + SLATES_AT_ONCE && slates <= maker.concurrency;
    const takesAds = quick < AT_ONCE && !maker.isBusy();
    if (!takesSlate && !takesAds) return undefined;
    return { most: takesAds ? URGENCY.again : URGENCY.slate, least: takesSlate ? URGENCY.wanted : URGENCY.viewer };
  };

  async function takeAll(): Promise<void> {
    for (let range = urgencies(); range !== undefined && !isStopped; range = urgencies()) {
      const at = now();
      const job = await jobs.take(randomUUID(), at, millis(at + leaseMs), range.most, range.least);
      if (job === undefined) return;
      begin(job);
    }
  }

  function wake(): void {
    isWoken = true;
    if (taking !== undefined || isStopped) return;
    timer?.cancel();
    taking = (async () => {
      while (isWoken && !isStopped) {
        isWoken = false;
        wait = LOOK_MS;
        await takeAll().catch((error: unknown) => {
          wait = 10 * LOOK_MS;
          log.warn({ err: error }, 'no creative could be taken up');
        });
      }
    })().finally(() => {
      taking = undefined;
      if (!isStopped) timer = timers.after(wait, wake);
    });
  }

  function begin(job: TakenJob): void {
    const abort = new AbortController();
    const done = work(job, abort)
      .catch((error: unknown) => log.warn({ err: error, id: job.order.id }, 'what became of a creative was not stored'))
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
    const hold = async (): Promise<void> => {
      if (!(await jobs.hold(lease, millis(now() + leaseMs)))) abort.abort();
    };
    const holding = timers.every(leaseMs / 3, () => {
      hold().catch((error: unknown) => log.warn({ err: error, id: order.id }, 'a creative could not be held'));
    });
    const deadline = timers.after(MOST_MS, () => abort.abort('late'));
    const made = await makeOnce(job, abort.signal).finally(() => {
      holding.cancel();
      deadline.cancel();
    });
    if (isStopped && isFailure(made)) return jobs.release(lease, now());
    const outcome = outcomeOf(made, job, backoff, now());
    if (!(await jobs.finish(lease, outcome, now()))) {
      log.info({ id: order.id }, 'a creative was taken from this worker, or deleted');
      return;
    }
    await tell(job, outcome, (timers.elapsed() - since) / 1000);
  }

  /** A job that nobody ever told the end of kills whoever takes it. */
  const makeOnce = async ({ order, attempts }: TakenJob, signal: AbortSignal): Promise<PackagedMedia | Failure> =>
    attempts > backoff.length + 1
      ? { failed: `its making was broken off ${attempts - 1} times`, fault: 'BROKEN_OFF', isPermanent: true }
      : maker.make(order, signal);

  async function tell({ order, createdAt }: TakenJob, outcome: JobOutcome, seconds: number): Promise<void> {
    const { id, kind, source } = order;
    const facts = { id, kind, url: addressOf(source), seconds: Math.round(seconds * 100) / 100 };
    const isHeard = outcome.state === 'ready' ? options.onMade : options.onFailed;
    const owners = isHeard ? await jobs.owners(id) : [];
    if (outcome.state === 'ready') {
      const { mediaId, duration, bytes, frames } = outcome.made;
      log.info({ ...facts, frames }, 'media conditioned');
      options.onMade?.({ id, kind, owners, createdAt, seconds, mediaId, duration, bytes });
    } else {
      const isTriedAgain = outcome.state === 'waiting';
      const { fault, reason } = outcome;
      log.warn({ ...facts, fault, reason, isTriedAgain }, 'media could not be conditioned');
      options.onFailed?.({ id, kind, owners, createdAt, seconds, fault, reason, isTriedAgain });
    }
  }

  return {
    start: wake,
    wake,
    async stop() {
      isStopped = true;
      timer?.cancel();
      await taking;
      for (const { abort } of running.values()) abort.abort('stopping');
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

function outcomeOf(
  made: PackagedMedia | Failure,
  { order, attempts }: TakenJob,
  backoff: readonly number[],
  at: Millis,
): JobOutcome {
  if (!isFailure(made)) return { state: 'ready', made: summarizeMedia(made, order.ladder) };
  const { fault, failed: reason } = made;
  const wait = made.isPermanent ? undefined : backoff[attempts - 1];
  if (wait === undefined) {
    const remembered = made.isPermanent ? REMEMBERED.lasting : REMEMBERED.passing;
    return { state: 'failed', fault, reason, dueAt: millis(at + remembered) };
  }
  // Not all of those that an origin failed come back to it at the same moment.
  return { state: 'waiting', fault, reason, dueAt: millis(at + Math.round(wait * (0.8 + Math.random() * 0.4))) };
}

/** For the log: without query and credentials, which may be secrets. */
function addressOf(source: CreativeSource | undefined): string {
  if (source === undefined) return 'built in';
  const url = URL.canParse(source.url) ? new URL(source.url) : undefined;
  return url ? `${url.origin}${url.pathname}` : 'not a URL';
}
