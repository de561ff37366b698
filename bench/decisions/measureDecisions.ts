// SPDX-License-Identifier: Apache-2.0
// One measurement of decisions: a real server process on SQLite, an ad server that responds in 200 ms with two ads, and viewers
// who poll every two seconds. Breaks follow each other so closely that viewers are decided three quarters of the time.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import Database from 'better-sqlite3';
import { startMediaOrigin } from '../../test/live/mediaOrigin.ts';
import { type MidrollProcess, startMidroll } from '../../test/live/midroll.ts';
import { makeSpot, makeVideo } from '../../test/live/testVideos.ts';
import { openConnections, openSession, pollUntil } from '../pollers.ts';
import { startAds } from '../startAds.ts';
import { type DecisionCost, decisionCost, type LoopReport } from './decisionCost.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const BREAK_SECONDS = 10;
const AD_SECONDS = 5;
const CREATIVES = 4;
const CONTENT_SECONDS = 14;
const CUES = Array.from({ length: 5 }, (_, index) => 2 + index * CONTENT_SECONDS);
const POLL_MS = 2000;
const CONNECTIONS = 64;
/** Before a break: when its first and its last viewer are decided. */
const FIRST_DECIDED_MS = 30_000;
const LAST_DECIDED_MS = 12_000;
/** Before a break: the first decision for the break after it. */
const NEXT_DECIDED_MS = FIRST_DECIDED_MS - (BREAK_SECONDS + CONTENT_SECONDS) * 1000;
/** Decisions take half a second. */
const END_MS = 1000;

export type MeasuredDecisions = DecisionCost & { readonly p99: number; readonly failed: number };

type Reporter = { readonly midroll: MidrollProcess; readonly file: string };

async function report({ midroll, file }: Reporter): Promise<LoopReport> {
  rmSync(file, { force: true });
  midroll.signal('SIGUSR2');
  while (!existsSync(file)) await sleep(5);
  return JSON.parse(readFileSync(file, 'utf8')) as LoopReport;
}

const sleepUntil = (at: number): Promise<void> => sleep(Math.max(0, at - Date.now()));

/**
 * The second break that viewers who open the stream now are decided for. The first one warms up: a server is started once, and
 * decides for days.
 * @returns when it starts; the ads of all viewers are conditioned before the first one is decided
 */
async function measuredBreak({
  api,
}: MidrollProcess): Promise<{ readonly breakId: string; readonly startsAt: number }> {
  const window = `from=${new Date().toISOString()}&to=${new Date(Date.now() + 120_000).toISOString()}`;
  const { json } = await api('GET', `/channels/bench/timeline?${window}`);
  const entries = json.entries as { kind: string; startsAt: string; breakId: string }[];
  const breaks = entries.filter(({ kind, startsAt }) => kind === 'break' && Date.parse(startsAt) > Date.now());
  const earliest = Date.now() + FIRST_DECIDED_MS + BREAK_SECONDS * 1000;
  const first = breaks.findIndex(({ startsAt }) => Date.parse(startsAt) > earliest);
  const { breakId, startsAt } = breaks[first + 1]!;
  return { breakId, startsAt: Date.parse(startsAt) };
}

/** @returns how many viewers were decided. @throws unless each has two ads */
function decidedIn(folder: string, breakId: string, viewers: number): number {
  const db = new Database(join(folder, 'midroll.db'), { readonly: true });
  const { all, filled } = db
    .prepare(
      `select count(*) as "all", coalesce(sum(json_array_length(json_extract(body, '$.ads')) = 2
       and json_extract(body, '$.ads[0].outcome') = 'stitched' and json_extract(body, '$.ads[1].outcome') = 'stitched'), 0) as filled
       from breaks where break_id = ?`,
    )
    .get(breakId) as { all: number; filled: number };
  db.close();
  if (filled < viewers) throw new Error(`Of ${viewers} viewers, ${all} were decided, and ${filled} got two ads.`);
  return all;
}

/** @param program a bundle of src/main.ts */
export async function measureDecisions(program: string, viewers: number): Promise<MeasuredDecisions> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
  const origin = await startMediaOrigin();
  const video = await makeVideo(origin.folder, 'video', { seconds: CONTENT_SECONDS * CUES.length, qualities: 2 });
  const spots = await Promise.all(
    Array.from({ length: CREATIVES }, (_, index) => makeSpot(origin.folder, `spot${index}`, AD_SECONDS, 300 + index)),
  );
  const creatives = spots.map((path) => origin.url + path);
  const ads = await startAds({ creatives, seconds: AD_SECONDS, ads: 2, latencyMs: 200 });
  const file = join(folder, 'report.json');
  const settings = {
    ...{ DATA_DIR: folder, LOG_LEVEL: 'warn', BENCH_REPORT: file },
    NODE_OPTIONS: `--max-semi-space-size=64 --import ${pathToFileURL(here('./reportLoop.mjs'))}`,
    // All viewers come from one address.
    ...{ SESSIONS_PER_ADDRESS: '0', SESSIONS_PER_CHANNEL: '0', CONNECTIONS_PER_ADDRESS: '0' },
  };
  let midroll: MidrollProcess | undefined;
  try {
    midroll = await startMidroll(settings, program);
    const cuePoints = CUES.map((spliceTime) => ({ spliceTime, maxDuration: BREAK_SECONDS }));
    await midroll.create('playlists', {
      ...{ id: 'bench', status: 'enabled', contents: [{ sourceType: 'url', url: origin.url + video, cuePoints }] },
    });
    await midroll.create('channels', {
      ...{ id: 'bench', state: 'enabled', apiKey: 'key', playlistId: 'bench', playlistSize: 20 },
      adSource: { url: `${ads.url}/0/vast?session=[SESSION_ID]&break=[BREAK_ID]&len=[BREAK_DURATION]` },
    });
    const connections = await openConnections(Number(new URL(midroll.liveUrl).port), CONNECTIONS);
    const open = () => openSession(connections);
    let first = await open();
    while (first === undefined) {
      await sleep(250);
      first = await open();
    }
    const { breakId, startsAt } = await measuredBreak(midroll);
    const opened = await Promise.all(Array.from({ length: viewers - 1 }, open));
    const until = startsAt - NEXT_DECIDED_MS - 200;
    const polling = pollUntil(connections, [first, ...(opened as string[])], {
      ...{ every: POLL_MS, until, mostAge: 10_000 },
    });
    const started = midroll;
    const reportAt = async (at: number) => {
      await sleepUntil(at);
      return report({ midroll: started, file });
    };
    const from = await reportAt(startsAt - FIRST_DECIDED_MS - END_MS);
    const to = await reportAt(startsAt - LAST_DECIDED_MS + END_MS);
    const end = await reportAt(until - 200);
    const { latencies, failed } = await polling;
    connections.close();
    const decisions = decidedIn(folder, breakId, viewers);
    const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? 0;
    return { ...decisionCost({ from, to }, { from: to, to: end }, decisions), p99, failed };
  } finally {
    ads.stop();
    await midroll?.close();
    await origin.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
