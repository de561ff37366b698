// SPDX-License-Identifier: Apache-2.0
// Linear channels for players: videos of the demo in a loop, with breaks of one ad of ten seconds.
import { callAdmin } from '../../demo/callAdmin.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import type { Channel } from '../../src/channels/channel.ts';
import { type DemoServers, startDemoServers } from '../servers/demoServers.ts';

type LinearOptions = {
  /** Their settings by their ids. All of them play the same playlist. */
  readonly channels: Readonly<Record<string, Partial<Channel>>>;
  /** Paths at the origin of the demo. */
  readonly videos?: readonly string[];
  /** Where the breaks of each video start, in seconds. */
  readonly cuePoints?: readonly number[];
};

export type LinearServers = DemoServers & {
  /** Opens a session of a channel. @returns the URL of its manifest */
  open(channel: string, format: 'hls' | 'dash'): Promise<string>;
};

/** @returns once all channels are on air */
export async function startLinearServers({
  channels,
  videos = ['tide/master.m3u8'],
  cuePoints = [0, 12, 22],
}: LinearOptions): Promise<LinearServers> {
  const servers = await startDemoServers({ hasPrebuiltAds: true });
  const { midroll, api, origin, adServer } = servers;
  const breaks = cuePoints.map((spliceTime) => ({ spliceTime, maxDuration: 10, maxAds: 1 }));
  const contents = videos.map((path) => ({ sourceType: 'url', url: `${origin}/${path}`, cuePoints: breaks }));
  const url = `${adServer}/vast?session=[SESSION_ID]&break=[BREAK_ID]&duration=[BREAK_DURATION]&max=[BREAK_MAX_ADS]`;
  try {
    await callAdmin(api, 'POST', '/playlists', { id: 'videos', status: 'enabled', contents });
    for (const [id, settings] of Object.entries(channels)) {
      const channel = { id, apiKey: 'k', state: 'enabled', playlistId: 'videos', adSource: { url }, ...settings };
      await callAdmin(api, 'POST', '/channels', channel);
      if (!(await untilPlaying(`${midroll.liveUrl}/hls/${id}/master.m3u8?api-key=k`, 600)))
        throw new Error(`Channel ${id} is not on air.`);
    }
  } catch (error) {
    await servers.close();
    throw error;
  }
  return {
    ...servers,
    async open(id, format) {
      const response = await fetch(`${midroll.liveUrl}/${format}/view/${id}?api-key=k`);
      if (!response.ok) throw new Error(`${id}: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { mediaURL: string }).mediaURL;
    },
  };
}
