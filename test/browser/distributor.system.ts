// SPDX-License-Identifier: Apache-2.0
// Real players, and ffprobe, read what a distributor gets of a linear channel with a schedule: markers in both dialects, breaks, an
// entry at its time, and a live programme.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { untilPlaying } from '../../demo/untilPlaying.ts';
import { startOrigin } from '../live/liveStage.ts';
import { adSource, item, openRealStage } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { openPlayers, playerFormats } from './players.ts';

const LIVE_SECONDS = 30;

const stage = await opened(openRealStage());
const players = await opened(openPlayers());
const urls = { hls: '', dash: '' };
let liveEnd = 0;

beforeAll(async () => {
  const [origin, film] = await Promise.all([startOrigin(stage), stage.video({ seconds: 40 })]);
  const filled = [item(film, { spliceTime: 4, maxDuration: 6 })];
  await stage.air('sold', filled, { adSource: adSource(stage.adHost, '/none'), markersOut: 'both' });
  const start = Math.ceil(Date.now() / 1000) * 1000 + 75_000;
  const iso = (after: number) => new Date(start + after * 1000).toISOString();
  liveEnd = start + LIVE_SECONDS * 1000;
  const live = { sourceManifestUrl: origin.hlsUrl, plannedDuration: LIVE_SECONDS };
  const entries = [
    { id: 'film', title: 'Film', start: iso(-46), source: { url: film }, breaks: [{ spliceTime: 8, maxDuration: 5 }] },
    { id: 'match', title: 'Match', start: iso(0), source: { live } },
    { id: 'rest', title: 'Rest', start: iso(LIVE_SECONDS), source: { url: film } },
  ];
  const planned = await stage.midroll.api('PUT', '/channels/sold/schedule', { entries });
  expect([planned.status, planned.json.warnings]).toEqual([200, []]);
  const { json } = await stage.midroll.api('POST', '/channels/sold/distributors', { name: 'Metro Cable' });
  for (const [format, file] of [
    ['hls', 'channel.m3u8'],
    ['dash', 'channel.mpd'],
  ] as const)
    urls[format] = `${stage.midroll.liveUrl}/${format}/sold/distributors/${json.key}/${file}`;
  expect(await untilPlaying(urls.hls, 600)).toBe(true);
});

test.concurrent.each(playerFormats)('%s plays it in %s until after the live programme', async (player, format) => {
  const report = await players.playUntil(player, urls[format], ({ date }) => (date ?? 0) > liveEnd + 3000);
  expectSmoothPlayback(report);
  expect(report.date).toBeGreaterThan(liveEnd);
});

test.concurrent('ffprobe reads its streams in both formats', async () => {
  const probe = (url: string) =>
    promisify(execFile)('ffprobe', ['-v', 'error', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', url]);
  for (const { stdout } of await Promise.all(Object.values(urls).map(probe)))
    expect(new Set(stdout.match(/\w+/g))).toEqual(new Set(['video', 'audio']));
});
