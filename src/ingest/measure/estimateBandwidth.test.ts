// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { SegmentUrls, Track } from '../../timeline/asset/asset.ts';
import { packUrls } from '../../timeline/asset/segmentUrl.ts';
import type { NominalTrack } from '../source/presentation.ts';
import { correctBandwidth } from './estimateBandwidth.ts';

/** Two seconds at 8 kbit/s, then a tenth of a second at a higher rate. No segment has been read. */
function corrected(bandwidth: number, urls: SegmentUrls) {
  const borders = Float64Array.of(0, 10, 20, 21);
  const track: Track = { borders, urls };
  const nominal: NominalTrack = { urls, count: 3, nominalBorders: borders, nominalTimescale: 10, exact: true };
  return correctBandwidth({ bandwidth, averageBandwidth: bandwidth }, [{ nominal, track }], 10, new Map());
}
const indexed: SegmentUrls = {
  kind: 'ranges',
  url: 'https://o.test/v.mp4',
  starts: Float64Array.of(0, 1200, 2000),
  lengths: Float64Array.of(1200, 800, 1000),
};

test('the sizes in a segment index replace a declared bandwidth that is clearly too low', () => {
  expect(corrected(1000, indexed)).toEqual({ bandwidth: 9600, averageBandwidth: 8000 });
});

test('the declared bandwidth is kept if it is near the measured one, above it, or if no size is known', () => {
  expect(corrected(7000, indexed)).toEqual({ bandwidth: 7000, averageBandwidth: 7000 });
  expect(corrected(90_000, indexed)).toEqual({ bandwidth: 90_000, averageBandwidth: 90_000 });
  const listed = packUrls(['https://o.test/a', 'https://o.test/b', 'https://o.test/c']);
  expect(corrected(1000, listed)).toEqual({ bandwidth: 1000, averageBandwidth: 1000 });
});
