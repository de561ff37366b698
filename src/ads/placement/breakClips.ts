// SPDX-License-Identifier: Apache-2.0
// The clips that replace the slate of a break: slate up to the point at which a late joiner came, the ads with their
// bumpers, and slate for the rest. Their frames add up to those of the break (law 5).
import { type FrameRate, framesToFlicks } from '../../time/units.ts';
import { type Clip, cutClip } from '../../timeline/asset/clip.ts';
import { framesPerSecond, minSlateFrames, slateSegments } from '../../timeline/asset/frameGrid.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { Break } from '../../timeline/programme/span.ts';
import { creativeAsset, slateAsset } from '../creative/conditionedAsset.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import type { Decision, StitchedAd } from './decision.ts';

function required(clip: Clip | undefined, what: string): Clip {
  if (clip === undefined) throw new Error(`The ${what} clip has no segment in one of the rungs.`);
  return clip;
}

/** The first `shown` frames, which must end on a segment border, of slate of exactly `frames`. */
export function slateClip(
  media: ConditionedMedia,
  ladder: Ladder,
  frames: number,
  shown: number,
  mediaBase: string,
): Clip {
  const asset = slateAsset(media, ladder, frames, mediaBase);
  const to = framesToFlicks(shown, ladder.frameRate);
  return required(cutClip('slate', asset, asset.renditions, 0, framesToFlicks(0, ladder.frameRate), to), 'slate');
}

export function adClip(media: ConditionedMedia, ladder: Ladder, frames: number, mediaBase: string): Clip {
  const asset = creativeAsset(media, ladder, frames, mediaBase);
  const { duration } = asset.parts[0]!;
  return required(cutClip('ad', asset, asset.renditions, 0, framesToFlicks(0, ladder.frameRate), duration), 'ad');
}

/** Makes clips for a channel's ladder, and caches them so that viewers share them. */
export type ClipMaker = {
  ad(mediaId: string, frames: number): Clip;
  slate(slateId: string, frames: number, shown?: number): Clip;
  /** How many are in the cache. */
  size(): number;
};

/** A clip that starts `at` frames after the start of its break. `ad` is absent for slate and bumpers. */
export type BreakClip = { readonly at: number; readonly clip: Clip; readonly ad?: StitchedAd };

/** The clips of a decided break, in order. */
export function breakClips(decision: Decision, { frames, slateId }: Break, clips: ClipMaker): BreakClip[] {
  if (decision.ads.length === 0) return [{ at: 0, clip: clips.slate(slateId, frames) }];
  const made: BreakClip[] = [];
  if (decision.joined > 0) made.push({ at: 0, clip: clips.slate(slateId, frames, decision.joined) });
  let at = decision.joined;
  const { intro, outro } = decision;
  if (intro !== undefined) {
    made.push({ at, clip: clips.ad(intro.mediaId, intro.frames) });
    at += intro.frames;
  }
  for (const ad of decision.ads) {
    made.push({ at, clip: clips.ad(ad.mediaId, ad.frames), ad });
    at += ad.frames;
  }
  const end = frames - (outro?.frames ?? 0);
  if (at > end) throw new Error(`The pod has ${at} frames; the break has only ${end}.`);
  if (at < end) made.push({ at, clip: clips.slate(slateId, end - at) });
  if (outro !== undefined) made.push({ at: end, clip: clips.ad(outro.mediaId, outro.frames) });
  return made;
}

/**
 * The frame of a break at which the ads of a viewer who joins `elapsed` frames after its start may begin: the next segment
 * border of the slate. Undefined when the rest of the break is too short for an ad.
 */
export function joinFrame(frames: number, elapsed: number, rate: FrameRate): number | undefined {
  if (elapsed <= 0) return 0;
  const { first, whole } = slateSegments(frames, rate);
  const second = framesPerSecond(rate);
  const next = elapsed <= first ? first : first + Math.ceil((elapsed - first) / second) * second;
  const left = frames - next;
  return next < first + whole * second && left >= 2 * minSlateFrames(rate) ? next : undefined;
}
