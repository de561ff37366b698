// SPDX-License-Identifier: Apache-2.0
// Players report the breaks and ads that manifests announce to an application, without an SDK.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { type DemoServers, startDemoServers } from '../servers/demoServers.ts';
import { openPlayers, type Players } from './players.ts';

const stops: (() => unknown)[] = [];
let servers: DemoServers;
let players: Players;

beforeAll(async () => {
  servers = await startDemoServers({ hasPrebuiltAds: true });
  const { midroll, api, origin, adServer, close } = servers;
  stops.push(close);
  const cuePoints = [0, 6, 12, 18, 24].map((spliceTime) => ({ spliceTime, maxDuration: 10, maxAds: 1 }));
  const contents = [{ sourceType: 'url', url: `${origin}/tide/master.m3u8`, cuePoints }];
  await callAdmin(api, 'POST', '/playlists', { id: 'videos', status: 'enabled', contents });
  const url = `${adServer}/vast?session=[SESSION_ID]&break=[BREAK_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`;
  await callAdmin(api, 'POST', '/channels', {
    id: 'live',
    apiKey: 'k',
    state: 'enabled',
    playlistId: 'videos',
    adSource: { url },
  });
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
    const { mediaURL } = (await (await fetch(`${servers.midroll.liveUrl}/${format}/view/live?api-key=k`)).json()) as {
      mediaURL: string;
    };
    // shaka reports its own ad events in addition, a moment earlier or later.
    const kinds = player === 'shaka' ? ['break', 'ad', 'shaka ad'] : ['break', 'ad'];
    const hasAllKinds = `${JSON.stringify(kinds)}.every((kind) => seen.announced.some((one) => one.kind === kind))`;
    const report = await players.playUntil(player, mediaURL, hasAllKinds);
    const session = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(mediaURL)![0];
    const { breaks } = await callAdmin<Trace>(servers.api, 'GET', `/sessions/${session}`);
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
