// SPDX-License-Identifier: Apache-2.0
// Five players watch a channel of two videos with three breaks each at the same time, through six breaks and two item changes.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callAdmin } from '../../demo/callAdmin.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { type DemoServers, startDemoServers } from '../servers/demoServers.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { openPlayers, type Players } from './players.ts';

const BREAKS = 6;
/** Six breaks, and seven intervals of content around them. */
const SPANS = 13;
const stops: (() => unknown)[] = [];
let servers: DemoServers;
let players: Players;

beforeAll(async () => {
  servers = await startDemoServers({ hasPrebuiltAds: true });
  const { midroll, api, origin, adServer, close } = servers;
  stops.push(close);
  const cuePoints = [0, 12, 22].map((spliceTime) => ({ spliceTime, maxDuration: 10, maxAds: 1 }));
  const urls = [`${origin}/tide/master.m3u8`, `${origin}/orbits/manifest.mpd`];
  const contents = urls.map((url) => ({ sourceType: 'url', url, cuePoints }));
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

type Break = { status: string; ads: { outcome: string }[] };
/** The breaks in the trace of this manifest's session. */
async function breaksOf(mediaURL: string): Promise<Break[]> {
  const { pathname } = new URL(mediaURL);
  const id = /[0-9a-f-]{36}/.exec(pathname)?.[0] ?? new URL(mediaURL).searchParams.get('sid');
  return (await callAdmin<{ breaks: Break[] }>(servers.api, 'GET', `/sessions/${id}`)).breaks;
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
    const opened = await fetch(`${servers.midroll.liveUrl}/${format}/view/live?api-key=k`);
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
