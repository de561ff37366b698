// SPDX-License-Identifier: Apache-2.0
// How the audio of a clip joins what plays before and after it (timeline/asset/audioJoin.ts).
import { FLICKS_PER_SECOND, flicks, flicksToTicks } from '../../time/units.ts';
import { borderAt, hasAudio } from '../../timeline/asset/asset.ts';
import { leadAfter, leadOver, type Sound, WHOLE_FRAME } from '../../timeline/asset/audioJoin.ts';
import { type Clip, cellOf, partOfClip } from '../../timeline/asset/clip.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import { audioGridOf } from '../creative/conditionedAsset.ts';

/** What plays next to a clip: a known clip, content of which only the border is known, or nothing. */
export type Neighbour = Clip | 'content' | undefined;

/** @param after `ours` if another clip of the break follows, which joins this one */
export function soundOf({ rungs }: Ladder, before: Neighbour, after: Neighbour | 'ours'): Sound {
  const leads = rungs.map((rung, index) => leadIn(before, rung, index));
  return after === 'ours' || after === undefined
    ? { leads }
    : { leads, trails: rungs.map((rung, index) => trailIn(after, rung, index)) };
}

/** The audio of a muxed segment is not measured. */
const isMeasured = (neighbour: Neighbour, { kind }: Rung): neighbour is Clip =>
  typeof neighbour === 'object' && kind === 'audio';

function leadIn(before: Neighbour, rung: Rung, index: number): number {
  if (before === undefined || !hasAudio(rung.kind)) return 0;
  const grid = audioGridOf(rung);
  const lead = before === 'content' ? undefined : before.sound?.leads[index];
  if (before !== 'content' && lead !== undefined) {
    const own = leadAfter(lead, (before.duration * grid.sampleRate) / FLICKS_PER_SECOND, grid);
    // A whole frame or none: the segments in between are then the same.
    return rung.kind === 'muxed' && own > 0 ? WHOLE_FRAME : own;
  }
  if (!isMeasured(before, rung)) return WHOLE_FRAME;
  return leadOver(-pastBorder(before, index, 'end') / frameSeconds(rung));
}

/** A whole frame, or none if the content's audio begins at the border. */
function trailIn(after: Clip | 'content', rung: Rung, index: number): number {
  if (!hasAudio(rung.kind)) return 0;
  if (!isMeasured(after, rung)) return WHOLE_FRAME;
  return leadOver(pastBorder(after, index, 'first') / frameSeconds(rung)) > 0 ? WHOLE_FRAME : 0;
}

const frameSeconds = (rung: Rung): number => {
  const { sampleRate, frameSamples } = audioGridOf(rung);
  return frameSamples / sampleRate;
};

/** How many seconds later than the start or the end of a clip the border of its first or last segment is in a rung. */
function pastBorder(clip: Clip, rung: number, segment: 'first' | 'end'): number {
  const cell = cellOf(clip, rung);
  const { timescale } = cell.rendition;
  const at = partOfClip(clip).zero + clip.from + (segment === 'end' ? clip.duration : 0);
  return (borderAt(cell.track.borders, cell[segment]) - flicksToTicks(flicks(at), timescale)) / timescale;
}
