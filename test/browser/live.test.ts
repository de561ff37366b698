// SPDX-License-Identifier: Apache-2.0
// Five players watch a channel of two videos with three breaks each at the same time, through six breaks and two item changes.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdServer } from '../../demo/adServer.ts';
import { type MidrollProcess, startMidrollProcess } from '../../demo/midrollProcess.ts';
import { packagedFolder, startOrigin } from '../../demo/origin.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { openPlayers, type Players } from './players.ts';

const BREAKS = 6;
/** Six breaks, and seven intervals of content around them. */
const SPANS = 13;
const apiKey = 'test-key';
const stops: (() => unknown)[] = [];
let midroll: MidrollProcess;
let players: Players;

async function create(collection: string, record: object): Promise<void> {
  const response = await fetch(`${midroll.adminUrl}/api/v2/${collection}`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(record),
  });
  if (response.status !== 201) throw new Error(`${collection}: ${response.status} ${await response.text()}`);
}

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-players-'));
  stops.push(() => rmSync(dataDir, { recursive: true, maxRetries: 5 }));
  // The demo's prebuilt advertisements: an encoder would take processor time from the players.
  cpSync(packagedFolder, join(dataDir, 'prebuilt'), { recursive: true });
  const origin = await startOrigin(0);
  const adServer = await startAdServer(0, origin.url);
  midroll = await startMidrollProcess({ dataDir, apiKey });
  stops.push(origin.close, adServer.close, midroll.close);
  const cuePoints = [0, 12, 22].map((spliceTime) => ({ spliceTime, maxDuration: 10, maxAds: 1 }));
  const urls = [`${origin.url}/tide/master.m3u8`, `${origin.url}/orbits/manifest.mpd`];
  const contents = urls.map((url) => ({ sourceType: 'url', url, cuePoints }));
  await create('playlists', { id: 'videos', status: 'enabled', contents });
  const url = `${adServer.url}/vast?session=[SESSION_ID]&break=[BREAK_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`;
  await create('channels', { id: 'live', apiKey: 'k', state: 'enabled', playlistId: 'videos', adSource: { url } });
  expect(await untilPlaying(`${midroll.liveUrl}/hls/live/master.m3u8?api-key=k`, 600)).toBe(true);
  players = await openPlayers();
  stops.push(players.close);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

/** The breaks in the trace of this manifest's session. */
async function breaksOf(mediaURL: string): Promise<{ status: string; ads: { outcome: string }[] }[]> {
  const { pathname } = new URL(mediaURL);
  const id = /[0-9a-f-]{36}/.exec(pathname)?.[0] ?? new URL(mediaURL).searchParams.get('sid');
  const response = await fetch(`${midroll.adminUrl}/api/v2/sessions/${id}`, { headers: { 'x-api-key': apiKey } });
  return ((await response.json()) as { breaks: { status: string; ads: { outcome: string }[] }[] }).breaks;
}

test.concurrent.each([
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
  ['dash.js', 'dash'],
  ['rx-player', 'dash'],
] as const)(
  '%s plays %s through six breaks and two item changes without a stall',
  async (player, format) => {
    const opened = await fetch(`${midroll.liveUrl}/${format}/view/live?api-key=k`);
    const { mediaURL } = (await opened.json()) as { mediaURL: string };
    const filled = async () => (await breaksOf(mediaURL)).filter(({ status }) => status === 'filled');
    const hasSeenThem = async ({ spans }: { readonly spans: number }) =>
      spans >= SPANS && (await filled()).length >= BREAKS;
    const report = await players.playUntil(player, mediaURL, hasSeenThem);
    expectSmoothPlayback(report);
    expect(report.spans).toBeGreaterThanOrEqual(SPANS);
    expect((await filled()).length).toBeGreaterThanOrEqual(BREAKS);
  },
  600_000,
);
