// SPDX-License-Identifier: Apache-2.0
// One measurement of decisions: a real server process on SQLite, an ad server that responds in 200 ms with two ads, or steps: an ad
// server with one ad, a bidder and a house list. Viewers poll every two seconds. Breaks follow each other so closely that viewers are decided three quarters of the time.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startMediaOrigin } from '../../test/live/mediaOrigin.ts';
import { type MidrollProcess, startMidroll } from '../../test/live/midroll.ts';
import { makeVideo } from '../../test/live/testVideos.ts';
import {
  type Break,
  createChannel,
  makeSpots,
  nextBreaks,
  readReport,
  sleepUntil,
  UNLIMITED,
  untilServed,
  YOUNG_GENERATION,
} from '../channel.ts';
import { openAll, openConnections, percentile, pollUntil } from '../pollers.ts';
import { startAds } from '../startAds.ts';
import { type DecisionCost, decisionCost, type LoopReport } from './decisionCost.ts';

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

/** `full`: the share of viewers with two ads. */
export type MeasuredDecisions = DecisionCost & {
  readonly p99: number;
  readonly failed: number;
  readonly full: number;
};

export type Demanded = 'server' | 'steps';

/**
 * The second break that viewers who open the stream now are decided for. The first one warms up: a server is started once, and
 * decides for days.
 * @returns when it starts; the ads of all viewers are conditioned before the first one is decided
 */
async function measuredBreak(midroll: MidrollProcess): Promise<Break> {
  const breaks = await nextBreaks(midroll);
  const earliest = Date.now() + FIRST_DECIDED_MS + BREAK_SECONDS * 1000;
  return breaks[breaks.findIndex(({ startsAt }) => startsAt > earliest) + 1]!;
}

/** How many viewers were decided, and how many have two ads. */
function decidedIn(folder: string, breakId: string): { readonly all: number; readonly filled: number } {
  const db = new Database(join(folder, 'midroll.db'), { readonly: true });
  const { all, filled } = db
    .prepare(
      `select count(*) as "all", coalesce(sum(json_array_length(json_extract(body, '$.ads')) >= 2
       and json_extract(body, '$.ads[0].outcome') = 'stitched' and json_extract(body, '$.ads[1].outcome') = 'stitched'), 0) as filled
       from breaks where break_id = ?`,
    )
    .get(breakId) as { all: number; filled: number };
  db.close();
  return { all, filled };
}

/** @param program a bundle of src/main.ts */
export async function measureDecisions(
  program: string,
  viewers: number,
  demanded: Demanded = 'server',
): Promise<MeasuredDecisions> {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
  const origin = await startMediaOrigin();
  const video = await makeVideo(origin.folder, 'video', { seconds: CONTENT_SECONDS * CUES.length, qualities: 2 });
  const creatives = await makeSpots(origin, CREATIVES, AD_SECONDS);
  const ads = await startAds({ creatives, seconds: AD_SECONDS, ads: demanded === 'steps' ? 1 : 2, latencyMs: 200 });
  const house = creatives.slice(0, 1).map((url) => ({ url, title: 'House' }));
  const file = join(folder, 'report.json');
  const settings = {
    ...{ DATA_DIR: folder, LOG_LEVEL: 'warn', BENCH_REPORT: file, ...UNLIMITED },
    NODE_OPTIONS: `${YOUNG_GENERATION} --import ${new URL('./reportLoop.mjs', import.meta.url)}`,
  };
  let midroll: MidrollProcess | undefined;
  try {
    midroll = await startMidroll(settings, program);
    const cuePoints = CUES.map((spliceTime) => ({ spliceTime, maxDuration: BREAK_SECONDS }));
    await createChannel(midroll, {
      video: origin.url + video,
      cuePoints,
      adUrl: `${ads.url}/0`,
      ...(demanded === 'steps' && { steps: { house } }),
    });
    await untilServed(midroll);
    const { breakId, startsAt } = await measuredBreak(midroll);
    const connections = await openConnections(midroll.liveUrl, CONNECTIONS);
    const paths = await openAll(connections, viewers);
    const until = startsAt - NEXT_DECIDED_MS - 200;
    const polling = pollUntil(connections, paths, { every: POLL_MS, until, mostAge: 10_000 });
    const started = midroll;
    const reportAt = async (at: number) => {
      await sleepUntil(at);
      return readReport<LoopReport>(started, file);
    };
    const from = await reportAt(startsAt - FIRST_DECIDED_MS - END_MS);
    const to = await reportAt(startsAt - LAST_DECIDED_MS + END_MS);
    const end = await reportAt(until - 200);
    const { latencies, failed } = await polling;
    connections.close();
    const { all, filled } = decidedIn(folder, breakId);
    const cost = decisionCost({ from, to }, { from: to, to: end }, all);
    return { ...cost, p99: percentile(latencies, 0.99), failed, full: filled / viewers };
  } finally {
    ads.stop();
    await midroll?.close();
    await origin.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
