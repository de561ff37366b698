// SPDX-License-Identifier: Apache-2.0
// The reader of live DASH origins, on the origin of the tests: it finds all segments and all breaks, and a sample is measured.
import { expect, test } from 'vitest';
import { createEgressGuard } from '../../../src/adapters/http/egressGuard.ts';
import { createHttpOrigin } from '../../../src/adapters/http/httpOrigin.ts';
import { analyseOrigin } from '../../../src/ingest/live/analyseOrigin.ts';
import { createDashOriginReader } from '../../../src/ingest/live/dash/createDashOriginReader.ts';
import { createDashSampler } from '../../../src/ingest/live/dash/sampleDashOrigin.ts';
import type { RungSource } from '../../../src/live/feed.ts';
import { flicksToMillis, flicksToSeconds } from '../../../src/time/units.ts';
import { after } from '../../../src/timeline/programme/span.ts';
import type { LiveOriginSetup } from './liveOrigin.ts';
import { dashMarkers } from './markers/dashMarkers.ts';
import { readFrom } from './memoryOrigin.ts';
import { startOriginOfTest } from './originOfTest.ts';

async function start(setup: Partial<LiveOriginSetup>) {
  const { clock, origin: live } = await startOriginOfTest(setup);
  const origin = createHttpOrigin(createEgressGuard({ allow: ['127.0.0.1/32'] }));
  const sample = createDashSampler(clock.now);
  const analyse = () =>
    analyseOrigin(
      { origin, sample: { hls: sample, dash: sample }, now: clock.now, log: () => undefined },
      live.dashUrl,
    );
  return { clock, live, origin, sample, analyse };
}

test.each(['time', 'number', 'duration'] as const)('finds every segment by %s', async (addressing) => {
  const { clock, live, origin, analyse } = await start({ addressing, languages: ['en', 'sv'], gzips: true });
  const { playable, problems, window } = await analyse();
  expect(problems).toEqual([]);
  expect(window).toEqual({ seconds: 12, segments: 6 });
  expect(playable).toMatchObject({ format: 'dash', serves: 'dash', targetDuration: 2 });
  const { renditions } = playable!.asset;
  expect(renditions.map(({ kind, language }) => language ?? kind)).toEqual(['video', 'video', 'en', 'sv']);
  expect(renditions.map(({ id }) => id)).toEqual(['0/v0', '0/v1', '1/a0', '2/a1']);
  const rungs = renditions.map(({ id, tracks: _tracks, ...one }): RungSource => ({ ...one, key: id }));
  const reader = createDashOriginReader({ origin, feed: { url: live.dashUrl, rungs }, now: clock.now });
  const seen = rungs.map(() => new Map<number, string>());
  for (let poll = 0; poll < 12; poll += 1) {
    const reading = await readFrom(reader);
    for (const [rung, { segments }] of (reading?.renditions ?? []).entries()) {
      for (const { number, startsAt, media } of segments) {
        const text = JSON.stringify([startsAt, media.url]);
        expect(seen[rung]!.get(number) ?? text).toBe(text);
        seen[rung]!.set(number, text);
      }
    }
    clock.at += 1300;
  }
  for (const one of seen) {
    const numbers = [...one.keys()];
    expect(numbers).toEqual(numbers.map((_, index) => numbers[0]! + index));
    expect(numbers.length).toBeGreaterThan(12);
  }
});

test.each(dashMarkers)('finds the breaks that are marked as %s', async (form) => {
  const { clock, live, analyse, origin } = await start({
    dashMarkers: form,
    window: 20,
    breaks: { every: 20, seconds: 6, lead: 4 },
  });
  clock.at += 60_000;
  const { breaks, playable, warnings } = await analyse();
  expect(warnings.filter(({ text }) => /event|Event/.test(text))).toEqual([]);
  const rungs = playable!.asset.renditions.map(({ id, tracks: _tracks, ...one }): RungSource => ({ ...one, key: id }));
  const reader = createDashOriginReader({ origin, feed: { url: live.dashUrl, rungs }, now: clock.now });
  const starts = new Set<number>();
  for (let poll = 0; poll < 40; poll += 1) {
    const reading = await readFrom(reader);
    const segments = new Map(reading?.renditions[0]?.segments.map((each) => [each.number, each]));
    for (const { kind, number, offset, duration } of reading?.signals ?? []) {
      const at = after(segments.get(number)!.startsAt!, offset);
      if (kind === 'out') starts.add(at.millis + flicksToMillis(at.rest));
      if (kind === 'out' && duration) expect(flicksToSeconds(duration)).toBeGreaterThan(0);
    }
    clock.at += 2000;
  }
  const expected = live.breaks(0).map(({ startsAt }) => startsAt);
  expect(expected.length).toBeGreaterThan(0);
  expect([...starts]).toEqual(expect.arrayContaining(expected));
  expect(breaks.length).toBeGreaterThanOrEqual(form === 'inband' ? 0 : 1);
});
