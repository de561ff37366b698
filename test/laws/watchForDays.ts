// SPDX-License-Identifier: Apache-2.0
// One viewer of the synthetic channel for days: polled every 16 s, so that every segment is listed at least once.
import { expect } from 'vitest';
import { viewAt } from '../../src/playback/view/view.ts';
import { type FrameRate, millis } from '../../src/time/units.ts';
import { seededRandom } from '../seededRandom.ts';
import { randomDecider } from './randomDecider.ts';
import { airingOf, foldDecisions, hlsOf, syntheticChannel, viewerOf } from './syntheticChannel.ts';
import { syntheticAsset } from './syntheticMedia.ts';
import { ColumnWitness } from './witness.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');
const DEPTH = 60_000;
const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;

/** @throws when numbers, dates and durations disagree */
export async function watchForDays(days: number): Promise<void> {
  const random = seededRandom(7);
  const rate = { n: 30000, d: 1001 };
  const assetOf = (name: string, count: number, shape: { rate: FrameRate; sampleRate: number; frames: number }) =>
    syntheticAsset({
      name,
      rate: shape.rate,
      sampleRate: shape.sampleRate,
      segments: [...new Array<number>(count).fill(shape.frames), 37],
      qualities: 2,
    });
  const channel = syntheticChannel(
    [
      {
        asset: assetOf('a', 55, { rate, sampleRate: 48_000, frames: 60 }),
        cuePoints: [{ spliceTime: 58, maxDuration: 30 }],
      },
      {
        asset: assetOf('b', 31, { rate: { n: 24000, d: 1001 }, sampleRate: 44_100, frames: 48 }),
        cuePoints: [{ spliceTime: 0, maxDuration: 20.3 }],
      },
    ],
    START,
  );
  const airing = airingOf(channel, DEPTH / 1000);
  const decider = randomDecider(() => channel, random);
  const viewer = viewerOf(airing, START + DEPTH);
  const columns = channel.ladder.rungs.map(({ id }) => new ColumnWitness(id, channel.ladder.frameRate, 200));
  for (let now = START + DEPTH, nextPause = now + HOUR; now < START + days * DAY; now += 16_000) {
    // WeakRefs keep their targets until the event loop turns (ECMA-262, ClearKeptObjects); this loop has only microtasks.
    if (now > nextPause) {
      nextPause += HOUR;
      await new Promise(setImmediate);
    }
    foldDecisions(channel, viewer, now - DEPTH - 120_000);
    const view = await viewAt(airing, viewer, decider, millis(now));
    columns.forEach((column, rung) => {
      column.check(hlsOf(view, rung), now);
    });
  }
  expect(viewer.state.decisions.length).toBeLessThan(10);
  // Both dates are rounded to a millisecond, both ends of the sum to a microsecond. The difference must not grow.
  // Audio is dated at its first frame.
  for (const { largestDifference } of columns.slice(0, 1)) expect(largestDifference).toBeLessThanOrEqual(1001);
  for (const { largestDifference } of columns) expect(largestDifference).toBeLessThanOrEqual(50_000);
}
