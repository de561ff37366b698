// SPDX-License-Identifier: Apache-2.0
// Makes clips of conditioned media for one ladder. A clip depends only on its arguments, so recent clips are cached.
import { LRUCache } from 'lru-cache';
import { AppError } from '../../errors.ts';
import { type Sound, soundText } from '../../timeline/asset/audioJoin.ts';
import type { Clip } from '../../timeline/asset/clip.ts';
import { MEDIA_BASE } from '../../timeline/asset/segmentUrl.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import { adClip, type ClipMaker, slateClip } from './breakClips.ts';

/** Conditioned media by id. */
export type FindMedia = (id: string) => ConditionedMedia | undefined;

/**
 * Makes media known to `FindMedia` that other nodes have made.
 * @returns false if the store of media does not respond: what is not found may exist nevertheless
 */
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

export function createClipMaker(ladder: Ladder, findMedia: FindMedia): ClipMaker {
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
