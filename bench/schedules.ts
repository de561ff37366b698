// SPDX-License-Identifier: Apache-2.0
// `npm run bench:schedules`: what channels with schedules cost in one process on SQLite: until all are planned, each hour, and for an
// edit. Each has two weeks of half hours, from 20 assets that all share. BENCH_CHANNELS: how many.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlAssets } from '../src/adapters/sql/channels/sqlAssets.ts';
import { createSystemClock } from '../src/adapters/systemClock.ts';
import { startMidroll } from '../src/app.ts';
import { openSqlite } from '../src/database.ts';
import { type Millis, millis } from '../src/time/units.ts';
import type { Asset } from '../src/timeline/asset/asset.ts';
import { syntheticAsset } from '../test/laws/syntheticMedia.ts';
import { adminClient } from '../test/live/midroll.ts';
import { configOf } from '../test/live/midrollInProcess.ts';
import { bytesUsed } from './harness/bytesUsed.ts';

const CHANNELS = Number(process.env.BENCH_CHANNELS ?? 500);
const ASSETS = 20;
const ENTRIES = 672;
const HALF_HOUR = 1_800_000;
const HOUR = 3_600_000;
const MIB = 2 ** 20;
/** Half an hour with three breaks of a minute. */
const SEGMENTS = new Array<number>(270).fill(150);
const BREAKS = { every: 480, maxDuration: 60 };

/** Answers the probes of segments. */
const origin = createServer((_request, response) =>
  response.writeHead(206, { 'content-range': 'bytes 0-0/1' }).end('x'),
);
await new Promise<void>((resolve) => origin.listen(0, '127.0.0.1', resolve));
const base = `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
const here = (url: string) => url.replace('https://origin.test', base);

function localAsset(name: string): Asset {
  const asset = syntheticAsset({ name, segments: SEGMENTS });
  const renditions = asset.renditions.map((one) => ({
    ...one,
    tracks: one.tracks.map((track) => ({
      ...track,
      ...(track.init && { init: { ...track.init, url: here(track.init.url) } }),
      urls: track.urls.kind === 'number' ? { ...track.urls, prefix: here(track.urls.prefix) } : track.urls,
    })),
  }));
  return { ...asset, url: urlOf(name), renditions };
}
const urlOf = (name: string) => `${base}/${name}/master.m3u8`;

const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
const sql = await openSqlite(folder);
const assets = sqlAssets(sql);
for (let index = 0; index < ASSETS; index += 1)
  await assets.put(urlOf(`asset${index}`), localAsset(`asset${index}`), millis(Date.now()));

const system = createSystemClock();
let ahead = 0;
const clock = { ...system, now: (): Millis => millis(system.now() + ahead) };
const config = configOf({ DATA_DIR: folder, LOG_LEVEL: 'warn' });
const midroll = await startMidroll(config, undefined, { clock, hasThreads: true });
const { api, create } = adminClient(midroll.adminUrl);

const start = Math.floor(Date.now() / HALF_HOUR) * HALF_HOUR;
const scheduleOf = (channel: number) => ({
  breaks: BREAKS,
  entries: Array.from({ length: ENTRIES }, (_, index) => ({
    id: `e${index}`,
    title: `Programme ${index}`,
    source: { url: urlOf(`asset${(index + channel) % ASSETS}`) },
    ...(index === 0 ? { start: new Date(start).toISOString() } : {}),
  })),
});
const idOf = (channel: number) => `c${channel}`;

/** The channels that were planned since, by the clock. */
const plannedSince = async (at: number) =>
  (
    await sql.db
      .selectFrom('channel_statuses')
      .select('channel_id')
      .where('at', '>', at)
      .where('is_preparing', '=', 0)
      .execute()
  ).length;

async function used<Result>(work: () => Promise<Result>) {
  const [began, before] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system: kernel } = process.cpuUsage(before);
  return { result, seconds: (performance.now() - began) / 1000, cpu: (user + kernel) / 1e6 };
}

async function untilPlanned(since: number): Promise<void> {
  while ((await plannedSince(since)) < CHANNELS) await sleep(250);
}

console.log(`Node ${process.version}, ${cpus().length} processors, load ${loadavg()[0]?.toFixed(1)}.`);
await create('channels', { id: 'warm', state: 'disabled', apiKey: 'key' });
const empty = bytesUsed();
const stored = await used(async () => {
  for (let channel = 0; channel < CHANNELS; channel += 1) {
    await create('channels', { id: idOf(channel), state: 'disabled', apiKey: 'key' });
    const { status, json } = await api('PUT', `/channels/${idOf(channel)}/schedule`, scheduleOf(channel));
    if (status !== 200) throw new Error(JSON.stringify(json));
  }
});
const each = ({ cpu }: { cpu: number }) => `${((cpu * 1000) / CHANNELS).toFixed(1)} ms of CPU each`;
console.log(`${CHANNELS} schedules of ${ENTRIES} entries stored in ${stored.seconds.toFixed(1)} s, ${each(stored)}`);
await sleep(3000);
const began = clock.now();
const planned = await used(async () => {
  for (let channel = 0; channel < CHANNELS; channel += 1)
    await api('PATCH', `/channels/${idOf(channel)}`, { state: 'enabled' });
  await untilPlanned(began);
});
console.log(`all on air after ${planned.seconds.toFixed(1)} s, ${each(planned)}`);
await sleep(3000);
const bytes = bytesUsed() - empty;
console.log(
  `memory: ${(bytes / MIB).toFixed(0)} MiB, ${(bytes / 1024 / CHANNELS).toFixed(0)} KiB each; RSS ${(process.memoryUsage.rss() / MIB).toFixed(0)} MiB`,
);

const hours = 3;
let hourly = 0;
for (let hour = 0; hour < hours; hour += 1) {
  ahead += HOUR;
  const again = await used(() => untilPlanned(clock.now() - 60_000));
  hourly += again.cpu;
  console.log(`an hour later: all planned again in ${again.seconds.toFixed(1)} s, ${again.cpu.toFixed(1)} s of CPU`);
}
console.log(
  `kept planned: ${(hourly / hours).toFixed(1)} s of CPU an hour, ${((hourly * 1000) / hours / CHANNELS).toFixed(1)} ms each`,
);

const quiet = clock.now();
await sleep(15_000);
console.log(`channels planned in 15 s without edits: ${await plannedSince(quiet)}`);
const edits = 20;
const path = `/channels/${idOf(7)}/schedule?from=${new Date(start).toISOString()}&to=${new Date(start + 12 * HOUR).toISOString()}`;
const since = clock.now();
const edited = await used(async () => {
  for (let edit = 0; edit < edits; edit += 1) {
    const { status } = await api('PATCH', path, { entries: [{ id: 'e300', title: `Edit ${edit}` }] });
    if (status !== 200) throw new Error(`an edit returned ${status}`);
  }
});
console.log(
  `an edit: ${((edited.seconds * 1000) / edits).toFixed(0)} ms, ${((edited.cpu * 1000) / edits).toFixed(0)} ms of CPU`,
);
await sleep(5000);
console.log(`channels planned because of edits of one: ${await plannedSince(since)}`);
await midroll.close();
await sql.close();
origin.close();
rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
