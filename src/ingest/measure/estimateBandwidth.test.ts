import { expect, test } from 'vitest';
import type { SegmentUrls, Track } from '../../timeline/asset.ts';
import { packUrls } from '../../timeline/segmentUrl.ts';
import { createMediaReader } from '../source/mediaReader.ts';
import type { NominalTrack } from '../source/presentation.ts';
import { correctBandwidth } from './estimateBandwidth.ts';

/** Two seconds of 8 kbit/s and a tenth of one that is fuller; nothing has been read of it. */
function believed(bandwidth: number, urls: SegmentUrls) {
  const borders = Float64Array.of(0, 10, 20, 21);
  const track: Track = { borders, urls };
  const nominal: NominalTrack = { urls, count: 3, nominalBorders: borders, nominalTimescale: 10, exact: true };
  const away = async () => ({ ok: false, reason: 'is away' }) as const;
  const reader = createMediaReader({ read: away, save: away });
  return correctBandwidth({ bandwidth, averageBandwidth: bandwidth }, [nominal], [track], 10, reader);
}
const indexed: SegmentUrls = {
  kind: 'ranges',
  url: 'https://o.test/v.mp4',
  starts: Float64Array.of(0, 1200, 2000),
  lengths: Float64Array.of(1200, 800, 1000),
};

test('what an index of the media tells is believed where a manifest tells clearly less', () => {
  expect(believed(1000, indexed)).toEqual({ bandwidth: 9600, averageBandwidth: 8000 });
});

test('a manifest is believed that tells about as much, or more, or of which nothing else is known', () => {
  expect(believed(7000, indexed)).toEqual({ bandwidth: 7000, averageBandwidth: 7000 });
  expect(believed(90_000, indexed)).toEqual({ bandwidth: 90_000, averageBandwidth: 90_000 });
  const listed = packUrls(['https://o.test/a', 'https://o.test/b', 'https://o.test/c']);
  expect(believed(1000, listed)).toEqual({ bandwidth: 1000, averageBandwidth: 1000 });
});
