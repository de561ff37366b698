// SPDX-License-Identifier: Apache-2.0
// Text segments without cues for ads and slate, each as long as the video segment that it accompanies.
import type { TextInterval } from '../../subtitles/cue.ts';
import { writeStppInit, writeStppSegment } from '../../subtitles/mp4Text.ts';
import { numberAt } from '../../time/row.ts';
import { videoTicks } from '../../timeline/asset/frameGrid.ts';
import { STPP, textGrid } from '../../timeline/ladder/servedText.ts';
import { NO_CUES, readTextName, type TextSegment, textInit, writeTextSegment } from '../text/textSource.ts';
import { type PackagedMedia, playedFrames } from './packagedMedia.ts';

const MP4 = 'application/mp4';

/** For rungs with TTML (`fillerText`). */
function stppSegment(packaged: PackagedMedia, frames: number, name: string): TextSegment | undefined {
  if (name === STPP.init) return { bytes: writeStppInit(timescaleOf(packaged)), contentType: MP4 };
  const [, index] = /^(0|[1-9]\d{0,6})\.stpp\.m4s$/.exec(name) ?? [];
  const interval = index === undefined ? undefined : intervalOf(packaged, frames, Number(index));
  return interval && { bytes: writeStppSegment(Number(index) + 1, interval.from, interval.to), contentType: MP4 };
}

export function fillerSegment(packaged: PackagedMedia, frames: number, name: string): TextSegment | undefined {
  if (name.includes('stpp')) return stppSegment(packaged, frames, name);
  const segment = readTextName(name);
  if (segment === undefined) return undefined;
  if (segment === 'init') return textInit(timescaleOf(packaged));
  const interval = intervalOf(packaged, frames, segment.index);
  return interval && writeTextSegment(segment, NO_CUES, interval);
}

/** Text has the borders of the first rung's video, in its timescale. */
const ticksOf = ({ media, frameRate }: PackagedMedia) => videoTicks(frameRate, media.rungs[0]?.timescale);

const timescaleOf = (packaged: PackagedMedia): number => {
  const { asset } = packaged.media;
  return asset === undefined ? ticksOf(packaged).timescale : textGrid(asset).timescale;
};

function intervalOf(packaged: PackagedMedia, frames: number, index: number): TextInterval | undefined {
  const { asset } = packaged.media;
  const timescale = timescaleOf(packaged);
  if (asset === undefined) {
    const played = playedFrames(packaged, frames, index);
    const { frame } = ticksOf(packaged);
    return played && { timescale, zero: 0, from: played.from * frame, to: played.to * frame };
  }
  const borders = textGrid(asset).tracks[0]?.borders ?? new Float64Array();
  if (frames !== packaged.media.frames || index + 1 >= borders.length) return undefined;
  return { timescale, zero: 0, from: numberAt(borders, index), to: numberAt(borders, index + 1) };
}
