// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { inFlicks } from '../../test/laws/syntheticTitle.ts';
import { contentTimeOf, sourceTimeOf } from './contentClock.ts';

const breaks = [[0], [4, 8], [8, 12], [15]].map(([at, until]) => ({
  at: inFlicks(at!),
  ...(until === undefined ? {} : { until: inFlicks(until) }),
}));

test('content time does not advance within stretches', () => {
  const times = [0, 3, 4, 6, 8, 12, 13, 20].map((at) => contentTimeOf({ breaks }, inFlicks(at)) / inFlicks(1));
  expect(times).toEqual([0, 3, 4, 4, 4, 4, 5, 12]);
});

test('the content time of a stretch is the source time of its start', () => {
  const times = [0, 3, 4, 4.5, 5, 12].map((at) => sourceTimeOf({ breaks }, inFlicks(at)) / inFlicks(1));
  expect(times).toEqual([0, 3, 4, 12.5, 13, 20]);
});
