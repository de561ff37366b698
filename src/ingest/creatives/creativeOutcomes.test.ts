// SPDX-License-Identifier: Apache-2.0
// The outcomes of requested creatives with real workers: made once, retried, or failed.
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { testLadder } from '../../../test/media/conditioning.ts';
import { naming } from '../../../test/naming.ts';
import { creativeProcesses } from '../../../test/servers/creativeProcesses.ts';
import { createFfmpeg } from '../../adapters/media/ffmpeg.ts';
import type { Ffmpeg } from '../ports.ts';

const { startProcess, bench, idOf, ladder, statusOf, until } = creativeProcesses();
const owner = { tenant: 'acme', channelId: 'one' };

describe('creatives', () => {
  it('are made once for any number of requests in any number of processes', async () => {
    const processes = await Promise.all([startProcess(), startProcess(), startProcess()]);
    const source = bench().sourceOf('spot.mp4');
    const states = await Promise.all(
      processes.flatMap(({ library }, index) =>
        ['one', 'two'].map((channelId) => {
          library.prepare('once', source, ladder, { tenant: `tenant${index}`, channelId });
          return library.settled('once', ladder);
        }),
      ),
    );
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(1);
    expect(states[0]).toMatchObject({ state: 'ready', media: { frames: 25 } });
    const made = await until(() => {
      const all = processes.flatMap((process) => process.made);
      expect(all.length).toBe(1);
      return all[0]!;
    });
    expect(made).toMatchObject({ id: idOf('once'), kind: 'creative', duration: 1, bytes: expect.any(Number) });
    expect((await bench().jobs.owners(idOf('once'))).length).toBe(6);
    expect(processes.flatMap(({ failed }) => failed)).toEqual([]);
  });

  it('of the same bytes are encoded once, whatever their URLs are', async () => {
    const real = createFfmpeg();
    let runs = 0;
    const run: Ffmpeg['run'] = (program, how) => {
      if (how.arguments.includes('-filter_complex')) runs += 1;
      return real.run(program, how);
    };
    const { library, made } = await startProcess({ ffmpeg: { ...real, run } });
    const media = [];
    for (const query of ['?token=1', '?token=2']) {
      library.prepare(query, bench().sourceOf(`other.mp4${query}`), ladder);
      media.push(await library.settled(query, ladder));
    }
    expect(media[0]).toMatchObject({ state: 'ready' });
    expect(media[1]).toEqual(media[0]);
    await until(() => expect(made.length).toBe(2));
    expect(runs).toBe(1);
    expect(made[0]!.mediaId).toBe(made[1]!.mediaId);
  });

  it('are retried after a transient failure without a new request', async () => {
    const { library, failed, made } = await startProcess({ backoff: new Array(100).fill(50) });
    const source = bench().sourceOf('later.mp4');
    library.prepare('later', source, ladder, owner);
    expect(await library.settled('later', ladder)).toEqual({
      state: 'failed',
      fault: 'NOT_FOUND',
      reason: naming(404),
      retryAt: expect.any(Number),
    });
    await until(() => expect(failed.length).toBeGreaterThan(1));
    expect(failed[0]).toMatchObject({ owners: [owner], willRetry: true, fault: 'NOT_FOUND', reason: naming(404) });
    await copyFile(join(bench().folder, 'other.mp4'), join(bench().folder, 'later.mp4'));
    await until(() => expect(made.length).toBe(1));
    expect(await bench().jobs.find('acme', idOf('later'))).toMatchObject({ state: 'ready' });
    await until(() => expect(library.prepare('later', source, ladder)).toMatchObject({ state: 'ready' }));
  });

  it('have failed after the last retry', async () => {
    const { library, failed } = await startProcess({ backoff: [20, 20] });
    library.prepare('never', bench().sourceOf('never.mp4'), ladder, owner);
    await until(() => expect(failed.map(({ willRetry }) => willRetry)).toEqual([true, true, false]));
    expect(await statusOf(idOf('never'))).toMatchObject({ state: 'failed' });
    expect(await bench().jobs.find('acme', idOf('never'))).toMatchObject({
      attempts: 3,
      fault: 'NOT_FOUND',
      reason: naming(404),
    });
  });

  it('are retried after a defect of Midroll, which is not a fault of the creative', async () => {
    const real = createFfmpeg();
    const broken = async () => {
      throw new TypeError('a test');
    };
    const run: Ffmpeg['run'] = (program, how) =>
      real.run(program, { ...how, ...(how.outputs && { outputs: how.outputs.map(() => broken) }) });
    const { library, failed } = await startProcess({ backoff: [20], ffmpeg: { ...real, run } });
    library.prepare('broken', bench().sourceOf('other.mp4?broken'), testLadder({ n: 24, d: 1 }, 48_000), owner);
    await until(() => expect(failed.map(({ willRetry }) => willRetry)).toEqual([true, false]));
    const reason = expect.stringMatching(/^Midroll failed to make it: this is a defect of Midroll; search the log for/);
    expect(failed).toMatchObject([
      { fault: 'NOT_MADE', reason },
      { fault: 'NOT_MADE', reason },
    ]);
  });

  it('are not retried after a permanent failure', async () => {
    const { library, failed } = await startProcess({ limits: { maxBytes: 3000, maxSeconds: 1 } });
    await bench().write('page.mp4', '\u0000nonsense'.repeat(20));
    for (const name of ['page.mp4', 'other.mp4']) {
      library.prepare(`bad ${name}`, bench().sourceOf(name), ladder);
      await library.settled(`bad ${name}`, ladder);
    }
    await until(() => expect(failed.length).toBe(2));
    expect(failed.map(({ fault, reason, willRetry }) => [fault, reason, willRetry])).toEqual([
      ['UNREADABLE', expect.any(String), false],
      ['TOO_LARGE', naming(3000), false],
    ]);
  });

  it('that are too long fail', async () => {
    const { library, failed } = await startProcess({ limits: { maxBytes: 1e9, maxSeconds: 1 } });
    library.prepare('long', bench().sourceOf('other.mp4?long'), testLadder({ n: 30, d: 1 }, 48_000));
    expect(await library.settled('long', testLadder({ n: 30, d: 1 }, 48_000))).toEqual({
      state: 'failed',
      fault: 'TOO_LONG',
      reason: naming(2, 1),
    });
    await until(() => expect(failed).toMatchObject([{ fault: 'TOO_LONG' }]));
  });
});
