// SPDX-License-Identifier: Apache-2.0
// Sound and picture stay together over breaks, as Chromium plays them: content, ads and slate with a flash and a beep each second,
// measured at the output. Sound that comes earlier with each break has lost time at its borders.

import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { isThorough } from '../lawRuns.ts';
import { airLive, startOrigin } from '../live/liveStage.ts';
import { openView } from '../live/openSession.ts';
import { flashSource } from '../live/origin/media/mediaLoop.ts';
import { adSource, item, openRealStage } from '../live/stage.ts';
import { encodeOnce } from '../media/encodeOnce.ts';
import { opened } from '../opened.ts';
import { openPlayers, type PlayerName } from './players.ts';

const BREAKS = isThorough ? 100 : 5;
/**
 * Of a break with two ads and slate, and of the content before it. Ads and slate have two segments each, because of video.js
 * (docs/players.md).
 */
const [BREAK, CONTENT, AD] = [12, 4, 4];
/** Milliseconds by which sound may get earlier or later than the picture (EBU R37). */
const [EARLY, LATE] = [40, 60];

const x264 = '-c:v libx264 -preset ultrafast -g 50 -keyint_min 50 -sc_threshold 0 -bf 0'.split(' ');

const stage = await opened(openRealStage());
const players = await opened(openPlayers());
beforeAll(async () => {
  const { origin, adHost, midroll } = stage;
  const film = ['-pix_fmt', 'yuv420p', ...x264, '-c:a', 'aac', '-ac', '2'];
  const sets = ['-f', 'dash', '-seg_duration', '2', '-hls_playlist', '1', 'manifest.mpd'];
  await encodeOnce(join(origin.folder, 'film'), [...flashSource(20, '320x180', '25', 48_000), ...film, ...sets]);
  await encodeOnce(origin.folder, [...flashSource(AD, '320x180', '25', 48_000), ...film, 'spot.mp4']);
  const spot = `${origin.url}/spot.mp4`;
  const ads = [1, 2].map((sequence) => ({ id: `spot${sequence}`, seconds: AD, url: spot, sequence }));
  for (const path of ['/ads', '/live']) adHost.offer(path, () => ads);
  const cues = [4, 8, 12, 16].map((spliceTime) => ({ spliceTime, maxDuration: BREAK, maxAds: 2 }));
  const source = { adSource: adSource(adHost, '/ads') };
  await stage.air('linear', [item(`${origin.url}/film/manifest.mpd`, ...cues)], source);
  const live = { media: 'flashes', window: 15, hlsMarkers: 'daterange', dashMarkers: 'xml' } as const;
  const breaks = { every: BREAK + CONTENT, seconds: BREAK, first: 12, lead: 6 };
  const [broken, whole] = await Promise.all([
    startOrigin(stage, { ...live, breaks }),
    startOrigin(stage, { ...live, breaks: { every: 0, seconds: BREAK } }),
  ]);
  const { hlsUrl: sourceManifestUrl, dashUrl: sourceDashUrl } = broken;
  await airLive(stage, 'live', { sourceManifestUrl, sourceDashUrl });
  await airLive(stage, 'control', { sourceManifestUrl: whole.hlsUrl, sourceDashUrl: whole.dashUrl });
  for (const id of ['linear', 'live', 'control'])
    expect(await untilPlaying(`${midroll.liveUrl}/hls/${id}/master.m3u8?api-key=key`, 600)).toBe(true);
  for (const channel of ['linear', 'live']) {
    await midroll.api('POST', '/assets', { vastUrl: `${adHost.url}/ads`, channels: [channel] });
    const states = async () => {
      const { json } = await midroll.api('GET', `/assets?channel=${channel}`);
      return json.map(({ state }: { state: string }) => state);
    };
    while (!/^ready(,ready)*$/.test((await states()).join())) await stage.clock.sleep(250);
  }
}, 300_000);

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
/** Beeps of which the median counts. */
const ROUND = 12;

const cases: readonly (readonly [PlayerName, 'hls' | 'dash', string])[] = [
  ['hls.js', 'hls', 'control'],
  ['hls.js', 'hls', 'live'],
  ['video.js', 'hls', 'live'],
  ['shaka', 'hls', 'control'],
  ['shaka', 'hls', 'live'],
  ['shaka', 'dash', 'live'],
  ['dash.js', 'dash', 'live'],
  ['hls.js', 'hls', 'linear'],
  ['shaka', 'hls', 'linear'],
  ['video.js', 'hls', 'linear'],
  ['shaka', 'dash', 'linear'],
  ['dash.js', 'dash', 'linear'],
];

test.concurrent.each(cases)(
  '%s plays the %s of %s with sound and picture together',
  async (player, format, channel) => {
    const mediaURL = await openView(stage.midroll.liveUrl, format, channel);
    const seconds = BREAKS * (BREAK + CONTENT);
    const report = await players.playUntil(player, mediaURL, ({ watched }) => watched >= seconds, {
      hears: true,
      timeoutMs: 3000 * seconds,
    });
    const lates = report.heard.map(({ late }) => late);
    expect(lates.length).toBeGreaterThan(2 * ROUND);
    // What is measured at first is the delay of the browser and of a busy machine.
    const [first, last] = [median(lates.slice(0, ROUND)), median(lates.slice(-ROUND))];
    const gained = last - first;
    console.log(`| ${player} ${format} ${channel} | ${first.toFixed(0)} ms | ${last.toFixed(0)} ms |`);
    expect(gained).toBeGreaterThan(-EARLY);
    expect(gained).toBeLessThan(LATE);
  },
  3_000_000,
);
