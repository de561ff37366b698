// SPDX-License-Identifier: Apache-2.0
// An MPD patch changes the MPD that a player has into the current one, to the byte, or tells the player to read the whole MPD.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewAt } from '../../src/playback/view/view.ts';
import { flicks, framesToFlicks, millis, secondsToFlicks } from '../../src/time/units.ts';
import { lawRuns } from '../lawRuns.ts';
import { seededRandom } from '../seededRandom.ts';
import { liveDecider } from './liveDecider.ts';
import { PatchWitness } from './patchWitness.ts';
import { randomDecider } from './randomDecider.ts';
import {
  airingOf,
  edited,
  foldDecisions,
  placeDecisions,
  placeOn,
  type SyntheticItem,
  syntheticChannel,
  viewerOf,
} from './syntheticChannel.ts';
import { LAG, LIVE_START, liveFeed, liveNode, liveViewer, type OriginBreak, writeLog } from './syntheticLive.ts';
import { syntheticAsset } from './syntheticMedia.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');

const items = fc
  .array(
    fc.record({
      count: fc.integer({ min: 4, max: 30 }),
      audioEvery: fc.option(fc.constantFrom(1.92, 3.84), { nil: undefined }),
      texts: fc.subarray(['en', 'de']),
      cuePoints: fc.array(
        fc.record({
          spliceTime: fc.double({ min: 0, max: 60, noNaN: true }),
          maxDuration: fc.constantFrom(5, 10.12, 30),
        }),
        { maxLength: 3 },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  )
  .map((list) =>
    list.map(({ count, audioEvery, texts, cuePoints }, index): SyntheticItem => {
      const name = `${index}-${count}-${audioEvery}-${texts.join('')}`;
      const shape = {
        name,
        rate: { n: 25, d: 1 },
        sampleRate: 48_000,
        segments: new Array(count).fill(50),
        qualities: 2,
      };
      return { asset: syntheticAsset({ ...shape, texts, ...(audioEvery && { audioEvery }) }), cuePoints };
    }),
  );

test('patches of a schedule lead to the current MPD with any decisions, polls and edits', async () => {
  const seen = { patched: 0, whole: 0 };
  await fc.assert(
    fc.asyncProperty(
      items,
      items,
      fc.integer({ min: 120, max: 240 }),
      fc.integer(),
      async (list, other, depth, seed) => {
        const random = seededRandom(seed);
        let channel = syntheticChannel(list, START);
        const decider = randomDecider(() => channel, random);
        let now = START + 1000 * depth + Math.floor(random() * 60_000);
        const viewer = viewerOf(airingOf(channel, depth), now);
        const editAt = now + 60_000 * random();
        let isEdited = false;
        const witness = new PatchWitness(random);
        for (let poll = 0; poll < 60; poll += 1) {
          if (!isEdited && now >= editAt) {
            channel = edited(channel, random() < 0.5 ? [...list, ...other] : other, now + 8000);
            isEdited = true;
            placeDecisions(channel, viewer);
          }
          foldDecisions(channel, viewer, now - 1000 * depth - 120_000);
          witness.check(await viewAt(airingOf(channel, depth), viewer, decider, millis(now)));
          now = Math.floor(now + 300 + random() * 5000);
        }
        seen.patched += witness.patched;
        seen.whole += witness.whole;
      },
    ),
    lawRuns(7),
  );
  // The whole MPD is for exceptions: an edit, a Period whose id begins another one's.
  expect(seen.whole).toBeLessThan(seen.patched / 10);
});

const FRAMES = 50;
const SLOT_MS = 2000;
const SLOTS = 150;
const JOIN = 70;

const origins = fc.record({
  fill: fc.constantFrom('slate' as const, 'content' as const),
  stretches: fc.uniqueArray(fc.integer({ min: 1, max: SLOTS }), { maxLength: 3 }),
  short: fc.uniqueArray(fc.integer({ min: 12, max: SLOTS }), { maxLength: 20 }),
  breaks: fc.array(
    fc.record({
      gap: fc.integer({ min: 4, max: 25 }),
      length: fc.integer({ min: 2, max: 14 }),
      announced: fc.constantFrom(1, 0.5, 1.7, 0.93, undefined),
      leadSlots: fc.constantFrom(0, 0, 1, 8),
    }),
    { minLength: 1, maxLength: 6 },
  ),
});

test('patches of a live channel lead to the current MPD with any breaks, early returns and decisions', async () => {
  const seen = { patched: 0, whole: 0 };
  await fc.assert(
    fc.asyncProperty(origins, fc.integer(), async ({ fill, ...drawn }, seed) => {
      const random = seededRandom(seed);
      const feed = liveFeed(FRAMES, 1);
      let at = 12;
      const breaks = drawn.breaks.map(({ gap, length, announced, leadSlots }): OriginBreak => {
        const slot = at + gap;
        at = slot + length;
        const whole = framesToFlicks(length * FRAMES, feed.ladder.frameRate);
        const known = announced === undefined ? {} : { announced: flicks(Math.round(whole * announced)) };
        return { slot, ends: at, ...known, leadSlots, hasIn: true, continues: false };
      });
      const plan = { frames: FRAMES, breaks, short: new Set(drawn.short), stretches: new Set(drawn.stretches) };
      const entries = writeLog(feed, plan, { fill, maxBreak: secondsToFlicks(25) }, SLOTS, () => random() * 200);
      const node = liveNode(feed, entries, 0, { playlistSize: 120, breakFill: fill });
      const joinTime = LIVE_START.millis + JOIN * SLOT_MS + LAG + 700;
      const opening = node.airingAt(joinTime);
      const live = { joinedAt: opening.programme.edgeAt(millis(joinTime)) };
      const viewer = liveViewer(opening, joinTime, live, 'dash');
      const decider = liveDecider(random, [viewer]);
      const witness = new PatchWitness(random);
      for (let now = joinTime; now < entries.at(-1)!.visibleAt; now = Math.floor(now + 300 + random() * 3000)) {
        const airing = node.airingAt(now);
        placeOn(airing, viewer);
        witness.check(await viewAt(airing, viewer, decider, millis(now)));
      }
      seen.patched += witness.patched;
      seen.whole += witness.whole;
    }),
    lawRuns(7),
  );
  expect(seen.whole).toBeLessThan(seen.patched / 10);
});
