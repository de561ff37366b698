// SPDX-License-Identifier: Apache-2.0
// Composes the conditioning, storage and lookup of creatives, for serving processes and for workers.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { createHttpOrigin } from '../adapters/http/httpOrigin.ts';
import { createFfmpeg } from '../adapters/media/ffmpeg.ts';
import { sqlCreatives } from '../adapters/sql/creatives/sqlCreatives.ts';
import { createCreativeLibrary } from '../ingest/creatives/creativeLibrary.ts';
import {
  type CreativeWorkerOptions,
  createCreativeWorker,
  type FailedEvent,
  type MadeEvent,
} from '../ingest/creatives/creativeWorker.ts';
import type { Ffmpeg } from '../ingest/ports.ts';
import { millis } from '../time/units.ts';
import { traced } from '../tracing/tracer.ts';
import { composeMedia } from './composeMedia.ts';
import { readGauge } from './metrics/storeMetrics.ts';
import type { Services } from './openServices.ts';
import { type PeriodicTask, startPeriodicTask } from './part.ts';

type CreativeDeps = Services & {
  /** Receive the results of jobs of this process, for reports. */
  readonly listeners?: Pick<CreativeWorkerOptions, 'onMade' | 'onFailed'>;
};

const CLEANUP_INTERVAL_MS = 600_000;
/** Failures are kept for this long after the last request for the creative. */
const FAILURES_KEPT_MS = 7 * 24 * 3_600_000;
/**
 * A VoD session may play an ad for the first time at the end of its presentation, or again any time until it is removed. Its
 * creatives are used when its breaks are decided.
 */
const LONGEST_PRESENTATION_MS = 24 * 3_600_000;
/** A job that no worker has started for this long indicates that no worker is running. */
const OVERDUE_MS = 60_000;

/** @param makes whether this process conditions creatives @param serves whether it serves media to players */
export async function composeCreatives(deps: CreativeDeps, makes: boolean, serves: boolean) {
  const { config, sql, guard, now, timers, log, warn } = deps;
  const jobs = sqlCreatives(sql);
  const observer = creativeMetrics(deps.metrics);
  const ffmpeg = observer.observe(createFfmpeg({ ffmpegPath: config.FFMPEG, ffprobePath: config.FFPROBE }));
  const media = await composeMedia(deps, config.VOD_SESSION_TTL * 1000 + LONGEST_PRESENTATION_MS, serves);
  const { files } = media;
  const worker = makes
    ? createCreativeWorker({
        onMade(event) {
          observer.onMade(event);
          deps.listeners?.onMade?.(event);
        },
        onFailed(event) {
          observer.onFailed(event);
          deps.listeners?.onFailed?.(event);
        },
        around: ({ id, kind }, job) =>
          traced(deps.tracer, 'conditioning job', 'internal', { 'midroll.creative': id, 'midroll.kind': kind }, job),
        jobs,
        mediaStore: files,
        origin: createHttpOrigin(guard, { timers }),
        ffmpeg,
        now,
        timers,
        log,
        limits: { maxBytes: config.CREATIVE_MAX_MB * 2 ** 20, maxSeconds: config.CREATIVE_MAX_SECONDS },
        concurrency: config.CONDITION_JOBS,
        ...(config.CREATIVES_AS_IS === 'on'
          ? { asIs: { httpsOnly: config.LIVE_URL?.startsWith('https:') ?? false } }
          : {}),
        onSettled: () => void library.poll(),
      })
    : undefined;
  const ofJobs = { name: 'midroll_creative_jobs_running', help: 'Conditioning jobs that this process works on' };
  readGauge(deps.metrics, ofJobs, () => worker?.running() ?? 0);
  const library = createCreativeLibrary({
    mediaStore: files,
    jobs,
    now,
    timers,
    warn,
    onEnqueued: () => worker?.wake(),
  });

  /** Deletes leftovers of killed processes, media over the size limit, and old failures. */
  const cleanUp = async (): Promise<void> => {
    await jobs.forget(await files.clear());
    await jobs.expire(millis(now() - FAILURES_KEPT_MS));
  };
  /** Without a worker, channels have no slate and stay off air; the log must contain the reason. */
  const warnAboutOverdueJobs = async (): Promise<void> => {
    const waiting = await jobs.overdue(millis(now() - OVERDUE_MS), now());
    if (waiting > 0) warn('no worker takes creative jobs: start a process with ROLE=worker', { waiting });
  };
  const tasks: PeriodicTask[] = [];
  return {
    jobs,
    files,
    media,
    ffmpeg,
    library,
    wake: () => worker?.wake(),
    /** Reads what other processes have changed. @param ids undefined: any creative */
    async changed(ids?: ReadonlySet<string>): Promise<void> {
      media.forgetAbsent(ids);
      await library.changed(ids);
    },
    async start(): Promise<void> {
      tasks.push(...(await media.start()));
      if (worker === undefined) {
        const name = 'checking for overdue creative jobs';
        return void tasks.push(startPeriodicTask(timers, name, OVERDUE_MS, warnAboutOverdueJobs, warn));
      }
      await cleanUp();
      tasks.push(startPeriodicTask(timers, 'cleaning up media', CLEANUP_INTERVAL_MS, cleanUp, warn));
      worker.start();
    },
    /** Takes no more jobs; waits so many milliseconds for those that are under way. */
    drain: async (ms: number): Promise<void> => worker?.drain(ms),
    async stop(): Promise<void> {
      for (const task of tasks) task.stop();
      library.close();
      await worker?.stop();
      await media.close();
    },
  };
}

export type Creatives = Awaited<ReturnType<typeof composeCreatives>>;

const BOUNDS = [0.25, 1, 2.5, 5, 10, 30, 60, 300, 1800];

/** The jobs and the programs that this process runs, as metrics. */
function creativeMetrics(registry: Registry) {
  const registers = [registry];
  const seconds = new Histogram({
    name: 'midroll_creative_job_seconds',
    help: 'Duration of conditioning jobs of this process, from taking a job to its end',
    labelNames: ['kind', 'result'] as const,
    buckets: BOUNDS,
    registers,
  });
  const failures = new Counter({
    name: 'midroll_creative_failures_total',
    help: 'Failed attempts to condition a creative or slate, by fault',
    labelNames: ['kind', 'fault'] as const,
    registers,
  });
  const running = new Gauge({
    name: 'midroll_ffmpeg_running',
    help: 'Programs that this process runs now: ffmpeg or ffprobe',
    labelNames: ['program'] as const,
    registers,
  });
  const programSeconds = new Histogram({
    name: 'midroll_ffmpeg_seconds',
    help: 'Duration of runs of ffmpeg and ffprobe',
    labelNames: ['program', 'result'] as const,
    buckets: BOUNDS,
    registers,
  });
  for (const program of ['ffmpeg', 'ffprobe']) running.set({ program }, 0);
  return {
    onMade: ({ kind, seconds: taken }: MadeEvent) => seconds.observe({ kind, result: 'ready' }, taken),
    onFailed({ kind, seconds: taken, fault, willRetry }: FailedEvent): void {
      seconds.observe({ kind, result: willRetry ? 'retry' : 'failed' }, taken);
      failures.inc({ kind, fault });
    },
    observe: (ffmpeg: Ffmpeg): Ffmpeg => ({
      ...ffmpeg,
      async run(program, run) {
        running.inc({ program });
        const since = performance.now();
        try {
          const result = await ffmpeg.run(program, run);
          programSeconds.observe({ program, result: result.ok ? 'ok' : 'error' }, (performance.now() - since) / 1000);
          return result;
        } finally {
          running.dec({ program });
        }
      },
    }),
  };
}
