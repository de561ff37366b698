// SPDX-License-Identifier: Apache-2.0
// Where the manifests of viewers begin when a break begins where the timeline continues: after segments that were missed, and where a
// session has a longer target duration than its feed.

import { expect, test } from 'vitest';
import { LAG, LIVE_START, liveFeed, liveNode, liveViewer, writeLog } from '../../../test/laws/syntheticLive.ts';
import type { LiveEntry } from '../../live/slot.ts';
import { flicks, millis, secondsToFlicks } from '../../time/units.ts';
import { spanEnd, spanStart } from '../../timeline/programme/span.ts';
import { endAt, type Window } from '../../timeline/programme/window.ts';
import { airingOfSession } from '../onAir/airing.ts';
import { type BreakDecider, viewAt, windowOf } from './view.ts';

const HOLE = 30;
const feed = liveFeed(50, 1);
/** When the first listed segment ends. */
const spanFrom = ({ rows: [row] }: Window): number => {
  const { span, first } = row!;
  return endAt(span.placed, 0, first[0]! - span.placed.clip.firsts[0]!);
};
const undecided: BreakDecider = { begin: () => {}, settle: async () => {} };

/** Slots of 2 s; a break starts at slot 30. */
function entriesWithBreak(): LiveEntry[] {
  const announced = secondsToFlicks(12);
  const own = { slot: HOLE, ends: 36, announced };
  const plan = { frames: 50, breaks: [own], stretches: new Set([HOLE]) };
  return writeLog(feed, plan, { fill: 'slate', maxBreak: secondsToFlicks(60) }, 60, () => 0);
}

/** Five slots are missing before the break. */
const entriesWithHole = (): LiveEntry[] =>
  entriesWithBreak().map(({ checkpoint, slots, ...entry }, number) => ({
    ...entry,
    ...(number < HOLE && checkpoint ? { checkpoint } : {}),
    slots: number === HOLE ? slots.map((slot) => ({ ...slot, missed: 5 })) : slots,
  }));

test('what was listed before a hole stays until something after it is listed, so that no manifest is empty', async () => {
  const entries = entriesWithHole();
  const node = liveNode(feed, entries, 0, {});
  const before = entries[HOLE - 1]!.visibleAt;
  const viewer = liveViewer(node.airingAt(before), before, { joinedAt: millis(LIVE_START.millis + 20_000) }, 'hls');
  const listed = async (now: number) => {
    const window = windowOf(await viewAt(node.airingAt(now), viewer, undecided, millis(now)));
    return [spanStart(window.rows[0]!.span), spanEnd(window.rows.at(-1)!.span)];
  };
  const shown = await listed(before);
  expect(await listed(entries[HOLE]!.visibleAt)).toEqual(shown);
  expect(node.airingAt(entries[HOLE]!.visibleAt).programme.before?.()).toBeDefined();
  expect(node.airingAt(entries[59]!.visibleAt).programme.before?.()).toBeUndefined();
});

test('a process that does not have what was before the hole refuses until something is listed', async () => {
  const entries = entriesWithHole();
  const now = entries[HOLE]!.visibleAt;
  const airing = liveNode(feed, entries, HOLE, {}).airingAt(now);
  const viewer = liveViewer(airing, now, { joinedAt: millis(LIVE_START.millis + 20_000) }, 'hls');
  await expect(async () => viewAt(airing, viewer, undecided, now)).rejects.toMatchObject({ status: 503 });
});

test('a session with a longer target duration than its feed lists nothing older while it waits for a break', async () => {
  const node = liveNode(
    feed,
    entriesWithBreak().map((entry) => ({ ...entry, window: 16_000 })),
    0,
    {},
  );
  const visible = entriesWithBreak().map(({ visibleAt }) => visibleAt);
  const airingAt = (now: number) =>
    airingOfSession(node.airingAt(now), { reach: { playlistSize: 30, timeShiftWindow: 0, targetDuration: 9 } });
  const joinedAt = millis(LIVE_START.millis + 20_000);
  const viewer = liveViewer(airingAt(visible[25]!), visible[25]!, { joinedAt }, 'hls');
  const starts: number[] = [];
  for (const now of visible.slice(HOLE - 3, HOLE + 2))
    starts.push(spanFrom(windowOf(await viewAt(airingAt(now), viewer, undecided, millis(now)))));
  expect(starts).toEqual(starts.toSorted((a, b) => a - b));
});

// The first playlist of a viewer with ads before the content, at a process whose clock is behind that of the one that opened
// the session.

test('waits for the decision although the session was opened later by its clock', async () => {
  const feed = liveFeed(50, 1);
  const plan = { frames: 50, breaks: [] };
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
  const one = { slot: 5, ends: 65, announced, hasIn: false };
  const plan = { frames: 50, breaks: [one] };
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
