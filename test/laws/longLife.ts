// A long life of one viewer, on the synthetic channel: polled every 16 s, so that every segment is listed at least once.
import { expect } from 'vitest';
import { viewAt } from '../../src/playback/view/view.ts';
import { type FrameRate, millis } from '../../src/time/units.ts';
import { chance, sloppyDecider } from './sloppyDecider.ts';
import { airingOf, fold, hlsOf, syntheticChannel, viewerOf } from './syntheticChannel.ts';
import { syntheticAsset } from './syntheticMedia.ts';
import { ColumnWitness } from './witness.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');
const DEPTH = 60_000;
const HOUR = 3600 * 1000;
const DAY = 24 * HOUR;

/** @throws where numbers, dates and lengths part */
export async function watchForDays(days: number): Promise<void> {
  const random = chance(7);
  const rate = { n: 30000, d: 1001 };
  const film = (name: string, count: number, shape: { rate: FrameRate; sampleRate: number; frames: number }) =>
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
        asset: film('a', 55, { rate, sampleRate: 48_000, frames: 60 }),
        cuePoints: [{ spliceTime: 58, maxDuration: 30 }],
      },
      {
        asset: film('b', 31, { rate: { n: 24000, d: 1001 }, sampleRate: 44_100, frames: 48 }),
        cuePoints: [{ spliceTime: 0, maxDuration: 20.3 }],
      },
    ],
    START,
  );
  const airing = airingOf(channel, DEPTH / 1000);
  const decider = sloppyDecider(() => channel, random);
  const viewer = viewerOf(channel, START + DEPTH);
  const columns = channel.ladder.rungs.map(({ id }) => new ColumnWitness(id, channel.ladder.frameRate, 200));
  for (let now = START + DEPTH, rest = now + HOUR; now < START + days * DAY; now += 16_000) {
    // The targets of WeakRefs are kept until the event loop turns (ECMA-262, ClearKeptObjects); this loop has only microtasks.
    if (now > rest) {
      rest += HOUR;
      await new Promise(setImmediate);
    }
    fold(channel, viewer, now - DEPTH - 120_000);
    const view = await viewAt(airing, viewer, decider, millis(now));
    columns.forEach((column, rung) => {
      column.look(hlsOf(view, rung), now);
    });
  }
  expect(viewer.state.decisions.length).toBeLessThan(10);
  // Both dates are rounded to a millisecond, both ends of the sum to a microsecond; nothing may grow with time.
  for (const { apart } of columns) expect(apart).toBeLessThanOrEqual(1001);
}
