// SPDX-License-Identifier: Apache-2.0
// The first playlist of a viewer with ads before the content, at a process whose clock is behind that of the one that opened the session.
import { expect, test } from 'vitest';
import { LAG, LIVE_START, liveFeed, liveNode, liveViewer, writeLog } from '../../../test/laws/syntheticLive.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import { type BreakDecider, viewAt } from './view.ts';

test('waits for the decision although the session was opened later by its clock', async () => {
  const feed = liveFeed(50, 1);
  const plan = { frames: 50, breaks: [], stretches: new Set<number>() };
  const entries = writeLog(feed, plan, { fill: 'slate', maxBreak: secondsToFlicks(25) }, 40, () => 0);
  const openedAt = LIVE_START.millis + 60_000 + LAG;
  const airing = liveNode(feed, entries, 0, {}).airingAt(openedAt);
  const edge = airing.programme.edgeAt(millis(openedAt));
  const start = airing.programme.borderBefore!(millis(edge - 10_000))!;
  const viewer = liveViewer(
    airing,
    openedAt,
    { joinedAt: edge, preroll: { start, duration: secondsToFlicks(9) } },
    'hls',
  );
  const settled: string[] = [];
  const decider: BreakDecider = {
    begin: () => {},
    settle: async (_, __, due) => void settled.push(...due.map(({ span }) => span.break!.id)),
  };
  // No manifest is empty: without the decision, there is none.
  const view = async () => viewAt(airing, viewer, decider, millis(openedAt - 300));
  await expect(view()).rejects.toMatchObject({ status: 503 });
  expect(settled).toHaveLength(1);
});

// A viewer who joins a live break has ads in the rest of it, also if the start of the break is not in the window any more.

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
