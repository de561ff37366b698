// SPDX-License-Identifier: Apache-2.0
// The clips that replace the slate of a break: slate up to the point at which a late joiner came, the ads with their
// bumpers, and slate for the rest. Their frames add up to those of the break (law 5).
import { LRUCache } from 'lru-cache';
import { memo } from '../../cache/memo.ts';
import { weakValueCache } from '../../cache/weakValueCache.ts';
import { AppError } from '../../errors.ts';
import {
  FLICKS_PER_SECOND,
  type Flicks,
  type FrameRate,
  flicks,
  flicksToTicks,
  framesToFlicks,
} from '../../time/units.ts';
import { type Asset, borderAt, hasAudio } from '../../timeline/asset/asset.ts';
import { leadAfter, leadOver, type Sound, soundText, WHOLE_FRAME } from '../../timeline/asset/audioJoin.ts';
import { type Clip, cellOf, cutClip, partOfClip } from '../../timeline/asset/clip.ts';
import { framesPerSecond, minSlateFrames, slateSegments } from '../../timeline/asset/frameGrid.ts';
import { MEDIA_BASE } from '../../timeline/asset/segmentUrl.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import type { Break } from '../../timeline/programme/span.ts';
import { audioGridOf, creativeAsset, slateAsset } from '../creative/conditionedAsset.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import type { Bumper, Decision, StitchedAd } from './decision.ts';

/** What plays next to a clip: a known clip, content of which only the border is known, or nothing. */
type Neighbour = Clip | 'content' | undefined;

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

/** The first `shown` frames, which must end on a segment border, of slate of exactly `frames`. */
export function slateClip(
  media: ConditionedMedia,
  ladder: Ladder,
  { frames, shown = frames }: { readonly frames: number; readonly shown?: number | undefined },
  mediaBase: string,
  sound: Sound = soundOf(ladder, 'content', 'content'),
): Clip {
  const joined = joins(media) ? sound : undefined;
  const asset = slateAsset(media, ladder, frames, mediaBase, joined);
  return clipOf('slate', asset, framesToFlicks(shown, ladder.frameRate), joined);
}

export function adClip(
  media: ConditionedMedia,
  ladder: Ladder,
  frames: number,
  mediaBase: string,
  sound?: Sound,
): Clip {
  const joined = joins(media) ? sound : undefined;
  const asset = creativeAsset(media, ladder, frames, mediaBase, joined);
  return clipOf('ad', asset, asset.duration, joined);
}

function clipOf(kind: Clip['kind'], asset: Asset, to: Flicks, sound: Sound | undefined): Clip {
  const clip = cutClip({ kind, asset, part: 0, from: flicks(0) }, asset.renditions, to);
  if (clip === undefined) throw new Error(`The ${kind} clip has no segment in one of the rungs.`);
  return sound === undefined ? clip : { sound, ...clip };
}

const joins = ({ asset, startFrame }: ConditionedMedia): boolean => asset === undefined && startFrame !== undefined;

/** Makes clips for a ladder, and caches them so that viewers share them. */
export type ClipMaker = {
  readonly ladder: Ladder;
  ad(mediaId: string, frames: number, sound?: Sound): Clip;
  /** @param sound by default that of slate between content */
  slate(slateId: string, frames: number, shown?: number, sound?: Sound): Clip;
  /** How many are in the cache. */
  size(): number;
};

export type FindMedia = (id: string) => ConditionedMedia | undefined;

/** Finds media of other nodes. @returns false if the store does not respond: more may exist nevertheless */
export type LoadMedia = (ids: readonly string[]) => Promise<boolean>;

/** A medium that a schedule contains is not stored, e.g. because the media folder was lost, or this node cannot read it yet. */
export class MissingMedia extends AppError {
  constructor(id: string) {
    super('UNAVAILABLE', `The conditioned media ${id} cannot be read at the moment. Retry soon.`, {
      part: 'media',
      retryAfter: 2,
    });
  }
}

const MAX_CLIPS = 2000;

const textOf = (sound: Sound | undefined): string => (sound === undefined ? '' : soundText(sound));

/** Each title of a VoD channel has a ladder, so there may be thousands. With `max`, a cache allocates all its entries at once. */
const limits = { maxSize: MAX_CLIPS, sizeCalculation: () => 1 };

const makers = memo((_: FindMedia) => weakValueCache<string, ClipMaker>());

/** Channels with equal ladders share their clips, since many channels show the same ads. */
export const clipMakerFor = (ladder: Ladder, findMedia: FindMedia): ClipMaker =>
  makers(findMedia)(JSON.stringify(ladder), () => createClipMaker(ladder, findMedia));

function createClipMaker(ladder: Ladder, findMedia: FindMedia): ClipMaker {
  const clips = new LRUCache<string, Clip>(limits);
  const keep = (key: string, make: () => Clip): Clip => {
    const known = clips.get(key) ?? make();
    clips.set(key, known);
    return known;
  };
  const mediaOf = (id: string): ConditionedMedia => {
    const found = findMedia(id);
    if (found === undefined) throw new MissingMedia(id);
    return found;
  };
  return {
    ladder,
    ad: (id, frames, sound) =>
      keep(`${id} ${frames} ${textOf(sound)}`, () => adClip(mediaOf(id), ladder, frames, MEDIA_BASE, sound)),
    slate: (id, frames, shown = frames, sound = undefined) =>
      keep(`${id} ${frames} ${textOf(sound)} ${shown}`, () =>
        slateClip(mediaOf(id), ladder, { frames, shown }, MEDIA_BASE, sound),
      ),
    size: () => clips.size,
  };
}

/** A clip that starts `at` frames after the start of its break. `ad` is absent for slate and bumpers. */
export type BreakClip = { readonly at: number; readonly clip: Clip; readonly ad?: StitchedAd };

/** The clips of a decided break, in order. */
export function breakClips(decision: Decision, { frames, slateId }: Break, clips: ClipMaker): BreakClip[] {
  if (decision.ads.length === 0) return [{ at: 0, clip: clips.slate(slateId, frames) }];
  const made: BreakClip[] = [];
  // A late joiner has seen the channel's own slate, so the break begins with it.
  if (decision.joined > 0) made.push({ at: 0, clip: clips.slate(slateId, frames, decision.joined) });
  let at = decision.joined;
  const sound = (length: number): Sound =>
    soundOf(clips.ladder, made.at(-1)?.clip ?? 'content', at + length === frames ? 'content' : 'ours');
  const show = ({ mediaId, frames: length }: Bumper, ad?: StitchedAd): void => {
    made.push({ at, clip: clips.ad(mediaId, length, sound(length)), ...(ad && { ad }) });
    at += length;
  };
  const { intro, outro } = decision;
  if (intro !== undefined) show(intro);
  for (const ad of decision.ads) show(ad, ad);
  const rest = frames - (outro?.frames ?? 0) - at;
  if (rest < 0) throw new Error(`The pod has ${at} frames; the break has only ${at + rest}.`);
  if (rest > 0) made.push({ at, clip: clips.slate(slateId, rest, rest, sound(rest)) });
  at += rest;
  if (outro !== undefined) show(outro);
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
