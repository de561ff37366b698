// SPDX-License-Identifier: Apache-2.0
// How the audio of a clip joins the clip before it (timeline/asset/audioJoin.ts).
import { FLICKS_PER_SECOND, flicks, flicksToTicks } from '../../time/units.ts';
import { LEAD_AFTER_CONTENT, leadAfter, leadOver, type Sound } from '../../timeline/asset/audioJoin.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import { audioGridOf } from '../creative/conditionedAsset.ts';

/**
 * @param before undefined after content
 * @param isLast whether content follows
 */
export const soundAfter = (before: Clip | undefined, { rungs }: Ladder, isLast: boolean): Sound => ({
  leads: rungs.map((rung, index) => (before === undefined ? LEAD_AFTER_CONTENT : leadIn(before, rung, index))),
  isLast,
});

function leadIn({ sound, asset, part, from, duration, cells }: Clip, rung: Rung, index: number): number {
  if (rung.kind === 'video' || rung.kind === 'text') return 0;
  const grid = audioGridOf(rung);
  const lead = sound?.leads[index];
  const known =
    lead === undefined ? undefined : leadAfter(lead, (duration * grid.sampleRate) / FLICKS_PER_SECOND, grid);
  // A whole frame or none: the segments in between are then the same. Without a sound, the audio of a muxed segment is not known.
  if (rung.kind === 'muxed') return known === 0 ? 0 : LEAD_AFTER_CONTENT;
  if (known !== undefined) return known;
  // Listed as it is, or made by an earlier version.
  const { rendition, track, end } = cells[index]!;
  const border = flicksToTicks(flicks(asset.parts[part]!.zero + from + duration), rendition.timescale);
  const hole = (border - track.borders[end]!) / rendition.timescale;
  return leadOver((hole * grid.sampleRate) / grid.frameSamples);
}
