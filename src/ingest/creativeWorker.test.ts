// Work that is taken, held, lost, tried again and given back, by real workers over one store and one shelf.
import { chmod, copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Conditioning, openConditioning, testLadder, testSource } from '../../test/conditioning.ts';
import { createFfmpeg } from '../adapters/ffmpeg.ts';
import { createMediaFiles } from '../adapters/mediaFiles.ts';
import { millis } from '../time/units.ts';
import { mediaId } from './conditionKey.ts';
import type { Ffmpeg } from './conditionPorts.ts';
import { type CreativeJobs, URGENCY } from './creativeJobs.ts';
import type { CreativeWorkerOptions, FailedEvent, MadeEvent } from './creativeWorker.ts';

const ladder = testLadder({ n: 25, d: 1 }, 48_000);
const owner = { tenant: 'acme', channelId: 'one' };
const idOf = (name: string): string => mediaId('creative', name, ladder);
const until = <Value>(look: () => Promise<Value> | Value) => vi.waitFor(look, { timeout: 20_000, interval: 50 });

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

/** Another process, as it were: its own library and worker, the same store and shelf. */
async function another(overrides: Partial<CreativeWorkerOptions> = {}) {
  const made: MadeEvent[] = [];
  const failed: FailedEvent[] = [];
  const opened = await openConditioning({
    ...{ shelf: bench.files, jobs: bench.jobs },
    onMade: (event) => void made.push(event),
    onFailed: (event) => void failed.push(event),
    ...overrides,
  });
  others.push(opened);
  return { ...opened, made, failed };
}
const statusOf = async (id: string, jobs: CreativeJobs = bench.jobs) => (await jobs.states([id]))[0];
const ask = (name: string, url: string, jobs: CreativeJobs = bench.jobs) => {
  const order = { id: idOf(name), kind: 'creative', source: { url, mimeType: 'video/mp4' }, ladder } as const;
  return jobs.ask([{ order, urgency: URGENCY.ahead, owner }], millis(Date.now()));
};
/** The address of a file of its own: with other bytes than any other, so that nobody has made it before. */
async function fresh(name: string): Promise<string> {
  const box = Buffer.alloc(8 + name.length);
  box.writeUInt32BE(box.length);
  box.write(`free${name}`, 4);
  await bench.write(`${name}.mp4`, Buffer.concat([await readFile(join(bench.folder, 'spot.mp4')), box]));
  return bench.sourceOf(`${name}.mp4`).url;
}
const workshops = async () => (await readdir(join(bench.folder, 'media'))).filter((name) => name.startsWith('.making'));

/** An encoder that can be held up. */
function gated(): { ffmpeg: Ffmpeg; begun: Promise<void>; open: () => void } {
  let [begin, open] = [() => {}, () => {}];
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const real = createFfmpeg();
  const run: Ffmpeg['run'] = async (program, how) => {
    begin();
    await gate;
    return real.run(program, how);
  };
  return { ffmpeg: { ...real, run }, begun, open: () => open() };
}

describe('creatives', () => {
  it('are made once, however many ask in however many processes, and everybody learns of it', async () => {
    const processes = await Promise.all([another(), another(), another()]);
    const source = bench.sourceOf('spot.mp4');
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
    expect((await bench.jobs.owners(idOf('once'))).length).toBe(6);
    expect(processes.flatMap(({ failed }) => failed)).toEqual([]);
  });

  it('of the same bytes are encoded once, whatever their addresses are', async () => {
    const real = createFfmpeg();
    let runs = 0;
    const run: Ffmpeg['run'] = (program, how) => {
      if (how.arguments.includes('-filter_complex')) runs += 1;
      return real.run(program, how);
    };
    const { library, made } = await another({ ffmpeg: { ...real, run } });
    const media = [];
    for (const query of ['?token=1', '?token=2']) {
      library.prepare(query, bench.sourceOf(`other.mp4${query}`), ladder);
      media.push(await library.settled(query, ladder));
    }
    expect(media[0]).toMatchObject({ state: 'ready' });
    expect(media[1]).toEqual(media[0]);
    expect([runs, made.length]).toEqual([1, 2]);
    expect(made[0]!.mediaId).toBe(made[1]!.mediaId);
  });

  it('that failed for now are tried again without anybody asking, after a while', async () => {
    const { library, failed, made } = await another({ backoff: new Array(100).fill(50) });
    const source = bench.sourceOf('later.mp4');
    library.prepare('later', source, ladder, owner);
    expect(await library.settled('later', ladder)).toEqual({
      state: 'failed',
      reason: 'it could not be fetched: answered 404',
    });
    await until(() => expect(failed.length).toBeGreaterThan(1));
    expect(failed[0]).toMatchObject({ owners: [owner], isTriedAgain: true, reason: /answered 404/ });
    await copyFile(join(bench.folder, 'other.mp4'), join(bench.folder, 'later.mp4'));
    await until(() => expect(made.length).toBe(1));
    expect(await bench.jobs.find('acme', idOf('later'))).toMatchObject({ state: 'ready' });
    await until(() => expect(library.prepare('later', source, ladder)).toMatchObject({ state: 'ready' }));
  });

  it('that fail again and again have failed, and are told so', async () => {
    const { library, failed } = await another({ backoff: [20, 20] });
    library.prepare('never', bench.sourceOf('never.mp4'), ladder, owner);
    await until(async () => expect(await statusOf(idOf('never'))).toMatchObject({ state: 'failed' }));
    expect(failed.map(({ isTriedAgain }) => isTriedAgain)).toEqual([true, true, false]);
    expect(await bench.jobs.find('acme', idOf('never'))).toMatchObject({ attempts: 3, reason: /answered 404/ });
  });

  it('whose fault is their own are not tried again', async () => {
    const { library, failed } = await another({ limits: { maxBytes: 3000, maxSeconds: 1 } });
    await bench.write('page.mp4', '\u0000nonsense'.repeat(20));
    for (const name of ['page.mp4', 'other.mp4']) {
      library.prepare(`bad ${name}`, bench.sourceOf(name), ladder);
      await library.settled(`bad ${name}`, ladder);
    }
    expect(failed.map(({ reason, isTriedAgain }) => [reason, isTriedAgain])).toEqual([
      [expect.stringMatching(/^it is no video file/), false],
      ['it could not be fetched: sent more than 3000 bytes', false],
    ]);
  });

  it('longer than is allowed are refused', async () => {
    const { library } = await another({ limits: { maxBytes: 1e9, maxSeconds: 1 } });
    library.prepare('long', bench.sourceOf('other.mp4?long'), testLadder({ n: 30, d: 1 }, 48_000));
    expect(await library.settled('long', testLadder({ n: 30, d: 1 }, 48_000))).toEqual({
      state: 'failed',
      reason: 'it lasts 2 s; 1 s is the most',
    });
  });
});

describe('a worker', () => {
  it('that hangs loses its job to the next, and does no harm when it wakes', async () => {
    const gate = gated();
    const silent = { ...bench.jobs, hold: async () => true };
    const hung = await another({ jobs: silent, ffmpeg: gate.ffmpeg, leaseMs: 100 });
    await ask('hung', await fresh('hung'));
    hung.worker.wake();
    await gate.begun;
    const next = await another();
    next.worker.start();
    await until(() => expect(next.made.length).toBe(1));
    const there = bench.files.find(idOf('hung'));
    gate.open();
    await until(async () => expect(await workshops()).toEqual([]));
    expect(hung.made).toEqual([]);
    expect(bench.files.find(idOf('hung'))).toEqual(there);
    expect(await statusOf(idOf('hung'))).toMatchObject({ state: 'ready' });
  });

  it('ends what was deleted, and leaves nothing of it', async () => {
    const stuck = join(bench.folder, 'stuck.sh');
    await writeFile(stuck, '#!/bin/sh\ncase "$*" in *-version*) exit 0;; esac\nexec sleep 600\n');
    await chmod(stuck, 0o755);
    const slow = await another({ ffmpeg: createFfmpeg({ ffmpegPath: stuck }), leaseMs: 300 });
    await ask('deleted', await fresh('deleted'));
    slow.worker.start();
    await until(async () => expect((await workshops()).length).toBe(1));
    expect(await bench.jobs.remove('acme', idOf('deleted'))).toBe('gone');
    await until(async () => expect(await workshops()).toEqual([]));
    expect(await statusOf(idOf('deleted'))).toBeUndefined();
    expect([slow.made, slow.failed]).toEqual([[], []]);
  });

  it('that is stopped gives its job back, and the next takes it up at once', async () => {
    const stuck = join(bench.folder, 'stuck.sh');
    const stopping = await another({ ffmpeg: createFfmpeg({ ffmpegPath: stuck }) });
    await ask('given back', await fresh('back'));
    stopping.worker.start();
    await until(async () => expect(await statusOf(idOf('given back'))).toMatchObject({ state: 'preparing' }));
    await stopping.worker.stop();
    expect(await bench.jobs.find('acme', idOf('given back'))).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(await workshops()).toEqual([]);
    const next = await another();
    next.worker.start();
    await until(() => expect(next.made.length).toBe(1));
  });

  it('does not take up what has killed its makers again and again', async () => {
    await ask('poison', await fresh('poison'));
    for (let time = 0; time < 3; time += 1)
      expect(await bench.jobs.take(`dead${time}`, millis(Date.now()), millis(Date.now() - 1), 9)).toBeDefined();
    const careful = await another({ backoff: [1, 1] });
    careful.worker.start();
    await until(() => expect(careful.failed.length).toBe(1));
    expect(careful.failed[0]).toMatchObject({ reason: 'its making was broken off 3 times', isTriedAgain: false });
  });

  it('makes no creative while the shelf is full, and slate all the same', async () => {
    const shelf = createMediaFiles({ dataDir: join(bench.folder, 'full'), mostBytes: 1000 });
    const old = join(bench.folder, 'full', 'media', 'a'.repeat(32));
    await mkdir(old, { recursive: true });
    await writeFile(join(old, 'meta.json'), JSON.stringify({ kind: 'creative' }));
    await writeFile(join(old, '0.mp4'), Buffer.alloc(2_000_000));
    const { library, failed } = await another({ shelf });
    const source = bench.sourceOf('spot.mp4?full');
    library.prepare('full', source, ladder);
    expect(await library.settled('full', ladder)).toEqual({
      state: 'failed',
      reason: 'there is no room for it: media that were played within a day take 2 MiB of the 0 MiB that they may',
    });
    expect(failed[0]!.isTriedAgain).toBe(true);
    expect(await library.slate(ladder)).toMatchObject({ state: 'ready' });
    expect((await readdir(join(bench.folder, 'full', 'media'))).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('goes on when the store was away', async () => {
    let isAway = true;
    const take: CreativeJobs['take'] = (...given) =>
      isAway ? Promise.reject(new Error('the store is away')) : bench.jobs.take(...given);
    const { worker, made } = await another({ jobs: { ...bench.jobs, take } });
    await ask('away', await fresh('away'));
    worker.start();
    isAway = false;
    await until(() => expect(made.map(({ id }) => id)).toContain(idOf('away')));
  });
});
