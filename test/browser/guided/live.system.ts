// SPDX-License-Identifier: Apache-2.0
// Players that insert ads themselves play the breaks of a live origin, which announces them with markers.
// GUIDED_BREAKS=100 plays so many.
import { beforeAll, expect, test } from 'vitest';
import { untilPlaying } from '../../../demo/untilPlaying.ts';
import { airLive, offerAds, startOrigin } from '../../live/liveStage.ts';
import { apiKey } from '../../live/midroll.ts';
import { openView } from '../../live/openSession.ts';
import { openRealStage } from '../../live/stage.ts';
import { opened } from '../../opened.ts';
import { openPlayers } from '../players.ts';
import { colouredAds } from './colouredAds.ts';
import { expectInserted } from './insertedBreaks.ts';

const BREAKS = Number(process.env.GUIDED_BREAKS ?? 3);
const pod = { amber: 4, rose: 6 };
/** Seconds. */
const [EVERY, LENGTH] = [24, 10];

const stage = await opened(openRealStage());
const players = await opened(openPlayers());

beforeAll(async () => {
  const common = { breaks: { every: EVERY, seconds: LENGTH, first: 12, lead: 8 }, window: 15 };
  const origin = await startOrigin(stage, { ...common, hlsMarkers: 'daterange', dashMarkers: 'xml' });
  const ads = await colouredAds(stage, pod);
  for (const [id, sourceManifestUrl] of [
    ['hls', origin.hlsUrl],
    ['dash', origin.dashUrl],
  ] as const) {
    await airLive(stage, id, { sourceManifestUrl }, { insertion: 'guided' });
    await offerAds(stage, id, ads);
  }
  expect(await untilPlaying(`${stage.midroll.liveUrl}/hls/hls/master.m3u8?api-key=key`, 600)).toBe(true);
});

// One after the other: players that start an ad need the processor.
test.each([
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
] as const)(
  '%s inserts the breaks of a live origin in %s in their places',
  async (player, format) => {
    const mediaURL = await openView(stage.midroll.liveUrl, format, format);
    const api = { adminUrl: stage.midroll.adminUrl, apiKey };
    const content = 1000 * (EVERY - LENGTH);
    await expectInserted(players, player, { mediaURL, api, breaks: BREAKS, pod, content, isLate: format === 'dash' });
  },
  600_000 + BREAKS * 60_000,
);
