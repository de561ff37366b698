// SPDX-License-Identifier: Apache-2.0
// `npm run bench:vod-opening`: sessions of a two-hour film with twelve breaks and six renditions, from the request that opens
// one to the end of its first media playlist. A real server process on SQLite; an ad server that responds in 200 ms.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sqlAssets } from '../src/adapters/sql/channels/sqlAssets.ts';
import { openSqlite } from '../src/database.ts';
import { millis } from '../src/time/units.ts';
import { startMediaOrigin } from '../test/live/mediaOrigin.ts';
import { startMidroll } from '../test/live/midroll.ts';
import { makeSpot } from '../test/live/testVideos.ts';
import { startAds } from './startAds.ts';
import { film } from './vodPresentations.ts';

const SESSIONS = Number(process.env.BENCH_SESSIONS ?? 200);
const BREAKS = 12;
const AD_SECONDS = 10;
const CREATIVES = 4;
const AD_SERVER_MS = 200;
const FILM = 'http://127.0.0.1:9/film/master.m3u8';

const dataDir = mkdtempSync(join(tmpdir(), 'midroll-bench-'));
const sql = await openSqlite(dataDir);
await sqlAssets(sql).put(FILM, film().items[0]!.asset, millis(Date.now()));
await sql.close();
const origin = await startMediaOrigin();
const spots = await Promise.all(
  Array.from({ length: CREATIVES }, (_, index) => makeSpot(origin.folder, `spot${index}`, AD_SECONDS, 300 + index)),
);
const creatives = spots.map((path) => origin.url + path);
const ads = await startAds({ creatives, seconds: AD_SECONDS, ads: 2, latencyMs: AD_SERVER_MS });
const midroll = await startMidroll({
  ...{ DATA_DIR: dataDir, LOG_LEVEL: 'warn', EGRESS_ALLOW: '127.0.0.0/8' },
  // All viewers come from one address.
  ...{ SESSIONS_PER_ADDRESS: '0', SESSIONS_PER_CHANNEL: '0', CONNECTIONS_PER_ADDRESS: '0' },
});

/** Opens a session and reads one media playlist. @returns milliseconds, and the number of ads in it */
async function open(): Promise<{ ms: number; ads: number }> {
  const started = performance.now();
  const text = await (await fetch(`${midroll.liveUrl}/hls/film/master.m3u8?api-key=key`)).text();
  const media = /^([^#\s]+\.m3u8)$/m.exec(text)?.[1];
  if (media === undefined) throw new Error(text);
  const playlist = await (await fetch(`${midroll.liveUrl}/hls/film/${media}`)).text();
  return { ms: performance.now() - started, ads: playlist.split('X-AD-CREATIVE-SIGNALING').length - 1 };
}

try {
  const cuePoints = Array.from({ length: BREAKS }, (_, index) => ({ spliceTime: index * 600, maxDuration: 30 }));
  await midroll.create('playlists', {
    id: 'film',
    type: 'vod',
    status: 'enabled',
    contents: [{ url: FILM, cuePoints }],
  });
  await midroll.create('channels', {
    ...{ id: 'film', type: 'vod', state: 'enabled', apiKey: 'key', playlistId: 'film' },
    adSource: { url: `${ads.url}/0/vast?session=[SESSION_ID]&break=[BREAK_ID]` },
  });
  // The first viewers' ads are not ready: their creatives are being conditioned.
  for (let ready = 0; ready < CREATIVES; await sleep(500)) ready = (await open()).ads === 2 * BREAKS ? ready + 1 : 0;
  const times: number[] = [];
  for (let session = 0; session < SESSIONS; session += 1) {
    const { ms, ads } = await open();
    if (ads !== 2 * BREAKS) throw new Error(`The presentation has ${ads} ads; expected ${2 * BREAKS}.`);
    times.push(ms - AD_SERVER_MS);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(1);
  console.log(`${SESSIONS} sessions, ${2 * BREAKS} ads each, opened one after the other.`);
  console.log(
    `From opening to the first media playlist, without the ${AD_SERVER_MS} ms of the ad server: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms`,
  );
  for (const bug of midroll.bugs().slice(0, 5)) console.log(bug);
} finally {
  await midroll.close();
  ads.stop();
  await origin.close();
  rmSync(dataDir, { recursive: true, force: true });
}
