// SPDX-License-Identifier: Apache-2.0
// An MPD patch changes the MPD that a player has into the current one, to the byte, or tells the player to read the whole MPD.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { viewAt } from '../../src/playback/view/view.ts';
import { millis } from '../../src/time/units.ts';
import { seededRandom } from '../seededRandom.ts';
import { PatchWitness } from './patchWitness.ts';
import { randomDecider } from './randomDecider.ts';
import {
  airingOf,
  edited,
  foldDecisions,
  placeDecisions,
  type SyntheticItem,
  syntheticChannel,
  viewerOf,
} from './syntheticChannel.ts';
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
        const viewer = viewerOf(channel, now);
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
    { numRuns: 30 },
  );
  // The whole MPD is for exceptions: an edit, a Period whose id begins another one's.
  expect(seen.whole).toBeLessThan(seen.patched / 10);
});
