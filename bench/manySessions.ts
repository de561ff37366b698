// SPDX-License-Identifier: Apache-2.0
// `npm run bench:sessions`: 100,000 viewers of one process on SQLite, who poll every six seconds: memory, latencies, and what
// they see when the process is killed and starts again. No ads: what a decision costs is measured by bench:decisions.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMediaOrigin } from '../test/live/mediaOrigin.ts';
import { startMidroll } from '../test/live/midroll.ts';
import { makeVideo } from '../test/live/testVideos.ts';
import { createChannel, UNLIMITED, untilServed, YOUNG_GENERATION } from './channel.ts';
import { latencyText, openAll, openConnections, type PollFigures, pollUntil } from './pollers.ts';
import { processorTime, residentBytes } from './scaling/processorTime.ts';

const VIEWERS = Number(process.env.BENCH_VIEWERS ?? 100_000);
const POLL_MS = 6000;
const CONNECTIONS = 128;
const OPENING_AT_ONCE = 1000;

const say = (text: string) => console.log(text);
const seconds = (from: number): string => ((performance.now() - from) / 1000).toFixed(1);

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

function show(what: string, { polls, failed, latencies }: PollFigures): void {
  say(`${what}: ${polls} polls, failed: ${failed}; ${latencyText(latencies)}`);
}

const dataDir = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
const origin = await startMediaOrigin();
const video = await makeVideo(origin.folder, 'video', { seconds: 60, qualities: 2 });
const settings = { DATA_DIR: dataDir, LOG_LEVEL: 'warn', NODE_OPTIONS: YOUNG_GENERATION };
const midroll = await startMidroll({ ...settings, ...UNLIMITED });
const connect = () => openConnections(midroll.liveUrl, CONNECTIONS);

try {
  await createChannel(midroll, { video: origin.url + video });
  await untilServed(midroll);
  let connections = await connect();
  await sleep(3000);
  const before = residentBytes(midroll.pid());
  const opening = performance.now();
  const paths: string[] = [];
  while (paths.length < VIEWERS)
    paths.push(...(await openAll(connections, Math.min(OPENING_AT_ONCE, VIEWERS - paths.length))));
  say(`${VIEWERS} sessions opened in ${seconds(opening)} s.`);
  const pollFor = (ms: number) =>
    pollUntil(connections, paths, { every: POLL_MS, until: Date.now() + ms, mostAge: Number.POSITIVE_INFINITY });
  await pollFor(2 * POLL_MS);
  const used = processorTime(midroll.pid());
  const polling = performance.now();
  show('Watching', await pollFor(4 * POLL_MS));
  const share = (processorTime(midroll.pid()) - used) / (performance.now() - polling);
  say(`Processor: ${share.toFixed(2)} of a core, all threads.`);
  const after = residentBytes(midroll.pid());
  say(
    `Memory: ${megabytes(before)} before, ${megabytes(after)} after: ${Math.round((after - before) / VIEWERS)} bytes each.`,
  );

  connections.close();
  await midroll.kill();
  const starting = performance.now();
  await midroll.restart();
  say(`\nKilled; listens ${seconds(starting)} s after it is started again.`);
  connections = await connect();
  while ((await connections.get(paths[0]!)).status !== 200) await sleep(20);
  say(`The first playlist follows after ${seconds(starting)} s.`);
  show('The first poll of each', await pollFor(POLL_MS));
  show('Later', await pollFor(3 * POLL_MS));
  say(`Memory: ${megabytes(residentBytes(midroll.pid()))}.`);
  connections.close();
} finally {
  await midroll.close();
  await origin.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
