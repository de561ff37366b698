// SPDX-License-Identifier: Apache-2.0
// Players that insert ads themselves join a linear channel during a break of 30 s: they show the right ad at the right second.
// GUIDED_JOINS=30 joins at every second of it.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { opened } from '../../opened.ts';
import { expectNoErrors, expectNoFaults } from '../expectSmoothPlayback.ts';
import { startLinearServers } from '../linearServers.ts';
import { openPlayers } from '../players.ts';
import { colouredAds } from './colouredAds.ts';
import { stillsOf, tracedBreaks } from './insertedBreaks.ts';

const JOINS = Number(process.env.GUIDED_JOINS ?? 2);
const pod = { amber: 10, rose: 10, green: 10 };
const names = Object.keys(pod);
/** Seconds. */
const [AD, BREAK, CONTENT] = [10, 30, 20];
/** Milliseconds by which players are behind the clock. */
const BEHIND = 10_000;
const hasShownAd = 'seen.pictures.filter(({ what }) => what !== "content").length > 0 && seen.watched > 3';

const servers = await opened(
  startLinearServers({
    channels: { guided: { insertion: 'guided' } },
    ...{ seconds: CONTENT, cuePoints: [0], ads: (stage) => colouredAds(stage, pod) },
  }),
);
const players = await opened(openPlayers());

/** When the channel's first break started, in seconds since 1970. */
const started = await startOfFirstBreak();

async function startOfFirstBreak(): Promise<number> {
  const mediaURL = await servers.open('guided', 'hls');
  await players.playUntil('shaka', mediaURL, 'seen.announced.some(({ kind }) => kind === "ad started")', {
    timeoutMs: 120_000,
  });
  return (await tracedBreaks(servers.api, mediaURL))[0]!.at / 1000;
}

const seconds = Array.from({ length: JOINS }, (_, index) => Math.floor((BREAK / JOINS) * index));

const joins = (['hls.js', 'shaka'] as const).flatMap((player) => seconds.map((second) => [player, second] as const));

/** Seconds. */
const SAME = 0.5;

/** Waits for a second of the break, as it is on air for a player that starts now. */
async function untilSecond(second: number): Promise<void> {
  const now = (Date.now() - BEHIND) / 1000 - started;
  const cycle = BREAK + CONTENT;
  await sleep(1000 * ((((second - now) % cycle) + cycle) % cycle));
}

test.each(joins)('%s joins the break about second %i', async (player, second) => {
  await untilSecond(second);
  const mediaURL = await servers.open('guided', 'hls');
  const report = await players.playUntil(player, mediaURL, hasShownAd, { looks: true, timeoutMs: 30_000 });
  const trace = await tracedBreaks(servers.api, mediaURL);
  const ad = report.pictures.find(({ what }) => what !== 'content')!;
  expect(ad, JSON.stringify(report)).toBeDefined();
  // Shaka Player seeks the content to the end of the break once it plays an ad, so the frame of content before it tells where it is.
  const joined = report.pictures[0]!.what === 'content' ? report.pictures[0]!.last.date! : ad.first.date!;
  const { at } = trace.findLast((one) => one.at - 1000 * SAME < joined)!;
  const into = (joined - at) / 1000;
  const meant = names[Math.min(names.length - 1, Math.floor((into + 0.1) / AD))];
  const off = into - AD * names.indexOf(ad.what) - ad.first.second;
  // Shaka Player 5.2 plays an ad after the first one from its start.
  const isRight = ad.what === meant && (player === 'shaka' || Math.abs(off) < SAME);
  const what = `${ad.what} was shown from its second ${ad.first.second.toFixed(1)} at second ${into.toFixed(1)}`;
  expectNoErrors(report);
  expectNoFaults([...(isRight ? [] : [{ what, wall: ad.first.wall }]), ...stillsOf(report)], report.busy);
});
