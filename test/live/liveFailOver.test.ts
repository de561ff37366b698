// SPDX-License-Identifier: Apache-2.0
// Laws 1, 2, 3, 7 and 8 when another node takes over in the middle of a Period: it has never been asked about it, and the slot with
// which the Period starts is not in its part of the log any more.
import { expect, test } from 'vitest';
import type { Airing } from '../../src/playback/onAir/airing.ts';
import { type BreakDecider, viewAt } from '../../src/playback/view/view.ts';
import type { Viewer } from '../../src/playback/viewers/viewers.ts';
import { millis, secondsToFlicks } from '../../src/time/units.ts';
import { type BreakSpan, placeOf } from '../../src/timeline/programme/span.ts';
import { decideOn, hlsOf, mpdOf, placeOn } from '../laws/syntheticChannel.ts';
import { LAG, LIVE_START, liveFeed, liveNode, liveViewer, type OriginPlan, writeLog } from '../laws/syntheticLive.ts';
import { ColumnWitness, RowsWitness } from '../laws/witness.ts';

const FRAMES = 50;
const SLOT_MS = 40 * FRAMES;
const SLOTS = 240;
const MAX_BREAK = secondsToFlicks(400);

/** What another process has of a feed, a log or a viewer: what is stored of it. */
const stored = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value)) as Value;

type Case = {
  readonly name: string;
  readonly fill: 'slate' | 'content';
  readonly preroll: boolean;
  /** Ticks by which the media clock gains on the timeline with each slot. */
  readonly drift: number;
};

const cases: readonly Case[] = [
  { name: 'a pre-roll, when the clock of the media is fast', fill: 'slate', preroll: true, drift: 40 },
  { name: 'the ads of a break with content, when it is slow', fill: 'content', preroll: false, drift: -40 },
];

test.each(cases)('a node that takes over within the Period after $name lists the same', async (one) => {
  const plan: OriginPlan = {
    frames: FRAMES,
    stretches: new Set(),
    breaks: one.preroll
      ? []
      : [
          {
            slot: 60,
            ends: 230,
            announced: secondsToFlicks(340),
            leadSlots: 0,
            hasIn: true,
            continues: false,
          },
        ],
    drift: one.drift,
  };
  const feed = liveFeed(FRAMES, 2);
  const rules = { fill: one.fill, maxBreak: MAX_BREAK };
  const entries = writeLog(feed, plan, rules, SLOTS, () => 0);
  const node = (from: number) =>
    liveNode(stored(feed), stored(entries), from, { breakFill: one.fill, playlistSize: 30 });
  const first = node(0);
  const joinTime = LIVE_START.millis + 40 * SLOT_MS + LAG + 700;
  const opening = first.airingAt(joinTime);
  const edge = opening.programme.edgeAt(millis(joinTime));
  const start = opening.programme.borderBefore?.(millis(edge - 10_000));
  const preroll = one.preroll && start ? { start, duration: secondsToFlicks(8) } : undefined;
  const viewers = (['hls', 'dash'] as const).map((format) =>
    liveViewer(opening, joinTime, { joinedAt: edge, ...(preroll && { preroll }) }, format),
  );
  function decide(airing: Airing, viewer: Viewer, span: BreakSpan): void {
    const { id, startsAt } = placeOf(span);
    if (viewer.state.decisions.some(({ breakId }) => breakId === id)) return;
    const ads = [{ adId: `${id}-0`, mediaId: 'm1x200', frames: 200 }];
    decideOn(airing, viewer, span, { breakId: id, startsAt, joined: 0, ads });
  }
  const decider: BreakDecider = {
    begin: (airing, viewer, { span }) => decide(airing, viewer, span),
    async settle(airing, viewer, due) {
      for (const { span } of due) decide(airing, viewer, span);
    },
  };
  const columns = feed.ladder.rungs.map(({ id }) => new ColumnWitness(id, feed.ladder.frameRate));
  const rows = new RowsWitness();
  let second: ReturnType<typeof node> | undefined;
  let periods = 0;
  for (let now = joinTime; now < entries.at(-1)!.visibleAt; now += 1900) {
    const slot = Math.floor((now - LIVE_START.millis - LAG) / SLOT_MS);
    // The first node fails, is back, and fails again.
    const isAway = slot > 150 && Math.floor(slot / 20) % 2 === 0;
    if (isAway) second ??= node(slot - 60);
    const airing = (isAway ? second : first)!.airingAt(now);
    for (const viewer of viewers) {
      viewer.state = stored(viewer.state);
      placeOn(airing, viewer);
      await viewAt(airing, viewer, decider, millis(now));
      placeOn(airing, viewer);
    }
    const [forHls, forDash] = viewers as [Viewer, Viewer];
    const view = await viewAt(airing, forHls, decider, millis(now));
    const lists = columns.map((column, rung) => column.check(hlsOf(view, rung), now));
    const seen = rows.check(mpdOf(await viewAt(airing, forDash, decider, millis(now))));
    if (isAway && seen.some(({ id }) => id.startsWith('p'))) periods += 1;
    feed.ladder.rungs.forEach(({ id }, rung) => {
      expect(
        seen.flatMap(({ urls }) => urls[id] ?? []),
        `law 2: ${id}`,
      ).toEqual(lists[rung]!.segments.map(({ uri }) => uri));
    });
  }
  expect(second).toBeDefined();
  expect(periods, 'manifests of the other node with the Period').toBeGreaterThan(30);
});
