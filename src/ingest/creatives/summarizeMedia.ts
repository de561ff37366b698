import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { PackagedMedia } from '../package/packagedMedia.ts';
import type { MediaSummary, RenditionSummary } from './creativeJobs.ts';

/** What a list shows of media that were made for a ladder. */
export function summarizeMedia({ media, frameRate, tracks }: PackagedMedia, ladder: Ladder): MediaSummary {
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    ...(media.asset === undefined ? {} : { isListed: true as const }),
    mediaId: media.id,
    frames: media.frames,
    duration: (media.frames * frameRate.d) / frameRate.n,
    bytes: sum(tracks.map(({ initSize, sizes }) => initSize + sum(sizes))),
    renditions: media.rungs.map(({ codecs, bandwidth }, index): RenditionSummary => {
      const { id, kind, width, height } = ladder.rungs[index]!;
      const size = { ...(width === undefined ? {} : { width }), ...(height === undefined ? {} : { height }) };
      return { id, kind, codecs, bandwidth, ...size };
    }),
  };
}
