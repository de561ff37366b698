// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { fileStage } from '../fileStage.ts';
import { playSecondMidroll } from './secondMidroll.ts';

const stage = await fileStage();

test('a live channel finds every break of a marked view, with its start and its length', async () => {
  const breaks = [
    { spliceTime: 14, maxDuration: 10 },
    { spliceTime: -1, maxDuration: 20 },
  ];
  const count = await playSecondMidroll(stage, { minutes: 12, film: { seconds: 40 }, breaks, how: {} });
  expect(count).toBeGreaterThan(10);
});
