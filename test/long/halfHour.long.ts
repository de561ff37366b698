// SPDX-License-Identifier: Apache-2.0
// Half an hour of a channel in five players at once: no error may accumulate until one of them stops.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSmoothPlayback } from '../browser/expectSmoothPlayback.ts';
import { openPlayers, type Players } from '../browser/players.ts';
import { airShortItems } from '../live/scenarios/twoViewers.ts';
import { openRealStage, type Stage } from '../live/stage.ts';

const LONG = 30 * 60;
let stage: Stage;
let players: Players;
beforeAll(async () => {
  stage = await openRealStage();
  await airShortItems(stage);
  await stage.watch('short', { fetches: false });
  players = await openPlayers();
});
afterAll(async () => {
  await players?.close();
  await stage?.close();
});

test.concurrent.each([
  ['hls.js', 'hls'],
  ['shaka', 'hls'],
  ['shaka', 'dash'],
  ['dash.js', 'dash'],
  ['rx-player', 'dash'],
] as const)('%s plays the %s of it for half an hour', async (player, format) => {
  const opened = await fetch(`${stage.midroll.liveUrl}/${format}/view/short?api-key=key`);
  const { mediaURL } = (await opened.json()) as { mediaURL: string };
  const report = await players.playUntil(player, mediaURL, ({ from, to }) => from !== null && to - from >= LONG, {
    timeoutMs: 2 * LONG * 1000,
  });
  expectSmoothPlayback(report);
  expect(report.to - report.from!).toBeGreaterThanOrEqual(LONG);
});

test('the log contains no bug', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
