// SPDX-License-Identifier: Apache-2.0
import type { OriginSegment } from '../../../live/origin.ts';
import { packRefs } from '../../../timeline/asset/segmentUrl.ts';
import { createTrackOpener } from '../../measure/openTrack.ts';
import { type MediaReader, shortUrl } from '../../source/mediaReader.ts';
import type { NominalTrack } from '../../source/presentation.ts';

/** The earliest presentation time of a segment, in ticks of `timescale`. */
export async function readMediaTime(
  { media, init }: OriginSegment,
  timescale: number,
  reader: MediaReader,
): Promise<number | { readonly refused: string }> {
  const track: NominalTrack = {
    ...(init && { init }),
    ...{ urls: packRefs([media]), count: 1, exact: false },
    ...{ nominalBorders: Float64Array.of(0, 1), nominalTimescale: 1 },
  };
  const opened = await createTrackOpener(reader)(track);
  const start = 'refused' in opened ? opened : await opened.startOf(0);
  if (typeof start === 'number' && !('refused' in opened)) return scaled(start, opened.timescale, timescale);
  const { refused } = start as { refused: string };
  return { refused: refused.includes(shortUrl(media.url)) ? refused : `${shortUrl(media.url)}: ${refused}` };
}

function scaled(time: number, from: number, to: number): number {
  const seconds = Math.floor(time / from);
  return seconds * to + Math.round(((time - seconds * from) * to) / from);
}
