// SPDX-License-Identifier: Apache-2.0
// A viewer who joins a live break has ads in the rest of it, also if the start of the break is not in the window any more.
import { expect, test } from 'vitest';
import { LAG, LIVE_START, liveFeed, liveNode, liveViewer, writeLog } from '../../../test/laws/syntheticLive.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import { type BreakDecider, viewAt } from './view.ts';

test.each(['slate', 'content'] as const)('a break with %s that started long ago is decided', async (fill) => {
  const feed = liveFeed(50, 1);
  const announced = flicks(secondsToFlicks(120));
  const one = { slot: 5, ends: 65, announced, leadSlots: 0, hasIn: false, continues: false };
  const plan = { frames: 50, breaks: [one], stretches: new Set<number>() };
  const entries = writeLog(feed, plan, { fill, maxBreak: secondsToFlicks(180) }, 60, () => 0);
  const openedAt = LIVE_START.millis + 90_000 + LAG;
  const airing = liveNode(feed, entries, 0, { playlistSize: 20 }).airingAt(openedAt);
  const viewer = liveViewer(airing, openedAt, { joinedAt: airing.programme.edgeAt(millis(openedAt)) }, 'hls');
  const begun: (string | boolean)[] = [];
  const decider: BreakDecider = {
    begin: (_, __, { span, joined }) => void begun.push(span.break!.id, joined > 0),
    settle: async () => {},
  };
  await viewAt(airing, viewer, decider, millis(openedAt));
  expect(begun).toEqual([expect.stringMatching(/-0$/), true]);
});
