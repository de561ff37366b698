// SPDX-License-Identifier: Apache-2.0
// Conditioning as metrics: the jobs and the programs that this process runs.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { FailedEvent, MadeEvent } from '../../ingest/creatives/creativeWorker.ts';
import type { Ffmpeg } from '../../ingest/ports.ts';

const BOUNDS = [0.25, 1, 2.5, 5, 10, 30, 60, 300, 1800];

export type CreativeMetrics = {
  readonly onMade: (event: MadeEvent) => void;
  readonly onFailed: (event: FailedEvent) => void;
  readonly observe: (ffmpeg: Ffmpeg) => Ffmpeg;
  /** @param count the jobs that this process works on */
  readonly observeJobs: (count: () => number) => void;
};

export function creativeMetrics(registry: Registry): CreativeMetrics {
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
  let jobs = () => 0;
  new Gauge({
    name: 'midroll_creative_jobs_running',
    help: 'Conditioning jobs that this process works on',
    registers,
    collect() {
      this.set(jobs());
    },
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
    onMade: ({ kind, seconds: taken }) => seconds.observe({ kind, result: 'ready' }, taken),
    onFailed({ kind, seconds: taken, fault, willRetry }) {
      seconds.observe({ kind, result: willRetry ? 'retry' : 'failed' }, taken);
      failures.inc({ kind, fault });
    },
    observe: (ffmpeg) => ({
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
    observeJobs(count) {
      jobs = count;
    },
  };
}
