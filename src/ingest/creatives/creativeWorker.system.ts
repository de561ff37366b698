// SPDX-License-Identifier: Apache-2.0
// How real workers take, keep, lose and return the jobs of one queue, with one media store.
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deferred } from '../../../test/deferred.ts';
import { naming } from '../../../test/naming.ts';
import { serveInTest } from '../../../test/serve.ts';
import { creativeProcesses } from '../../../test/servers/creativeProcesses.ts';
import { createFfmpeg } from '../../adapters/media/ffmpeg.ts';
import { createMediaFiles } from '../../adapters/media/mediaFiles.ts';
import { millis } from '../../time/units.ts';
import type { Ffmpeg } from '../ports.ts';
import { type CreativeJobs, URGENCY } from './creativeJobs.ts';

const { startProcess, request, bench, uniqueUrl, idOf, ladder, statusOf, until, drafts } = creativeProcesses();

/** An encoder that waits until `open` is called. */
function gated(): { ffmpeg: Ffmpeg; begun: Promise<void>; open: () => void } {
  const { promise: begun, resolve: begin } = deferred();
  const { promise: gate, resolve: open } = deferred();
  const real = createFfmpeg();
  const run: Ffmpeg['run'] = async (program, how) => {
    begin();
    await gate;
    return real.run(program, how);
  };
  return { ffmpeg: { ...real, run }, begun, open };
}

describe('a worker', () => {
  it('makes creatives while the downloads of many others never end', async () => {
    const url = await serveInTest((_, response) => {
      const timer = setInterval(() => response.write('x'), 500);
      response.on('close', () => clearInterval(timer));
    });
    const { worker } = await startProcess({ slowMs: 50 });
    const names = Array.from({ length: 20 }, (_, index) => `dripping${index}`);
    for (const name of names) await request(name, `${url}/${name}`);
    await request('behind', await uniqueUrl('behind'));
    worker.start();
    await until(async () => expect(await statusOf(idOf('behind'))).toMatchObject({ state: 'ready' }));
    expect(await statusOf(idOf(names[0]!))).toMatchObject({ state: 'preparing' });
    for (const name of names) await bench().jobs.remove('acme', idOf(name));
    await worker.stop();
  });

  it('that hangs loses its job to another, and changes nothing when it continues', async () => {
    const gate = gated();
    // It takes one job, sends no heartbeat, and takes no other job.
    let isHung = false;
    const take: CreativeJobs['take'] = async (...given) => {
      const job = isHung ? undefined : await bench().jobs.take(...given);
      isHung ||= job !== undefined;
      return job;
    };
    const silent = { ...bench().jobs, take, renew: async () => true };
    const hung = await startProcess({ jobs: silent, ffmpeg: gate.ffmpeg, leaseMs: 100 });
    await request('hung', await uniqueUrl('hung'));
    hung.worker.wake();
    await gate.begun;
    const next = await startProcess();
    next.worker.start();
    await until(() => expect(next.made.length).toBe(1));
    const there = bench().files.find(idOf('hung'));
    gate.open();
    await until(async () => expect(await drafts()).toEqual([]));
    expect(hung.made).toEqual([]);
    expect(bench().files.find(idOf('hung'))).toEqual(there);
    expect(await statusOf(idOf('hung'))).toMatchObject({ state: 'ready' });
  });

  it('cancels a deleted job and deletes its files', async () => {
    const stuck = join(bench().folder, 'stuck.sh');
    await writeFile(stuck, '#!/bin/sh\ncase "$*" in *-version*) exit 0;; esac\nexec sleep 600\n');
    await chmod(stuck, 0o755);
    const slow = await startProcess({ ffmpeg: createFfmpeg({ ffmpegPath: stuck }), leaseMs: 300 });
    await request('deleted', await uniqueUrl('deleted'));
    slow.worker.start();
    await until(async () => expect((await drafts()).length).toBe(1));
    expect(await bench().jobs.remove('acme', idOf('deleted'))).toBe('gone');
    await until(async () => expect(await drafts()).toEqual([]));
    expect(await statusOf(idOf('deleted'))).toBeUndefined();
    expect([slow.made, slow.failed]).toEqual([[], []]);
  });

  it('that is stopped returns its job, and another takes it immediately', async () => {
    const stuck = join(bench().folder, 'stuck.sh');
    const stopping = await startProcess({ ffmpeg: createFfmpeg({ ffmpegPath: stuck }) });
    await request('given back', await uniqueUrl('back'));
    stopping.worker.start();
    await until(async () => expect(await statusOf(idOf('given back'))).toMatchObject({ state: 'preparing' }));
    await stopping.worker.stop();
    expect(await bench().jobs.find('acme', idOf('given back'))).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await drafts()).toEqual([]);
    const next = await startProcess();
    next.worker.start();
    await until(() => expect(next.made.length).toBe(1));
  });

  it('gives up a job that killed its workers several times', async () => {
    await request('poison', await uniqueUrl('poison'));
    for (let time = 0; time < 3; time += 1)
      expect(await bench().jobs.take(`dead${time}`, millis(Date.now()), millis(Date.now() - 1), 9)).toBeDefined();
    const careful = await startProcess({ backoff: [1, 1] });
    careful.worker.start();
    await until(() => expect(careful.failed.length).toBe(1));
    expect(careful.failed[0]).toMatchObject({ fault: 'BROKEN_OFF', reason: naming(3), willRetry: false });
  });

  it('makes slate but no creatives while the media store is full', async () => {
    const mediaStore = createMediaFiles({ dataDir: join(bench().folder, 'full'), maxBytes: 1000 });
    const old = join(bench().folder, 'full', 'media', 'a'.repeat(32));
    await mkdir(old, { recursive: true });
    await writeFile(join(old, 'meta.json'), JSON.stringify({ kind: 'creative' }));
    await writeFile(join(old, '0.mp4'), Buffer.alloc(2_000_000));
    const { library, failed } = await startProcess({ mediaStore });
    const source = bench().sourceOf('spot.mp4?full');
    library.prepare('full', source, ladder);
    const failure = { state: 'failed', fault: 'NO_ROOM', reason: naming(2, 0), retryAt: expect.any(Number) };
    expect(await library.settled('full', ladder)).toEqual(failure);
    await until(() => expect(failed[0]).toMatchObject({ fault: 'NO_ROOM', willRetry: true }));
    expect(await library.slate(ladder)).toMatchObject({ state: 'ready' });
    expect((await readdir(join(bench().folder, 'full', 'media'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('leaves slate that it cannot start in the queue, where slate of requested channels overtakes it', async () => {
    const gate = gated();
    const taken: string[] = [];
    const take: CreativeJobs['take'] = async (...given) => {
      const job = await bench().jobs.take(...given);
      // The queue is shared: a retry of another test's job may become due.
      if (job?.order.kind === 'slate') taken.push(job.order.id);
      return job;
    };
    const jobs = { ...bench().jobs, take };
    const { worker, made } = await startProcess({ jobs, ffmpeg: gate.ffmpeg, concurrency: 1 });
    const order = (name: string) =>
      ({ id: idOf(name), kind: 'slate', ladder, source: bench().sourceOf(name) }) as const;
    const names = ['a', 'b', 'c', 'd'].map((name) => `spot.mp4?slate ${name}`);
    for (const [at, name] of names.entries()) {
      const owner = { tenant: 'acme', channelId: `slate-${at}` };
      await bench().jobs.enqueue([{ order: order(name), urgency: URGENCY.slate, owner }], millis(Date.now()));
    }
    worker.start();
    await gate.begun;
    await until(async () => expect(await statusOf(idOf(names[1]!))).toMatchObject({ state: 'preparing' }));
    for (const name of names.slice(2)) expect(await statusOf(idOf(name))).toMatchObject({ state: 'waiting' });
    await bench().jobs.prioritize({ tenant: 'acme', channelId: 'slate-3' });
    gate.open();
    await until(() => expect(made.length).toBe(4));
    expect(taken).toEqual([0, 1, 3, 2].map((at) => idOf(names[at]!)));
  });

  it('continues after an outage of the store', async () => {
    let isUnavailable = true;
    const take: CreativeJobs['take'] = (...given) =>
      isUnavailable ? Promise.reject(new Error('the store is unavailable')) : bench().jobs.take(...given);
    const { worker, made } = await startProcess({ jobs: { ...bench().jobs, take } });
    await request('outage', await uniqueUrl('outage'));
    worker.start();
    isUnavailable = false;
    await until(() => expect(made.map(({ id }) => id)).toContain(idOf('outage')));
  });
});
