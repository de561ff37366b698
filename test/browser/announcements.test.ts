// SPDX-License-Identifier: Apache-2.0
// Players report the breaks and ads that manifests announce to an application, without an SDK.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdServer } from '../../demo/adServer.ts';
import { type MidrollProcess, startMidrollProcess } from '../../demo/midrollProcess.ts';
import { packagedFolder, startOrigin } from '../../demo/origin.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { openPlayers, type Players } from './players.ts';

const apiKey = 'test-key';
const stops: (() => unknown)[] = [];
let midroll: MidrollProcess;
let players: Players;

const api = (path: string, record?: object) =>
  fetch(`${midroll.adminUrl}/api/v2/${path}`, {
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    ...(record === undefined ? {} : { method: 'POST', body: JSON.stringify(record) }),
  });

beforeAll(async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'midroll-announced-'));
  stops.push(() => rmSync(dataDir, { recursive: true, maxRetries: 5 }));
  // Two prebuilt advertisements: an encoder would take processor time from the players.
  cpSync(packagedFolder, join(dataDir, 'prebuilt'), { recursive: true });
  const origin = await startOrigin(0);
  const adServer = await startAdServer(0, origin.url);
  midroll = await startMidrollProcess({ dataDir, apiKey });
  stops.push(origin.close, adServer.close, midroll.close);
  const cuePoints = [0, 6, 12, 18, 24].map((spliceTime) => ({ spliceTime, maxDuration: 10, maxAds: 1 }));
  const contents = [{ sourceType: 'url', url: `${origin.url}/tide/master.m3u8`, cuePoints }];
  await api('playlists', { id: 'videos', status: 'enabled', contents });
  const url = `${adServer.url}/vast?session=[SESSION_ID]&break=[BREAK_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`;
  await api('channels', { id: 'live', apiKey: 'k', state: 'enabled', playlistId: 'videos', adSource: { url } });
  expect(await untilPlaying(`${midroll.liveUrl}/hls/live/master.m3u8?api-key=k`, 600)).toBe(true);
  players = await openPlayers();
  stops.push(players.close);
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});

type Trace = { breaks: { id: string; startsAt: string; duration: number; ads: TracedAd[] }[] };
type TracedAd = { adId: string; startsAt?: string; duration: number; outcome: string };

test.concurrent.each([
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
  ['dash.js', 'dash'],
  ['rx-player', 'dash'],
] as const)(
  '%s reports breaks and ads in %s with the ids of the trace, while they are on screen',
  async (player, format) => {
    const { mediaURL } = (await (await fetch(`${midroll.liveUrl}/${format}/view/live?api-key=k`)).json()) as {
      mediaURL: string;
    };
    // shaka reports its own ad events in addition, a moment earlier or later.
    const kinds = player === 'shaka' ? ['break', 'ad', 'shaka ad'] : ['break', 'ad'];
    const hasAllKinds = `${JSON.stringify(kinds)}.every((kind) => seen.announced.some((one) => one.kind === kind))`;
    const report = await players.playUntil(player, mediaURL, hasAllKinds);
    const session = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(mediaURL)![0];
    const { breaks } = (await (await api(`sessions/${session}`)).json()) as Trace;
    const ads = breaks.flatMap((one) => one.ads).filter(({ outcome }) => outcome === 'stitched');
    const announced = (kind: string) => report.announced.filter((one) => one.kind === kind);
    expect(report.errors).toEqual([]);
    expect(announced('ad').length, JSON.stringify(report)).toBeGreaterThanOrEqual(1);
    for (const { id, at } of announced('ad')) {
      const ad = ads.find(({ adId }) => adId === id)!;
      const into = (at! - Date.parse(ad.startsAt!)) / 1000;
      expect(into, `${id} of ${JSON.stringify(ads)}`).toBeGreaterThan(-0.5);
      expect(into).toBeLessThan(ad.duration + 0.5);
    }
    const ids = breaks.map(({ id }) => id);
    for (const { id } of announced('ad'))
      expect(announced('break').map((one) => one.id)).toContain(String(id).replace(/-\d+$/, ''));
    // A viewer who joins near the end of a break sees it announced, but it is not in their trace.
    for (const { id } of announced('break').slice(1)) expect(ids).toContain(id);
    // shaka's own ad events are enough for an application that shows "Ad".
    if (player === 'shaka') expect(announced('shaka ad').length).toBeGreaterThanOrEqual(1);
  },
);
