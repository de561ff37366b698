// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { millis } from '../time/units.ts';
import { viewerCounter } from './viewerCounter.ts';

test('viewers are sessions of the last minute', async () => {
  const requests: unknown[] = [];
  const watching = async (...request: unknown[]) => {
    requests.push(request);
    return new Map([['one', 2]]);
  };
  const countViewers = viewerCounter({ watching }, () => millis(1_000_000));
  expect(await countViewers('acme', ['one', 'two'])).toEqual(new Map([['one', 2]]));
  expect(requests).toEqual([['acme', ['one', 'two'], 940_000]]);
});
