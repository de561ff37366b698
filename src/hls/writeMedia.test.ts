// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { airingOf, hlsOf, syntheticChannel, viewerOf } from '../../test/laws/syntheticChannel.ts';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { viewAt } from '../playback/view/view.ts';
import { millis } from '../time/units.ts';

const START = Date.parse('2026-03-01T00:00:00.000Z');
const DEPTH = 120_000;
const decider = { begin: () => {}, settle: async () => {} };

test('rounding errors of EXTINF do not add up over clips', async () => {
  // 157 frames are 5.2385666… s: if each were rounded on its own, three of them would be a microsecond too long.
  const rate = { n: 30_000, d: 1001 };
  const asset = syntheticAsset({ name: 'a', rate, sampleRate: 48_000, segments: [60, 60, 37], qualities: 1 });
  const channel = syntheticChannel([{ asset, cuePoints: [] }], START);
  const loops = 11;
  const now = millis(START + 90_000);
  const text = hlsOf(await viewAt(airingOf(channel, DEPTH / 1000), viewerOf(channel, START), decider, now), 0);
  const lengths = [...text.matchAll(/#EXTINF:([\d.]+),/g)].map(([, seconds]) => Math.round(Number(seconds) * 1e6));
  const sum = lengths.slice(0, 3 * loops).reduce((total, length) => total + length, 0);
  expect(sum).toBe(Math.round((loops * 157 * 1001 * 1e6) / 30_000));
});
