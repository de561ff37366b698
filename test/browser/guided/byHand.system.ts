// SPDX-License-Identifier: Apache-2.0
// Players that insert ads themselves play breaks that an operator inserts on a live channel, and return when one is ended early.
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test } from 'vitest';
import { untilPlaying } from '../../../demo/untilPlaying.ts';
import { airLive, offerAds, startOrigin } from '../../live/liveStage.ts';
import { openView } from '../../live/openSession.ts';
import { openRealStage } from '../../live/stage.ts';
import { opened } from '../../opened.ts';
import { expectNoErrors, expectNoFaults } from '../expectSmoothPlayback.ts';
import { openPlayers, type PlayReport } from '../players.ts';
import { colouredAds } from './colouredAds.ts';
import { faultsOf, seenBreaks, stillsOf } from './insertedBreaks.ts';

const pod = { amber: 4, rose: 6 };
/** Seconds: of a break with both ads, of one that is ended, and when it is: at a border of segments, in its second ad. */
const [WHOLE, LONG, ENDED_AFTER] = [10, 30, 7];

/** Milliseconds. When a break ends early, Shaka Player 5.2 seeks to the live edge. */
const [LATE, STILL] = [
  { 'hls.js': 0, shaka: 4000 },
  { 'hls.js': 0, shaka: 1000 },
];

/** One for each player, so that it does not join during a break of the other's test. */
const channels = { 'hls.js': 'one', shaka: 'two' };

const stage = await opened(openRealStage());
const players = await opened(openPlayers());

beforeAll(async () => {
  const origin = await startOrigin(stage, { breaks: { every: 0, seconds: 12 }, window: 15 });
  const ads = await colouredAds(stage, pod);
  for (const id of Object.values(channels)) {
    await airLive(stage, id, { sourceManifestUrl: origin.hlsUrl }, { insertion: 'guided' });
    await offerAds(stage, id, ads);
    expect(await untilPlaying(`${stage.midroll.liveUrl}/hls/${id}/master.m3u8?api-key=key`, 600)).toBe(true);
  }
});

const order = (channel: string, body: object) => stage.midroll.api('POST', `/channels/${channel}/breaks`, body);

/** A break of the channel, as it was on air. */
async function aired(channel: string, id: string) {
  const { json } = await stage.midroll.api('GET', `/channels/${channel}/breaks`);
  const { startsAt, endsAt, duration } = json.items.find(({ sourceId }: { sourceId: string }) => sourceId === id);
  const at = Date.parse(startsAt);
  return { at, duration: endsAt === undefined ? duration : (Date.parse(endsAt) - at) / 1000 };
}

const hasSeen =
  (count: number) =>
  ({ pictures }: PlayReport) =>
    seenBreaks(pictures).length >= count;

// One after the other: players that start an ad need the processor.
test.each(['hls.js', 'shaka'] as const)(
  '%s inserts the breaks of an operator, and returns at their ends',
  async (player) => {
    const channel = channels[player];
    const mediaURL = await openView(stage.midroll.liveUrl, 'hls', channel);
    const watched = await players.watch(player, mediaURL, { looks: true, timeoutMs: 90_000 });
    await watched.until('seen.watched > 3');
    const [whole, ended] = ['whole', 'ended'];
    expect((await order(channel, { id: whole, duration: WHOLE })).status).toBe(201);
    await watched.until(hasSeen(1));
    expect((await order(channel, { id: ended, duration: LONG })).status).toBe(201);
    await sleep(1000 * ENDED_AFTER);
    expect((await order(channel, { action: 'end', id: ended })).status).toBe(200);
    await watched.until(hasSeen(2));
    const report = await watched.finish();
    const [first, second] = seenBreaks(report.pictures);
    const [wholeBreak, endedBreak] = [await aired(channel, whole), await aired(channel, ended)];
    const cut = { ...pod, rose: Math.min(pod.rose, endedBreak.duration - pod.amber) };
    expectNoErrors(report);
    const faults = [...faultsOf(first!, wholeBreak, pod), ...faultsOf(second!, endedBreak, cut, 0, LATE[player])];
    const stills = stillsOf(report).filter(({ length = 0 }) => length > STILL[player]);
    expectNoFaults([...faults, ...stills], report.busy);
  },
  300_000,
);
