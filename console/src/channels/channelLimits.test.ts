// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { channelBody } from '../../../src/http/contract/channelContract.ts';
import { channelLimits, limitHint } from './channelLimits.ts';

test('limits and defaults are those of the contract', () => {
  const { fillThreshold, playlistSize, timeShiftWindow, breakDuration, maxBreakDuration, vodBudgetMs, adSource } =
    channelBody.properties;
  const schemas = {
    fillThreshold,
    playlistSize,
    timeShiftWindow,
    breakDuration,
    maxBreakDuration,
    vodBudgetMs,
    timeoutMs: adSource.properties.timeoutMs,
  };
  expect(schemas).toMatchObject(channelLimits);
  expect(limitHint('breakDuration')).toMatch(/^0\.5 to 3,600\./);
  expect(limitHint('timeoutMs')).toBe('100 to 10,000. Default: 2,000.');
});
