// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { createManualClock } from '../../../../test/laws/manualClock.ts';
import { feedOf } from '../../../../test/laws/scriptedFeed.ts';
import { reading } from '../../../../test/live/origin/readings.ts';
import { millis } from '../../../time/units.ts';
import { createLiveFeedReading, modeOf } from './feedReading.ts';
import { createLiveFeedSources } from './feedSources.ts';

const BACKUP = 'https://backup.test/master.m3u8';
const TARGET_MS = 2000;

test('a process that was suspended lists no slate and no backup after others have listed content', async () => {
  const clock = createManualClock(1_000_000, () => false);
  const { now, timers } = clock;
  const silent = { read: () => new Promise<never>(() => {}), targetDuration: () => 2 };
  const sources = createLiveFeedSources(
    { readerFor: () => silent, ...clock, onDefect: () => expect.unreachable() },
    feedOf('life', now()),
    () => [BACKUP],
  );
  const origins = createLiveFeedReading(sources, { now, timers, wokenAt: millis(0) });
  const before = { isAway: false, contentAt: now() };
  await clock.advance(9000);
  const { value: found } = await clock.runUntil(origins.read(before, TARGET_MS));
  expect(found.isTrouble).toBe(true);
  const candidates = [undefined, BACKUP].map((backup) => ({ reading: reading(), at: now(), backup }));
  const all = { ...found, candidates };
  expect(origins.stillValid(all, before, TARGET_MS)).toBe(all);
  const valid = origins.stillValid(all, { isAway: false, contentAt: millis(now() - 1500) }, TARGET_MS);
  expect([valid.isTrouble, valid.candidates]).toEqual([false, [candidates[0]]]);
  expect(origins.stillValid(all, { isAway: true, contentAt: now() }, TARGET_MS)).toBe(all);
});

test.each([
  ['a segment that is longer than those of before', 10_000, [12, 18, 19]],
  ['no target duration', undefined, [6, 9, 10]],
  ['a shorter target duration', 2000, [6, 9, 10]],
])('no slate is on air while an origin with %s may still make a segment', (_what, statedMs, [calm, wary, trouble]) => {
  const woken = millis(1_000_000);
  const modes = [calm, wary, trouble].map((seconds) =>
    modeOf({ isAway: false, contentAt: woken }, woken, 3000, millis(woken + seconds! * 1000), statedMs),
  );
  expect(modes).toEqual([statedMs === 10_000 ? 'wary' : 'calm', 'wary', 'trouble']);
});
