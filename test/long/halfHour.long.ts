// SPDX-License-Identifier: Apache-2.0
// Half an hour of a channel in five players at once: no error may accumulate until one of them stops.

import { beforeAll, expect, test } from 'vitest';
import { expectSmoothPlayback } from '../browser/expectSmoothPlayback.ts';
import { openPlayers, playerFormats } from '../browser/players.ts';
import { openView } from '../live/openSession.ts';
import { airShortItems } from '../live/scenarios/twoViewers.ts';
import { openRealStage } from '../live/stage.ts';
import { opened } from '../opened.ts';

const LONG = 30 * 60;
const stage = await opened(openRealStage());
const players = await opened(openPlayers());
beforeAll(async () => {
  await airShortItems(stage);
  await stage.watch('short', { fetches: false });
});

test.concurrent.each(playerFormats)('%s plays the %s of it for half an hour', async (player, format) => {
  const mediaURL = await openView(stage.midroll.liveUrl, format, 'short');
  const report = await players.playUntil(player, mediaURL, ({ from, to }) => from !== null && to - from >= LONG, {
    timeoutMs: 2 * LONG * 1000,
  });
  expectSmoothPlayback(report);
  expect(report.to - report.from!).toBeGreaterThanOrEqual(LONG);
});

test('the log contains no bug', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
