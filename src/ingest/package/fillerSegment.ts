// Text that says nothing, beside an ad or slate: as long as the segment of pictures beside it.
import { videoTicks } from '../../timeline/frameGrid.ts';
import { textGrid } from '../../timeline/servedText.ts';
import {
  NO_CUES,
  readTextName,
  type TextSegment,
  type TextStretch,
  textInit,
  writeTextSegment,
} from '../text/textSegment.ts';
import type { PackagedMedia } from './packagedMedia.ts';
import { playedFrames } from './packagedRanges.ts';

/** @returns undefined for what does not exist */
export function fillerSegment(packaged: PackagedMedia, frames: number, name: string): TextSegment | undefined {
  const asked = readTextName(name);
  if (asked === undefined) return undefined;
  if (asked === 'init') return textInit(timescaleOf(packaged));
  const stretch = stretchOf(packaged, frames, asked.index);
  return stretch && writeTextSegment(asked, NO_CUES, stretch);
}

/** Text has the borders of the first rung's pictures, in their timescale. */
const ticksOf = ({ media, frameRate }: PackagedMedia) => videoTicks(frameRate, media.rungs[0]?.timescale);

const timescaleOf = (packaged: PackagedMedia): number => {
  const { asset } = packaged.media;
  return asset === undefined ? ticksOf(packaged).timescale : textGrid(asset).timescale;
};

function stretchOf(packaged: PackagedMedia, frames: number, index: number): TextStretch | undefined {
  const { asset } = packaged.media;
  const timescale = timescaleOf(packaged);
  if (asset === undefined) {
    const played = playedFrames(packaged, frames, index);
    const { frame } = ticksOf(packaged);
    return played && { timescale, zero: 0, from: played.from * frame, to: played.to * frame };
  }
  const { borders } = textGrid(asset).tracks[0]!;
  if (frames !== packaged.media.frames || index + 1 >= borders.length) return undefined;
  return { timescale, zero: 0, from: borders[index]!, to: borders[index + 1]! };
}
