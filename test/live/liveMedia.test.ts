// SPDX-License-Identifier: Apache-2.0
// Live origins of every kind of media, on a virtual clock.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { playLiveBreaks } from './scenarios/liveBreaks.ts';
import { liveMediaCases } from './scenarios/liveMediaCases.ts';
import { openVirtualStage, type Stage } from './stage.ts';

vi.setConfig({ maxConcurrency: 50, testTimeout: 600_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openVirtualStage();
});
afterAll(() => stage?.close());

test.concurrent.each(liveMediaCases)('$name', async (one) => {
  await playLiveBreaks(stage, one);
});

test('Midroll logs no error', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
