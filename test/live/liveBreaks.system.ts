// SPDX-License-Identifier: Apache-2.0
// Many live channels of one Midroll at the same time, on a virtual clock.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { liveBreakCases } from './scenarios/liveBreakCases.ts';
import { playLiveBreaks } from './scenarios/liveBreaks.ts';
import { openVirtualStage, type Stage } from './stage.ts';

vi.setConfig({ maxConcurrency: 50, testTimeout: 600_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openVirtualStage();
});
afterAll(() => stage?.close());

test.concurrent.each(liveBreakCases)('$name', async (one) => {
  await playLiveBreaks(stage, one);
});

test('Midroll logs no error', () => {
  expect(stage.midroll.bugs()).toEqual([]);
});
