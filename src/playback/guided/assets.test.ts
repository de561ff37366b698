// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { secondsToFlicks } from '../../time/units.ts';
import type { Span } from '../../timeline/programme/span.ts';
import { assetsOf, longestOf } from './assets.ts';

const clipOf = (seconds: number) => ({ placed: { clip: { duration: secondsToFlicks(seconds) } } }) as unknown as Span;
const secondsOf = ({ placed: { clip } }: Span) => clip.duration / secondsToFlicks(1);

test.each([
  [[], []],
  [
    [10, 20],
    [[10], [20]],
  ],
  [
    [10, 20, 0.4],
    [[10], [20, 0.4]],
  ],
  [
    [0.4, 10, 20],
    [[0.4, 10], [20]],
  ],
  [
    [0.4, 1, 0.3, 2, 10],
    [[0.4, 1, 0.3], [2], [10]],
  ],
  [
    [10, 1, 10],
    [[10, 1], [10]],
  ],
  [[0.4], [[0.4]]],
])('the assets of clips of %j seconds are not short', (clips, assets) => {
  expect(assetsOf(clips.map(clipOf)).map((asset) => asset.map(secondsOf))).toEqual(assets);
});

test('an asset with one Period has the longest of its clips', () => {
  const [asset] = assetsOf([0.4, 10, 1].map(clipOf));
  expect(secondsOf(longestOf(asset!))).toBe(10);
});
