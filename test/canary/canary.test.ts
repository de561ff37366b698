// SPDX-License-Identifier: Apache-2.0
// The shortest test that shows whether Midroll plays: one of two nodes is killed while viewers follow a channel, an HLS and a
// DASH player play through a break in Chromium, and a page of the console shows the channel. How smoothly players play is
// judged by `npm run test:system`.

import { beforeAll, expect, test } from 'vitest';
import { connectChromium } from '../browser/connectChromium.ts';
import { openPlayers } from '../browser/players.ts';
import { sendToAnyOf } from '../live/anyNode.ts';
import { offerSpots } from '../live/liveStage.ts';
import { edgeOf } from '../live/liveTruth.ts';
import { apiKey, startMidroll } from '../live/midroll.ts';
import { openView } from '../live/openSession.ts';
import { adSource, item, openStageOf, type TracedBreak, titlesOf } from '../live/stage.ts';
import { opened, scratchFolder } from '../opened.ts';
import { seededRandom } from '../seededRandom.ts';
import { createDatabase } from '../servers/postgresDatabase.ts';

const dataDir = scratchFolder();
/** Of the break, in seconds. */
const LENGTH = 4;

const database = await opened(createDatabase());
const settings = { DATABASE_URL: database.url, DATA_DIR: dataDir };
const nodes = [await opened(startMidroll(settings)), await opened(startMidroll(settings))] as const;
const stage = await opened(openStageOf(nodes[1]));
const players = await opened(openPlayers());
beforeAll(async () => {
  const video = await stage.video({ seconds: 8 });
  const cue = { spliceTime: 4, maxDuration: LENGTH };
  await stage.air('canary', [item(video, cue)], { name: 'The canary', adSource: adSource(stage.adHost, '/canary') });
  await offerSpots(stage, 'canary');
});

/** Breaks of a session in which an ad is shown, as the start of each in milliseconds since 1970. */
async function filledBreaks(session: string): Promise<number[]> {
  const { json } = await nodes[1].api('GET', `/sessions/${session}`);
  const filled = json.breaks.filter((one: TracedBreak) => titlesOf(one).includes('Ad four'));
  return filled.map(({ startsAt }: { startsAt: string }) => Date.parse(startsAt));
}

test('viewers follow the channel through a break while one of two nodes is killed', async () => {
  const send = sendToAnyOf(nodes, seededRandom(1));
  const watching = { send, isTimed: false, fetches: 'ours' } as const;
  const viewers = await Promise.all([
    stage.watch('canary', { ...watching, dash: false }),
    stage.watch('canary', { ...watching, hls: false, opens: 'dash' }),
  ]);
  await nodes[0].kill();
  const killedAt = Date.now();
  for (const viewer of viewers) {
    await viewer.until('a break after the kill was shown', async () => {
      const [first] = (await filledBreaks(viewer.session)).filter((at) => at > killedAt);
      return first !== undefined && viewer.rungs.every((rung) => edgeOf(viewer, rung) > first + 1000 * LENGTH);
    });
  }
  await Promise.all(viewers.map((viewer) => viewer.leave()));
  expect(viewers.map(({ faults }) => faults)).toEqual([[], []]);
  expect(nodes[1].bugs()).toEqual([]);
});

test.concurrent.each([
  ['hls.js', 'hls'],
  ['shaka', 'dash'],
] as const)('%s plays %s through a break', async (player, format) => {
  const mediaURL = await openView(nodes[1].liveUrl, format, 'canary');
  // Content, the ad, and content again.
  const report = await players.playUntil(player, mediaURL, 'seen.spans >= 3');
  expect(report.errors.filter(({ fatal }) => fatal)).toEqual([]);
  expect(report.spans).toBeGreaterThanOrEqual(3);
  expect(await filledBreaks(/[0-9a-f-]{36}/.exec(mediaURL)![0])).not.toEqual([]);
});

test('the console shows the channel', async () => {
  const browser = await connectChromium();
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  await page.goto(nodes[1].adminUrl);
  await page.evaluate(`sessionStorage.setItem('midroll-key', '${apiKey}'); location.hash = '/channels/canary'`);
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'The canary' }).waitFor();
  expect(errors).toEqual([]);
  await browser.close();
});
