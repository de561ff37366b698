// SPDX-License-Identifier: Apache-2.0
// `midroll serve` on SQLite with one channel, its origin, and an ad server that also receives the beacons. A break of two ads every
// two minutes: both of the ad server, or in steps one of the ad server and one of a bidder.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { startMediaOrigin } from '../../test/live/mediaOrigin.ts';
import { startMidroll } from '../../test/live/midroll.ts';
import { makeVideo } from '../../test/live/testVideos.ts';
import { createChannel, makeSpots, UNLIMITED, YOUNG_GENERATION } from '../channel.ts';
import { startAds } from '../startAds.ts';

const ADS = 2;
const AD_SECONDS = 10;
/** Of one rendition. */
export const SEGMENTS_PER_AD = AD_SECONDS / 2;
const BREAK_SECONDS = ADS * AD_SECONDS;
const CONTENT_SECONDS = 100;
export const CYCLE_MS = 1000 * (CONTENT_SECONDS + BREAK_SECONDS);
/** From the start of a break until its last segments were requested, and their beacons sent. */
export const PLAYED_MS = 1000 * BREAK_SECONDS + 8000;
/** Of the first break, for which creatives are conditioned. */
const CUE_SECONDS = 32;
const CREATIVES = 4;
const LATENCY_MS = 200;

export type Outcome = { readonly status: string; readonly reason: string; readonly count: number };

/** Moves all threads of a process to a processor. What it starts later follows. */
export const pin = (processor: 0 | 1, pid: number): void =>
  void execFileSync('taskset', ['-a', '-cp', String(processor), String(pid)], { stdio: 'ignore' });

export type Stage = Awaited<ReturnType<typeof openStage>>;

/** @param hasSteps whether the channel requests an ad server, a bidder and a house list in steps */
export async function openStage(hasSteps = false) {
  const folder = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
  const origin = await startMediaOrigin();
  const video = await makeVideo(origin.folder, 'video', { seconds: CONTENT_SECONDS, qualities: 2 });
  const creatives = await makeSpots(origin, CREATIVES, AD_SECONDS);
  const ads = await startAds({ creatives, seconds: AD_SECONDS, ads: hasSteps ? 1 : ADS, latencyMs: LATENCY_MS });
  const midroll = await startMidroll({ DATA_DIR: folder, NODE_OPTIONS: YOUNG_GENERATION, ...UNLIMITED });
  pin(0, midroll.pid());
  return {
    midroll,
    ads: () => ads.figures(0),
    createChannel(): Promise<void> {
      const cuePoints = [{ spliceTime: CUE_SECONDS, maxDuration: BREAK_SECONDS }];
      const house = [{ url: creatives[0]!, title: 'House' }];
      const steps = hasSteps ? { steps: { house } } : {};
      return createChannel(midroll, { video: origin.url + video, cuePoints, adUrl: `${ads.url}/0`, ...steps });
    },
    /** How a break was filled, of all viewers. */
    outcomes(breakId: string): Outcome[] {
      const db = new Database(join(folder, 'midroll.db'), { readonly: true });
      const rows = db
        .prepare(
          `select json_extract(body, '$.status') as status, coalesce(json_extract(body, '$.reason.code'), '') as reason,
           count(*) as count from breaks where break_id = ? group by 1, 2 order by 3 desc`,
        )
        .all(breakId) as Outcome[];
      db.close();
      return rows;
    },
    async close(): Promise<void> {
      ads.stop();
      await midroll.close();
      await origin.close();
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
