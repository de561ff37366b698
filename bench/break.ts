// SPDX-License-Identifier: Apache-2.0
// `npm run bench:break`: 10,000 viewers of a channel reach one break. A real server process, an ad server that responds in
// 200 ms, players that poll every two seconds before and during the break, and 2,000 more who join meanwhile.
// `npm run bench:break -- --first-play`: the first viewer of an ad that no viewer has seen before (firstPlay.ts).
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { startMediaOrigin } from '../test/live/mediaOrigin.ts';
import { startMidroll } from '../test/live/midroll.ts';
import { makeSpot, makeVideo } from '../test/live/testVideos.ts';
import type { AdServerFigures } from './breakAdServer.ts';
import { joinOver } from './joiners.ts';
import { ageOfEdge, openConnections, openSession, pollUntil } from './pollers.ts';

if (process.argv.includes('--first-play')) {
  await import('./firstPlay.ts');
  process.exit();
}

const VIEWERS = Number(process.env.BENCH_VIEWERS ?? 10_000);
/** They open the stream within JOIN_MS, while the ads of the others are decided, and stay. */
const JOINERS = Number(process.env.BENCH_JOINERS ?? 2000);
const JOIN_MS = 10_000;
const JOIN_BEFORE_MS = 26_000;
const BREAK_SECONDS = 20;
const AD_SECONDS = 10;
const CREATIVES = 4;
const POLL_MS = 2000;
const CONNECTIONS = 128;
/** Two breaks. Only one viewer watches the first, for which the creatives are conditioned. */
const CUES = [24, 66];
const say = (text: string) => console.log(text);

const dataDir = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
const origin = await startMediaOrigin();
const video = await makeVideo(origin.folder, 'video', { seconds: 80, qualities: 2 });
const spots = await Promise.all(
  Array.from({ length: CREATIVES }, (_, index) => makeSpot(origin.folder, `spot${index}`, AD_SECONDS, 300 + index)),
);
const adServer = fork(
  fileURLToPath(new URL('./breakAdServer.ts', import.meta.url)),
  [JSON.stringify({ urls: spots.map((path) => origin.url + path), seconds: AD_SECONDS })],
  { execArgv: ['--import', 'tsx'] },
);
const told = <Message>() => new Promise<Message>((resolve) => adServer.once('message', resolve as () => void));
const { port: adPort } = await told<{ port: number }>();
const midroll = await startMidroll({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'warn',
  // All viewers come from one address.
  ...{ SESSIONS_PER_ADDRESS: '0', SESSIONS_PER_CHANNEL: '0', CONNECTIONS_PER_ADDRESS: '0' },
});

/** @param count of connections; the server closes those that are not used immediately */
async function openViewers(count: number) {
  const connections = await openConnections(Number(new URL(midroll.liveUrl).port), count);
  const open = () => openSession(connections);
  const openAndWatch = async () => {
    const path = await open();
    return path !== undefined && (await connections.get(path)).status === 200 ? path : undefined;
  };
  return { connections, open, openAndWatch };
}

const seconds = (from: number, to = Date.now()): string => ((to - from) / 1000).toFixed(1);
const percentile = (latencies: Float64Array, share: number): string =>
  (latencies[Math.floor(latencies.length * share)] ?? 0).toFixed(1);
const latencyText = (latencies: Float64Array): string =>
  `p50 ${percentile(latencies, 0.5)} ms, p99 ${percentile(latencies, 0.99)} ms, most ${percentile(latencies, 0.99999)} ms`;

try {
  const cuePoints = CUES.map((spliceTime) => ({ spliceTime, maxDuration: BREAK_SECONDS }));
  await midroll.create('playlists', {
    ...{ id: 'bench', status: 'enabled', contents: [{ sourceType: 'url', url: origin.url + video, cuePoints }] },
  });
  await midroll.create('channels', {
    ...{ id: 'bench', state: 'enabled', apiKey: 'key', playlistId: 'bench', playlistSize: 20 },
    adSource: { url: `http://127.0.0.1:${adPort}/?session=[SESSION_ID]&break=[BREAK_ID]&len=[BREAK_DURATION]` },
  });
  const one = await openViewers(1);
  let first = await one.open();
  while (first === undefined) {
    await sleep(250);
    first = await one.open();
  }
  const pathOfFirst = first;
  const warming = setInterval(() => void one.connections.get(pathOfFirst), POLL_MS);
  const window = `from=${new Date().toISOString()}&to=${new Date(Date.now() + 120_000).toISOString()}`;
  const { json } = await midroll.api('GET', `/channels/bench/timeline?${window}`);
  const breaks = (json.entries as { kind: string; startsAt: string; breakId: string }[]).filter(
    ({ kind, startsAt }) => kind === 'break' && Date.parse(startsAt) > Date.now(),
  );
  const { breakId, startsAt } = breaks[1]!;
  const starts = Date.parse(startsAt);
  // After the warm-up and before the first ad request.
  await sleep(Math.max(0, starts - 37_000 - Date.now()));
  clearInterval(warming);
  one.connections.close();
  const { connections, open, openAndWatch } = await openViewers(CONNECTIONS);

  const opened = Date.now();
  const paths = await Promise.all(Array.from({ length: VIEWERS }, open));
  say(`${VIEWERS} sessions opened in ${seconds(opened)} s, ${seconds(Date.now(), starts)} s before the break.`);
  const { body } = await connections.get(paths[0]!);
  const target = Number(/#EXT-X-TARGETDURATION:(\d+)/.exec(body)?.[1]);
  const until = starts + (BREAK_SECONDS + 4) * 1000;
  const mostAge = 1.5 * target * 1000;
  if (ageOfEdge(body, Date.now()) > mostAge) throw new Error(`the edge is late before the benchmark began:\n${body}`);
  const polling = { every: POLL_MS, until, mostAge };
  const joined = sleep(Math.max(0, starts - JOIN_BEFORE_MS - Date.now())).then(async () => {
    const arrived = await joinOver(openAndWatch, JOINERS, JOIN_MS);
    return { arrived, polled: await pollUntil(connections, arrived.paths, polling) };
  });
  const figures = await pollUntil(connections, paths as string[], polling);
  const { arrived, polled } = await joined;
  connections.close();
  adServer.send('figures');
  const asked = await told<AdServerFigures>();

  say(
    `\nPolls: ${figures.polls} (${Math.round(figures.polls / ((until - opened) / 1000))} a second), failed: ${figures.failed}`,
  );
  say(`Latency from when a poll was due: ${latencyText(figures.latencies)}`);
  say(`Late manifests (nothing new for more than ${mostAge} ms): ${figures.late}, of ${figures.lateSessions} viewers`);
  say(
    `\n${JOINERS} viewers joined within ${JOIN_MS / 1000} s, failed: ${arrived.failed}. Until their first playlist: ${latencyText(arrived.latencies)}`,
  );
  say(`Their polls: ${polled.polls}, failed: ${polled.failed}, late: ${polled.late}; ${latencyText(polled.latencies)}`);
  say(`The oldest live edge: ${Math.round(figures.oldest)} ms; target duration ${target} s`);
  say(
    `\nAd requests, by the second before the break (peak at once: ${asked.peak}; repeated for one viewer: ${asked.repeated}):`,
  );
  for (const [second, count] of Object.entries(asked.perSecond)) {
    const before = Math.round(starts / 1000 - Number(second));
    if (before < 37 && before > -5) say(`${String(before).padStart(5)} s ${String(count).padStart(6)}`);
  }
  const db = new Database(join(dataDir, 'midroll.db'), { readonly: true });
  const rows = db
    .prepare(
      `select json_extract(body, '$.status') as status, coalesce(json_extract(body, '$.reason.code'), '') as reason,
       count(*) as count from breaks where break_id = ? group by 1, 2 order by 3 desc`,
    )
    .all(breakId) as { status: string; reason: string; count: number }[];
  const { count } = db.prepare('select count(*) as count from decisions where break_id = ?').get(breakId) as {
    count: number;
  };
  db.close();
  say(`\nDecisions recorded: ${count} of ${VIEWERS + JOINERS}`);
  for (const row of rows) say(`  ${row.status} ${row.reason}: ${row.count}`);
  for (const bug of midroll.bugs().slice(0, 5)) say(bug);
} finally {
  adServer.kill();
  await midroll.close();
  await origin.close();
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
