// SPDX-License-Identifier: Apache-2.0
import { framesToSeconds } from '../../time/frameRate.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';
import type { MediaSummary, RenditionSummary } from './creativeJobs.ts';

/** @param ladder for which the media were made */
export function summarizeMedia({ media, frameRate, tracks }: PackagedMedia, ladder: Ladder): MediaSummary {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    ...(media.asset === undefined ? {} : { isListed: true as const }),
    mediaId: media.id,
    frames: media.frames,
    duration: framesToSeconds(media.frames, frameRate),
    bytes: sum(tracks.map(({ initSize, sizes }) => initSize + sum(sizes))),
    renditions: media.rungs.map(({ codecs, bandwidth }, index): RenditionSummary => {
      const { id, kind, width, height } = ladder.rungs[index]!;
      const size = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
      return { id, kind, codecs, bandwidth, ...size };
    }),
  };
}
