// SPDX-License-Identifier: Apache-2.0
// What one viewer is shown, from poll to poll.
import { expect, test } from 'vitest';
import { readHls } from '../../../test/laws/readBack.ts';
import {
  airingOf,
  hlsByRows,
  hlsOf,
  keptTexts,
  syntheticChannel,
  viewerOf,
} from '../../../test/laws/syntheticChannel.ts';
import { twoSecondAsset } from '../../../test/laws/syntheticTitle.ts';
import { millis } from '../../time/units.ts';
import { type BreakDecider, viewAt, windowOf } from './view.ts';

const START = Date.parse('2026-03-01T00:00:00.123Z');
const decider: BreakDecider = { begin: () => {}, settle: async () => {} };
const channel = syntheticChannel([{ asset: twoSecondAsset('video', 10), cuePoints: [] }], START);

test.each([0, 60, 124, 249])(
  'a session that starts in the past keeps its first segment until the window slides, and never lists an earlier one (%i ms)',
  async (phase) => {
    const plain = airingOf(channel, 20);
    const airing = { ...plain, channel: { ...plain.channel, timeShiftWindow: 40 } };
    // Shortly after a segment boundary: a window that began slightly earlier would list the segment before it.
    const start = START + 60_000 + phase;
    const openedAt = start + 30_000;
    const viewer = viewerOf(airing, openedAt);
    const moved = { ...viewer, session: { ...viewer.session, start: millis(start) } };
    const firsts: number[] = [];
    for (let now = openedAt; now < openedAt + 60_000; now += 37) {
      const view = await viewAt(airing, moved, decider, millis(now));
      firsts.push(readHls(hlsOf(view, 0)).segments[0]!.number);
    }
    expect(firsts).toEqual(firsts.toSorted((one, other) => one - other));
    const kept = firsts.findIndex((first) => first !== firsts[0]);
    expect(kept * 37).toBeGreaterThan(9000);
    expect(firsts.at(-1)).toBeGreaterThan(firsts[0]! + 20);
  },
);

test.each(['default', 'largest'])(
  'viewers of the %s depth share their rows, whatever depths others choose',
  async (which) => {
    const plain = airingOf(channel, 20);
    const airing = { ...plain, channel: { ...plain.channel, timeShiftWindow: 600 } };
    const now = millis(START + 900_000);
    const viewer = viewerOf(airing, now);
    const startingAt = (start: number) => ({ ...viewer, session: { ...viewer.session, start: millis(start) } });
    const common = which === 'default' ? viewer : startingAt(START);
    const rows = async () => windowOf(await viewAt(airing, common, decider, now)).rows;
    const [first] = await rows();
    for (let seconds = 21; seconds < 600; seconds += 1) {
      await viewAt(airing, startingAt(now - seconds * 1000), decider, now);
      expect((await rows())[0]).toBe(first);
    }
  },
);

test('lists at each instant all segments between the ends of the window', async () => {
  const short = syntheticChannel([{ asset: twoSecondAsset('short', 2), cuePoints: [] }], START);
  const airing = airingOf(short, 20);
  const viewer = viewerOf(airing, START + 60_000);
  for (let now = START + 60_000; now < START + 100_000; now += 37) {
    const view = await viewAt(airing, viewer, decider, millis(now));
    expect(hlsOf(view, 0), `${now - START}`).toBe(hlsByRows(view, 0));
  }
});

test('a card lists the first segments of a channel that has just started', async () => {
  const airing = airingOf(channel, 20);
  const viewer = viewerOf(airing, START);
  const kept = keptTexts();
  let compared = 0;
  for (let now = START; now < START + 40_000; now += 250)
    compared += kept.check(await viewAt(airing, viewer, decider, millis(now)), viewer.state);
  expect(compared).toBeGreaterThan(100);
});
