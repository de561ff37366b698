// SPDX-License-Identifier: Apache-2.0
// Linear channels for players: videos of the demo in a loop, with breaks, each of one ad of four seconds by default.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import type { AdminAccess } from '../../demo/callAdmin.ts';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import type { Channel } from '../../src/channels/channel.ts';
import type { Ad } from '../live/adHost.ts';
import { apiKey } from '../live/midroll.ts';
import { openView } from '../live/openSession.ts';
import { adSource, openRealStage, type Stage } from '../live/stage.ts';
import { startShortVideos } from './shortVideos.ts';

const oneAd = async (stage: Stage): Promise<readonly Ad[]> => [{ id: 'spot', seconds: 4, url: await stage.spot(4) }];

type LinearOptions = {
  /** Their settings by their ids. All of them play the same playlist. */
  readonly channels: Readonly<Record<string, Partial<Channel>>>;
  /** Paths at the origin of the demo. */
  readonly videos?: readonly string[];
  /** The length of each video, in seconds. */
  readonly seconds?: number;
  /** Where the breaks of each video start, in seconds. */
  readonly cuePoints?: readonly number[];
  /** Of each break. */
  readonly ads?: (stage: Stage) => Promise<readonly Ad[]>;
  /** Seconds of each break that the ads leave. */
  readonly slate?: number;
};

export type LinearServers = {
  readonly api: AdminAccess;
  /** Opens a session of a channel. @returns the URL of its manifest */
  open(channel: string, format: 'hls' | 'dash'): Promise<string>;
  close(): Promise<void>;
};

/** Resolves when the ads are conditioned for a channel. */
async function untilPrepared({ midroll, adHost }: Stage, channel: string): Promise<void> {
  const vastUrl = `${adHost.url}/ads`;
  expect((await midroll.api('POST', '/assets', { vastUrl, channels: [channel] })).status).toBe(202);
  for (let state = 'waiting'; state !== 'ready'; await sleep(250)) {
    const { json } = await midroll.api('GET', `/assets?channel=${channel}`);
    const states: string[] = json.map((one: { state: string }) => one.state);
    for (const each of states) expect(['waiting', 'preparing', 'ready']).toContain(each);
    state = states.find((each) => each !== 'ready') ?? 'ready';
  }
}

/** @returns once all channels are on air and have their ads */
export async function startLinearServers({
  channels,
  videos = ['tide/master.m3u8'],
  seconds = 32,
  cuePoints = [0, 12, 22],
  ads = oneAd,
  slate = 0,
}: LinearOptions): Promise<LinearServers> {
  const stage = await openRealStage();
  try {
    const { midroll, adHost } = stage;
    const origin = await startShortVideos(seconds);
    stage.onClose(origin.close);
    const pod = await ads(stage);
    adHost.offer('/ads', () => pod);
    const maxDuration = pod.reduce((sum, { seconds: length }) => sum + length, slate);
    const breaks = cuePoints.map((spliceTime) => ({ spliceTime, maxDuration, maxAds: pod.length }));
    const contents = videos.map((path) => ({ sourceType: 'url', url: `${origin.url}/${path}`, cuePoints: breaks }));
    await midroll.create('playlists', { id: 'videos', status: 'enabled', contents });
    for (const [id, settings] of Object.entries(channels)) {
      await midroll.create('channels', {
        id,
        apiKey: 'k',
        state: 'enabled',
        playlistId: 'videos',
        adSource: adSource(adHost, '/ads'),
        ...settings,
      });
      expect(await untilPlaying(`${midroll.liveUrl}/hls/${id}/master.m3u8?api-key=k`, 600)).toBe(true);
      await untilPrepared(stage, id);
    }
    return {
      api: { adminUrl: midroll.adminUrl, apiKey },
      open: (id, format) => openView(midroll.liveUrl, format, id, 'k'),
      close: stage.close,
    };
  } catch (error) {
    await stage.close();
    throw error;
  }
}
