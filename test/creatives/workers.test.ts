// Makers of creatives as processes of their own, over one store and one folder: killed, stopped and woken in the middle of
// their work. What is not whole is never there, and somebody else finishes it.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type MediaOrigin, startMediaOrigin } from '../live/mediaOrigin.ts';
import { type Midroll, startMidroll } from '../live/midroll.ts';
import { makeSpot, makeVideo } from '../live/testVideos.ts';

const root = join(import.meta.dirname, '../..');
const until = <Value>(look: () => Promise<Value> | Value) => vi.waitFor(look, { timeout: 300_000, interval: 100 });

let dataDir: string;
let slow: string;
let origin: MediaOrigin;
let midroll: Midroll;
const makers: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'midroll-makers-'));
  // An encoder that is no faster than the video.
  slow = join(dataDir, 'slow.sh');
  writeFileSync(
    slow,
    '#!/bin/sh\ncase "$*" in *" -i source "*filter_complex*) exec ffmpeg -re "$@";; esac\nexec ffmpeg "$@"\n',
  );
  chmodSync(slow, 0o755);
  [origin, midroll] = await Promise.all([startMediaOrigin(), startMidroll({ DATA_DIR: dataDir, ROLE: 'serve' })]);
});
afterAll(async () => {
  for (const maker of makers) await end(maker, 'SIGKILL');
  await midroll?.close();
  await origin?.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

/** A process that makes creatives. */
async function startMaker(settings: Readonly<Record<string, string>> = {}): Promise<ChildProcess> {
  const { PATH, HOME } = process.env;
  const shared = { PATH, HOME, DATA_DIR: dataDir, EGRESS_ALLOW: '127.0.0.0/8', ROLE: 'worker', LOG_LEVEL: 'warn' };
  const maker = spawn(process.execPath, ['dist/main.js'], {
    cwd: root,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...shared, ...settings },
  });
  makers.push(maker);
  for await (const chunk of maker.stderr!) if (String(chunk).includes('makes creatives')) return maker;
  throw new Error(`the maker ended with ${maker.exitCode}`);
}

/** The process and whatever it started. */
async function end(maker: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (maker.exitCode !== null || maker.signalCode !== null) return maker.exitCode;
  const exited = once(maker, 'exit');
  process.kill(signal === 'SIGKILL' ? -maker.pid! : maker.pid!, signal);
  await exited;
  return maker.exitCode;
}

const media = (): string[] => readdirSync(join(dataDir, 'media'));
const workshops = (): string[] => media().filter((name) => name.startsWith('.making'));
/** A workshop in which pictures are arriving. */
const atWork = (): string | undefined =>
  workshops().find((name) => {
    const pictures = join(dataDir, 'media', name, '0.mp4');
    return existsSync(pictures) && statSync(pictures).size > 0;
  });
/** Everything that a player could ask for. */
function expectWhole(): void {
  for (const name of media().filter((each) => /^[0-9a-f]+$/.test(each))) {
    const { tracks } = JSON.parse(readFileSync(join(dataDir, 'media', name, 'meta.json'), 'utf8'));
    for (const { file, initSize, sizes } of tracks) {
      const bytes = sizes.reduce((sum: number, size: number) => sum + size, initSize);
      expect(statSync(join(dataDir, 'media', name, file)).size).toBe(bytes);
    }
  }
}
const asset = async (id: string) => (await midroll.api('GET', `/assets/${id}`)).json;
async function add(path: string): Promise<string> {
  const { status, json } = await midroll.api('POST', '/assets', { mediaUrl: origin.url + path });
  expect([status, json]).toMatchObject([
    202,
    { assets: [{ state: expect.stringMatching(/^(waiting|preparing)$/), channels: ['c'] }] },
  ]);
  return json.assets[0].id;
}

test('creatives are made by whoever lives, once, and are whole when they are there', async () => {
  const video = await makeVideo(origin.folder, 'video', { seconds: 8 });
  const [killed, hung] = await Promise.all(
    [20, 21].map((seconds) => makeSpot(origin.folder, `spot${seconds}`, seconds)),
  );
  const [bumper] = await Promise.all([makeSpot(origin.folder, 'bumper', 1)]);
  const contents = [{ sourceType: 'url', url: origin.url + video, cuePoints: [{ spliceTime: 4, maxDuration: 4 }] }];
  await midroll.create('playlists', { id: 'p', status: 'enabled', contents });
  const bumpers = { intro: origin.url + bumper };
  await midroll.create('channels', { id: 'c', state: 'enabled', apiKey: 'key', playlistId: 'p', bumpers });
  expect((await midroll.api('POST', '/assets', { mediaUrl: origin.url + killed })).status).toBe(409);

  // Nobody has asked for the channel: its slate and its bumper are made because it was enabled.
  const first = await startMaker({ FFMPEG: slow });
  await until(async () => {
    const { json } = await midroll.api('GET', '/assets?state=ready&channel=c');
    expect(json.map(({ kind, source }: { kind: string; source?: string }) => [kind, source]).sort()).toEqual([
      ['creative', bumpers.intro],
      ['slate', undefined],
    ]);
  });
  await until(async () => expect((await midroll.api('GET', '/channels/c')).json.items?.[0]?.state).toBe('ready'));

  const one = await until(() => add(killed!));
  await until(() => expect(atWork()).toBeDefined());
  await end(first, 'SIGKILL');
  expect(await asset(one)).toMatchObject({ state: 'preparing' });
  expect(atWork()).toBeDefined();
  expectWhole();
  const pair = await Promise.all([startMaker(), startMaker()]);
  await until(async () => expect(await asset(one)).toMatchObject({ state: 'ready', attempts: 2, duration: 20 }));
  expectWhole();
  // What the dead one left is cleared away; asked to end, makers end well.
  await until(() => expect(workshops()).toEqual([]));
  expect(await Promise.all(pair.map((maker) => end(maker, 'SIGTERM')))).toEqual([0, 0]);

  const sleeper = await startMaker({ FFMPEG: slow });
  const two = await add(hung!);
  await until(() => expect(atWork()).toBeDefined());
  process.kill(sleeper.pid!, 'SIGSTOP');
  await startMaker();
  await until(async () => expect(await asset(two)).toMatchObject({ state: 'ready', attempts: 2, duration: 21 }));
  const before = await asset(two);
  process.kill(sleeper.pid!, 'SIGCONT');
  await until(() => expect(workshops()).toEqual([]));
  expect(await asset(two)).toEqual(before);
  expect(sleeper.exitCode).toBeNull();
  expectWhole();

  const picture = await fetch(`${midroll.adminUrl}/api/v2/assets/${two}/thumbnail`, {
    headers: { 'x-api-key': 'test-key' },
  });
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/jpeg']);
  const file = join(dataDir, 'picture.jpg');
  writeFileSync(file, Buffer.from(await picture.arrayBuffer()));
  const size = ['-v', 'error', '-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=0', file];
  expect(execFileSync('ffprobe', size, { encoding: 'utf8' }).trim()).toBe('mjpeg,160,90');
  expect(midroll.bugs()).toEqual([]);
});
