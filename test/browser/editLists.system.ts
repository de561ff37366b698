// SPDX-License-Identifier: Apache-2.0
// Content with B-frames as ffmpeg packages it by default: its edit list starts with an empty edit, which browsers ignore.
// Audio and video stay aligned nevertheless: no media is missing where breaks start and end.

import { beforeAll, expect, test } from 'vitest';
import { openView } from '../live/openSession.ts';
import { item, openRealStage } from '../live/stage.ts';
import { opened } from '../opened.ts';
import { expectSmoothPlayback } from './expectSmoothPlayback.ts';
import { openPlayers } from './players.ts';

/** Three videos and three breaks, which have five borders between them. */
const SPANS = 6;
const stage = await opened(openRealStage());
const players = await opened(openPlayers());
beforeAll(async () => {
  const video = await stage.video({ seconds: 8, isReordered: true, qualities: 2 });
  await stage.air('reordered', [item(video, { spliceTime: 4, maxDuration: 3 })]);
  await stage.watch('reordered', { fetches: false });
});

test('reports how much audio is missing in HLS', async () => {
  const { json } = await stage.midroll.api('GET', '/channels/reordered');
  const [{ warnings, cuePoints }] = json.items as [{ warnings: string[]; cuePoints: { landsAt: number }[] }];
  expect(cuePoints.map(({ landsAt }) => landsAt)).toEqual([4]);
  expect(warnings).toEqual([expect.stringMatching(/a0.*0\.080 s/)]);
});

test.concurrent.each(['shaka', 'dash.js', 'rx-player'] as const)('%s crosses each border in DASH', async (player) => {
  const mediaURL = await openView(stage.midroll.liveUrl, 'dash', 'reordered');
  const report = await players.playUntil(player, mediaURL, ({ spans }) => spans >= SPANS);
  expect(report.spans).toBeGreaterThanOrEqual(SPANS);
  // rx-player reports each place where audio and video do not end at the same time, and continues.
  expectSmoothPlayback({ ...report, errors: report.errors.filter(({ fatal }) => fatal) });
});
