// SPDX-License-Identifier: Apache-2.0
// `npm run bench:live-channels`: what live channels cost, with viewers and without. One Midroll process for each number of channels,
// all of them measured in the same seconds, so that other work on the machine affects them alike. BENCH_CHANNELS: the numbers.
// BENCH_POSTGRES_URL: an empty database, for one number only; SQLite without it. BENCH_DELAY_MS: of the origins' responses.
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './harness/pairs.ts';
import { type Figures, type LiveNode, startLiveNode } from './liveNode.ts';
import { type LivePlayers, startPlayers } from './livePlayers.ts';

const SIZES = (process.env.BENCH_CHANNELS ?? '100,250,500').split(',').map(Number);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 6);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const DELAY_MS = Number(process.env.BENCH_DELAY_MS ?? 0);
const postgresUrl = process.env.BENCH_POSTGRES_URL;
/** Until all feeds are read at their own times and most of their code is compiled; and until they are idle again. */
const SETTLE_MS = 60_000;
const IDLE_MS = 75_000;
const MIB = 2 ** 20;

const idsOf = (count: number): string[] => Array.from({ length: count }, (_, index) => `c${index}`);
const row = (name: string, columns: readonly (string | number)[]) =>
  console.log(name.padEnd(34) + columns.map((column) => String(column).padStart(10)).join(''));

type Bench = { readonly channels: number; readonly node: LiveNode; readonly empty: Figures; readonly loaded: Figures };

async function openNode(channels: number): Promise<Bench> {
  const node = await startLiveNode({ delayMs: DELAY_MS, ...(postgresUrl && { postgresUrl }) });
  const empty = await node.figures();
  const { created, onAir } = await node.createChannels(channels);
  await sleep(1000);
  const loaded = await node.figures();
  const cpu = ((loaded.cpuMs - empty.cpuMs) / channels).toFixed(1);
  const requests = loaded.origin.playlists + loaded.origin.segments;
  console.log(
    `${channels} channels: created in ${created.toFixed(1)} s, on air after ${onAir.toFixed(1)} s; ${cpu} ms of CPU and ${(requests / channels).toFixed(1)} requests to the origin for each.`,
  );
  return { channels, node, empty, loaded };
}

/** What is used between two figures, a second. */
function between(before: Figures, after: Figures) {
  const seconds = (after.at - before.at) / 1000;
  const perSecond = (value: (figures: Figures) => number) => (value(after) - value(before)) / seconds;
  return {
    cpu: (after.cpuMs - before.cpuMs - before.collectedMs) / 10 / seconds,
    playlists: perSecond(({ origin }) => origin.playlists),
    unchanged: perSecond(({ origin }) => origin.unchanged),
    segments: perSecond(({ origin }) => origin.segments),
    entries: perSecond(({ entries }) => entries),
    written: perSecond(({ bytesWritten }) => bytesWritten) / 1024,
    after,
  };
}

async function measure(benches: readonly Bench[], name: string, watched: (channels: number) => number): Promise<void> {
  const rounds: ReturnType<typeof between>[][] = [];
  let before = await Promise.all(benches.map(({ node }) => node.figures()));
  for (let round = 0; round < ROUNDS; round += 1) {
    await sleep(SECONDS * 1000);
    const after = await Promise.all(benches.map(({ node }) => node.figures()));
    rounds.push(after.map((figures, index) => between(before[index]!, figures)));
    before = after;
  }
  for (const [index, { channels, empty }] of benches.entries()) {
    const of = (value: (one: ReturnType<typeof between>) => number) =>
      median(rounds.map((each) => value(each[index]!)));
    row(`${channels} channels, ${name}`, [
      ...[
        watched(channels),
        of(({ cpu }) => cpu).toFixed(1),
        ((of(({ cpu }) => cpu) * 10) / Math.max(1, watched(channels))).toFixed(2),
      ],
      ...[of(({ playlists }) => playlists).toFixed(1), of(({ unchanged }) => unchanged).toFixed(1)],
      ...[
        of(({ segments }) => segments).toFixed(1),
        of(({ entries }) => entries).toFixed(1),
        of(({ written }) => written).toFixed(0),
      ],
      ...[of(({ after }) => after.origin.sockets), of(({ after }) => after.sockets), of(({ after }) => after.timers)],
      ...[of(({ after }) => after.p50 - 10).toFixed(1), of(({ after }) => after.p99 - 10).toFixed(1)],
      ...[(of(({ after }) => after.heapUsed) / MIB).toFixed(1), (of(({ after }) => after.rss) / MIB).toFixed(0)],
      ((of(({ after }) => after.heapUsed) - empty.heapUsed) / 1024 / channels).toFixed(1),
    ]);
  }
}

const benches: Bench[] = [];
try {
  console.log(
    `Node ${process.version}, ${cpus().length} processors, load ${loadavg()[0]!.toFixed(1)}; ${ROUNDS} rounds of ${SECONDS} s.`,
  );
  for (const channels of SIZES) benches.push(await openNode(channels));
  console.log('');
  row('', [
    'watched',
    'CPU %',
    'ms/s each',
    'playlists',
    'not mod.',
    'segments',
    'entries',
    'KiB/s',
    'origin',
    'sockets',
    'timers',
    'p50 ms',
    'p99 ms',
    'heap MiB',
    'RSS MiB',
    'KiB each',
  ]);
  await measure(benches, 'never watched', () => 0);
  const players: LivePlayers[] = [];
  const opened: string[] = [];
  for (const share of [0.1, 1]) {
    for (const { node, channels } of benches) {
      const [from, to] = [share === 1 ? Math.round(channels / 10) : 0, Math.round(channels * share)];
      const began = performance.now();
      players.push(await startPlayers(node.midroll.liveUrl, idsOf(channels).slice(from, to)));
      opened.push(`${to - from} in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    }
    await sleep(SETTLE_MS);
    await measure(benches, `${share * 100} % watched`, (channels) => channels * share);
  }
  for (const one of players) await one.stop();
  const [polls, failed] = [
    players.reduce((sum, one) => sum + one.polls(), 0),
    players.reduce((sum, one) => sum + one.failed(), 0),
  ];
  await sleep(IDLE_MS);
  await measure(benches, 'idle again', () => 0);
  const { node, channels } = benches.at(-1)!;
  const began = performance.now();
  const since = () => ((performance.now() - began) / 1000).toFixed(1);
  await node.midroll.kill();
  await node.midroll.restart();
  const listening = since();
  const again = await startPlayers(node.midroll.liveUrl, idsOf(channels));
  console.log(
    `\n${channels} channels, process killed: listening after ${listening} s; ${channels} new viewers have their playlists after ${since()} s.`,
  );
  await again.stop();
  console.log(`Viewers of idle channels, 16 of whom started at a time, had their playlists: ${opened.join(', ')}.`);
  console.log(`Playlists of viewers: ${polls}, failed: ${failed}.`);
  for (const bench of benches) for (const bug of bench.node.midroll.bugs().slice(0, 3)) console.log(bug);
} finally {
  for (const { node } of benches) await node.close();
}
