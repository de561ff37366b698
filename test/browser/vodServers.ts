// SPDX-License-Identifier: Apache-2.0
// A VoD channel for players: eight seconds of each video of the demo, with ads of ten seconds before, between and after them. What is
// between two borders has two segments at least, because of video.js (docs/players.md).
import { callAdmin } from '../../demo/callAdmin.ts';
import { type DemoServers, startDemoServers } from '../servers/demoServers.ts';
import type { VodView } from '../vod/watchVod.ts';
import { startShortVideos } from './shortVideos.ts';

/** Of each video. */
const SECONDS = 8;

export const CONTENT = 3 * SECONDS;
const AD = 10;
/** The stream times at which ads start and end. */
export const BREAKS = [0, 22, 44].map((start) => [start, start + AD] as const);
export const TOTAL = CONTENT + BREAKS.length * AD;

/** What is shown from a stream time on: the id of its Period, and a part of the URLs of its segments. */
export const SPANS = [
  { start: 0, period: '0-1-0', folder: '0-1-0' },
  { start: 10, period: 'c1', folder: 'tide' },
  { start: 18, period: 'c2', folder: 'orbits' },
  { start: 22, period: '0-2-0', folder: '0-2-0' },
  { start: 32, period: 'c4', folder: 'orbits' },
  { start: 36, period: 'c5', folder: 'hills' },
  { start: 44, period: '0-3-0', folder: '0-3-0' },
];

export type VodServers = DemoServers & {
  /** Opens a session of a channel, `films` or `skipping`. */
  open(channel: string, format: 'hls' | 'dash', query?: string): Promise<VodView>;
};

export async function startVodServers(): Promise<VodServers> {
  const [servers, videos] = await Promise.all([startDemoServers({ hasPrebuiltAds: true }), startShortVideos(SECONDS)]);
  const { api, midroll, adServer } = servers;
  const cue = (spliceTime: number) => [{ spliceTime, maxDuration: AD, maxAds: 1 }];
  const film = (path: string, spliceTime: number) => ({
    sourceType: 'url',
    url: videos.url + path,
    cuePoints: cue(spliceTime),
  });
  const contents = [film('/tide/master.m3u8', 0), film('/orbits/manifest.mpd', 4), film('/hills/master.m3u8', -1)];
  await callAdmin(api, 'POST', '/playlists', { id: 'films', type: 'vod', status: 'enabled', contents });
  const adSource = {
    url: `${adServer}/vast?viewer=[SESSION_ID]&break=[BREAK_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`,
  };
  const channel = { type: 'vod', state: 'enabled', apiKey: 'k', playlistId: 'films', adSource, vodBudgetMs: 20_000 };
  await callAdmin(api, 'POST', '/channels', { id: 'films', ...channel });
  await callAdmin(api, 'POST', '/channels', { id: 'skipping', resumePolicy: 'skip', ...channel });
  return {
    ...servers,
    async open(id, format, query = '') {
      const response = await fetch(`${midroll.liveUrl}/${format}/view/${id}?api-key=k${query}`);
      if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`);
      return (await response.json()) as VodView;
    },
    async close() {
      await servers.close();
      await videos.close();
    },
  };
}
