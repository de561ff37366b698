// SPDX-License-Identifier: Apache-2.0
// Simulates several processes that condition creatives: each with its own library and worker, over one store and one
// media store.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { mediaId } from '../../src/ingest/condition/plan/planEncode.ts';
import { URGENCY } from '../../src/ingest/creatives/creativeJobs.ts';
import type { CreativeWorkerOptions, FailedEvent, MadeEvent } from '../../src/ingest/creatives/creativeWorker.ts';
import { millis } from '../../src/time/units.ts';
import { type Conditioning, openConditioning, testLadder, testSource } from '../media/conditioning.ts';

const ladder = testLadder({ n: 25, d: 1 }, 48_000);
const idOf = (name: string): string => mediaId('creative', name, ladder);

/** Call at the top of a file. The tests share the stores; the processes of a test end with it. */
export function creativeProcesses() {
  let bench: Conditioning;
  let others: Conditioning[] = [];
  beforeAll(async () => {
    bench = await openConditioning();
    await bench.make('spot.mp4', ...testSource(1));
    await bench.make('other.mp4', ...testSource(1.5));
  });
  afterEach(async () => {
    await Promise.all(others.map((other) => other.close()));
    others = [];
  });
  afterAll(() => bench.close());

  return {
    ladder,
    idOf,
    /** The shared stores, with `spot.mp4` (1 s) and `other.mp4` (1.5 s). */
    bench: () => bench,
    until: <Value>(look: () => Promise<Value> | Value) => vi.waitFor(look, { timeout: 300_000, interval: 50 }),

    /** Starts another process. */
    async startProcess(overrides: Partial<CreativeWorkerOptions> = {}) {
      const made: MadeEvent[] = [];
      const failed: FailedEvent[] = [];
      const opened = await openConditioning({
        ...{ mediaStore: bench.files, jobs: bench.jobs },
        onMade: (event) => void made.push(event),
        onFailed: (event) => void failed.push(event),
        ...overrides,
      });
      others.push(opened);
      return { ...opened, made, failed };
    },

    statusOf: async (id: string) => (await bench.jobs.states([id]))[0],

    request(name: string, url: string) {
      const order = { id: idOf(name), kind: 'creative', source: { url, mimeType: 'video/mp4' }, ladder } as const;
      const owner = { tenant: 'acme', channelId: 'one' };
      return bench.jobs.enqueue([{ order, urgency: URGENCY.ahead, owner }], millis(Date.now()));
    },

    /** The URL of a new file with unique bytes, so that it has not been conditioned before. */
    async uniqueUrl(name: string): Promise<string> {
      const box = Buffer.alloc(8 + name.length);
      box.writeUInt32BE(box.length);
      box.write(`free${name}`, 4);
      await bench.write(`${name}.mp4`, Buffer.concat([await readFile(join(bench.folder, 'spot.mp4')), box]));
      return bench.sourceOf(`${name}.mp4`).url;
    },

    drafts: async () => (await readdir(join(bench.folder, 'media'))).filter((name) => name.startsWith('.making')),
  };
}
