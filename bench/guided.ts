// SPDX-License-Identifier: Apache-2.0
// `npm run bench:guided`: what guided viewers of a channel cost behind a caching nginx (deploy/nginx/cluster.conf), against stitched
// ones: `midroll serve` on SQLite, two playlists a viewer, an ad server that responds in 200 ms. Real are `--viewers` (1,000) viewers;
// what depends on their number is measured per request and multiplied for 100,000. Midroll has the first processor, nginx and the
// viewers have the second. Takes four minutes.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findPrograms } from '../demo/cluster/programs.ts';
import { proxySpec } from '../demo/cluster/proxy.ts';
import { findFreePort } from '../demo/listen.ts';
import { scrape, sumOf } from '../test/metrics/readMetrics.ts';
import { endProcess } from '../test/servers/endProcess.ts';
import { type Break, sleepUntil } from './channel.ts';
import { joinOver } from './joiners.ts';
import { type Connections, latencyText, openAll, openConnections, pollUntil } from './pollers.ts';
import { prepare } from './process/measureProcess.ts';
import { openStage, pin, type Stage } from './process/stage.ts';
import { type ProcessorUse, useOf } from './scaling/processorTime.ts';

const { values } = parseArgs({ options: { viewers: { type: 'string' } } });
const VIEWERS = Number(values.viewers ?? 1000);
const ALL = 100_000;
/** The target duration: players read their playlists as often, and so learn of a break within it. */
const POLL_MS = 2000;
const PLAYLISTS = 2;
const QUIET_MS = 15_000;
const CONNECTIONS = 512;
/** From the first decision of a stitched break to the break (src/playback/viewers/breaks.ts). */
const DECIDING_MS = 31_000;
const OPENING_MS = 8000;
/** Over what a stitched break's decisions are spread (src/playback/viewers/breaks.ts). */
const SPREAD_MS = 18_000;

const count = (value: number, digits = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** nginx with one node behind it, without a log. */
async function startProxy({ midroll }: Stage) {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-nginx-'));
  const [livePort, adminPort] = [await findFreePort(0), await findFreePort(0)];
  const [live, admin] = [midroll.liveUrl, midroll.adminUrl].map((url) => [new URL(url).host]) as [string[], string[]];
  const place = { folder, livePort, adminPort, live, admin, logPort: 9, logFile: join(folder, 'log') };
  const { command } = proxySpec({ program: findPrograms().nginx, ...place });
  const file = join(folder, 'nginx.conf');
  const text = readFileSync(file, 'utf8').replace(/access_log syslog\S+ \w+;/g, 'access_log off;');
  writeFileSync(file, text.replace(/worker_connections \d+/, `worker_connections ${4 * CONNECTIONS}`));
  const child = spawn(command[0]!, command.slice(1), { stdio: 'inherit' });
  const liveUrl = `http://127.0.0.1:${livePort}`;
  while (!(await fetch(liveUrl).catch(() => undefined))) await sleep(50);
  const close = async () => {
    await endProcess(child, 'SIGTERM');
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  return { liveUrl, close };
}

/** Requests that Midroll got for playlists, by its own counters. */
async function playlistRequests({ midroll }: Stage): Promise<number> {
  const lines = await scrape(midroll.adminUrl);
  const of = (route: string) => sumOf(lines, 'midroll_live_request_seconds_count', { route });
  return of('channelMedia') + of('media');
}

type Used = ProcessorUse & { readonly playlists: number };

/** What Midroll uses while something happens. */
async function using<T>(stage: Stage, work: () => Promise<T>): Promise<Used & { readonly result: T }> {
  const requests = await playlistRequests(stage);
  const used = useOf(stage.midroll.pid());
  const result = await work();
  return { result, ...used(), playlists: (await playlistRequests(stage)) - requests };
}

const polling = { every: POLL_MS, mostAge: Number.POSITIVE_INFINITY };
const pollFor = (connections: Connections, paths: readonly string[], ms: number) =>
  pollUntil(connections, paths, { ...polling, until: Date.now() + ms });

const RUNGS = ['v0', 'a0'];

async function openGuided({ get }: Connections): Promise<string> {
  const { status, body } = await get('/hls/view/bench?api-key=key&insertion=guided');
  if (status !== 200) throw new Error(`Opening a guided session returned ${status}: ${body}`);
  return (JSON.parse(body) as { sessionId: string }).sessionId;
}

/** What a player requests of Midroll for the clips of a list, besides segments. */
async function readClips({ get }: Connections, list: string): Promise<number> {
  const { ASSETS } = JSON.parse(list) as { ASSETS: { URI: string }[] };
  const paths = ASSETS.flatMap(({ URI }) => {
    const { pathname } = new URL(URI);
    return [pathname, ...RUNGS.map((rung) => pathname.replace('.m3u8', `/${rung}.m3u8`))];
  });
  for (const path of paths) {
    const { status } = await get(path);
    if (status !== 200) throw new Error(`${path} returned ${status}`);
  }
  return paths.length;
}

async function measureGuided(stage: Stage, liveUrl: string, { breakId, startsAt }: Break) {
  await sleepUntil(startsAt - QUIET_MS - OPENING_MS);
  const connections = await openConnections(liveUrl, CONNECTIONS);
  const sessions = await Promise.all(Array.from({ length: VIEWERS }, () => openGuided(connections)));
  const shared = RUNGS.map((rung) => `/hls/bench/guided/${rung}.m3u8?api-key=key`);
  const polled = sessions.flatMap((sid) => shared.map((path) => `${path}&CMCD=sid%3D${sid}`));
  const quiet = await using(stage, () => pollFor(connections, polled, QUIET_MS));
  // A break is announced with its first segment.
  while (!(await connections.get(shared[0]!)).body.includes(`ID="${breakId}"`)) await sleep(100);
  const lists: string[] = [];
  const waiting = sessions.values();
  const read = async () => {
    const { status, body } = await connections.get(`/hls/bench/${waiting.next().value}/breaks/${breakId}.json`);
    if (status === 200) lists.push(body);
    return status === 200 ? body : undefined;
  };
  const decided = await using(stage, () => joinOver(read, VIEWERS, POLL_MS));
  const clips = await using(stage, async () => {
    let requests = 0;
    for (const list of lists) requests += await readClips(connections, list);
    return requests;
  });
  connections.close();
  return { quiet, decided, clips };
}

async function measureStitched(stage: Stage, liveUrl: string, { startsAt }: Break) {
  await sleepUntil(startsAt - DECIDING_MS - QUIET_MS - OPENING_MS);
  const connections = await openConnections(liveUrl, CONNECTIONS);
  const paths = (await openAll(connections, VIEWERS)).flatMap((path) =>
    RUNGS.map((rung) => path.replace(/\w+\.m3u8$/, `${rung}.m3u8`)),
  );
  const quiet = await using(stage, () => pollFor(connections, paths, QUIET_MS));
  const deciding = await using(stage, () => pollFor(connections, paths, startsAt - Date.now()));
  connections.close();
  return { quiet, deciding };
}

type Figures = {
  readonly guided: Awaited<ReturnType<typeof measureGuided>>;
  readonly stitched: Awaited<ReturnType<typeof measureStitched>>;
};

/** Midroll's processors for the polls of all viewers. A poll of a stitched viewer is Midroll's, so its cost is multiplied. */
function rowsOf({ guided, stitched }: Figures): string[][] {
  const polls = (ALL * PLAYLISTS * 1000) / POLL_MS;
  const perPoll = stitched.quiet.cpuMs / stitched.quiet.playlists;
  const decisionMs = (stitched.deciding.cpuMs - perPoll * stitched.deciding.playlists) / VIEWERS;
  const listMs = guided.decided.cpuMs / VIEWERS;
  const read = VIEWERS - guided.decided.result.failed;
  const clipsMs = guided.clips.cpuMs / read;
  const { quiet, decided, clips } = guided;
  const latencies = ({ latencies: all }: { readonly latencies: Float64Array }) => latencyText(all);
  return [
    [`${count(ALL)} viewers, ${PLAYLISTS} playlists every ${POLL_MS / 1000} s`, 'guided', 'stitched'],
    ['playlists a second (computed)', count(polls), count(polls)],
    ['of these, at Midroll (guided: measured)', count((1000 * quiet.playlists) / quiet.ms, 1), count(polls)],
    [
      'processors of Midroll for them',
      count(quiet.cpuMs / quiet.ms, 3),
      `${count((polls * perPoll) / 1000, 1)} (${count(1000 * perPoll, 1)} µs each)`,
    ],
    ['requests per viewer and break, without segments', count(1 + clips.result / read, 1), '0'],
    [
      'processor ms per viewer and break',
      `${count(listMs, 2)} list, ${count(clipsMs, 2)} playlists of clips`,
      `${count(decisionMs, 2)} decision`,
    ],
    [
      'processor s for a break of all viewers',
      count((ALL * (listMs + clipsMs)) / 1000),
      count((ALL * decisionMs) / 1000),
    ],
    [
      `processors to decide in time: within ${POLL_MS / 1000} s, stitched ${SPREAD_MS / 1000} s`,
      count((ALL * listMs) / POLL_MS),
      count((ALL * decisionMs) / SPREAD_MS),
    ],
    [`${count(VIEWERS)} real viewers: polls`, latencies(quiet.result), latencies(stitched.deciding.result)],
    [`lists, all within ${POLL_MS / 1000} s, ad server 200 ms`, latencies(decided.result), 'decided before'],
    ['failed', count(quiet.result.failed + decided.result.failed), count(stitched.deciding.result.failed)],
    [
      'other work on the processor of Midroll',
      ...[
        [quiet, decided, clips],
        [stitched.quiet, stitched.deciding],
      ].map((all) => {
        const sum = (of: (used: Used) => number) => all.reduce((total, used) => total + of(used), 0);
        return count(sum(({ otherMs }) => otherMs) / sum(({ ms }) => ms), 2);
      }),
    ],
  ];
}

pin(1, process.pid);
const stage = await openStage();
const proxy = await startProxy(stage);
try {
  const [first, second] = await prepare(stage, 2);
  const guided = await measureGuided(stage, proxy.liveUrl, first!);
  const stitched = await measureStitched(stage, proxy.liveUrl, second!);
  for (const [index, row] of rowsOf({ guided, stitched }).entries()) {
    console.log(`| ${row.join(' | ')} |`);
    if (index === 0) console.log('|---|---|---|');
  }
} finally {
  await proxy.close();
  await stage.close();
}
process.exit();
