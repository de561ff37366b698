// SPDX-License-Identifier: Apache-2.0
// Runs tests of the queue of creatives on SQLite and on PostgreSQL. The queue is empty before each test.
import { afterEach } from 'vitest';
import { sqlCreatives } from '../../src/adapters/sql/creatives/sqlCreatives.ts';
import {
  type CreativeJobs,
  type CreativeRequest,
  type JobStatus,
  type MediaSummary,
  type TakenJob,
  URGENCY,
} from '../../src/ingest/creatives/creativeJobs.ts';
import { type Millis, millis } from '../../src/time/units.ts';
import { testLadder } from '../media/conditioning.ts';
import { onEachOpenStore } from './sqlStores.ts';

export const ladder = testLadder({ n: 25, d: 1 }, 48_000);
export const at = (value: number): Millis => millis(value);
export const made: MediaSummary = {
  ...{ mediaId: 'content', frames: 50, duration: 2, bytes: 1000 },
  renditions: [{ id: 'v0', kind: 'video', codecs: 'avc1.64000c', bandwidth: 200_000, width: 160, height: 90 }],
};
export const requested = (id: string, more: Partial<CreativeRequest> = {}): CreativeRequest => ({
  order: { id, kind: 'creative', ladder, source: { url: `https://ads.test/${id}.mp4?token=1`, mimeType: 'video/mp4' } },
  urgency: URGENCY.viewer,
  owner: { tenant: 'acme', channelId: 'one' },
  ...more,
});

export type CreativeQueue = CreativeJobs & {
  /** Requests creatives at a time. */
  readonly request: (now: number, ...requests: CreativeRequest[]) => Promise<void>;
  /** Takes the next job, with a lease of one second unless `until` is given. */
  readonly takeNext: (lease: string, now: number, until?: number) => Promise<TakenJob | undefined>;
  /** Ends a job as ready. */
  readonly make: (lease: string, now: number) => Promise<boolean>;
  readonly stateOf: (id: string) => Promise<JobStatus | undefined>;
  /** Removes everything except jobs with a lease. */
  readonly clear: () => Promise<void>;
};

export function onEachCreativeQueue(tests: (queue: CreativeQueue) => void): void {
  onEachOpenStore((sql) => {
    const jobs = sqlCreatives(sql);
    const clear = async () => {
      await jobs.forget([made.mediaId]);
      await jobs.expire(at(Number.MAX_SAFE_INTEGER));
    };
    afterEach(clear);
    tests({
      ...jobs,
      request: (now, ...requests) => jobs.enqueue(requests, at(now)),
      takeNext: (lease, now, until = now + 1000) => jobs.take(lease, at(now), at(until), URGENCY.retry),
      make: (lease, now) => jobs.finish(lease, { state: 'ready', made }, at(now)),
      stateOf: async (id) => (await jobs.states([id]))[0],
      clear,
    });
  });
}
