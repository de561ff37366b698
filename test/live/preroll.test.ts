// SPDX-License-Identifier: Apache-2.0
// Pre-roll of live channels on a virtual clock: after the ads, content goes on at its next border, whether or not the channel has
// breaks, and however short its window is.
import { expect, test } from 'vitest';
import { isOurs } from '../laws/readBack.ts';
import { fileStage } from './fileStage.ts';
import { airLive, offerSpots, replacedIntervals, segmentsOf, startOrigin } from './liveStage.ts';
import { titlesOf } from './stage.ts';

const stage = await fileStage();

test.concurrent.each([
  { format: 'hls', window: 8, maxDuration: 30 },
  { format: 'dash', window: 8, maxDuration: 30 },
  { format: 'hls', window: 3, maxDuration: 120 },
  { format: 'dash', window: 3, maxDuration: 120 },
  { format: 'hls', window: 8, maxDuration: 10 },
] as const)('$format, $maxDuration s at most, $window segments', async ({ format, window, maxDuration }) => {
  const id = `${format}-${window}-${maxDuration}`;
  const origin = await startOrigin(stage, { window });
  const url = format === 'hls' ? origin.hlsUrl : origin.dashUrl;
  await airLive(stage, id, { sourceManifestUrl: url }, { preroll: { maxDuration } });
  await offerSpots(stage, id);
  const viewer = await stage.watch(id, { opens: format, hls: format === 'hls', dash: format === 'dash' });
  await stage.clock.sleep(40_000);
  await viewer.leave();
  expect(viewer.faults).toEqual([]);
  const [preroll] = await stage.breaks(viewer);
  expect(titlesOf(preroll!)).toEqual(['Ad four', 'Ad six']);
  for (const rung of viewer.rungs) {
    const segments = segmentsOf(viewer, rung);
    const [own, ...others] = replacedIntervals(viewer, rung);
    expect(others).toEqual([]);
    expect(own!.startsAt).toBe(segments[0]!.date);
    expect(Math.round((own!.endsAt - own!.startsAt) / 1000)).toBe(10);
    expect(segments.filter(({ uri }) => !isOurs(uri)).length).toBeGreaterThan(8);
  }
});
