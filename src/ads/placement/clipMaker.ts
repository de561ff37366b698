// Clips of conditioned media on one ladder. They are values of their arguments, so the latest ones are kept.
import { LRUCache } from 'lru-cache';
import type { Clip } from '../../timeline/asset/clip.ts';
import { MEDIA_BASE } from '../../timeline/asset/mediaBase.ts';
import type { Ladder } from '../../timeline/ladder/ladder.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import { adClip, type ClipMaker, slateClip } from './breakClips.ts';

/** Conditioned media by id. */
export type FindMedia = (id: string) => ConditionedMedia | undefined;

const MOST_CLIPS = 2000;

export function createClipMaker(ladder: Ladder, findMedia: FindMedia): ClipMaker {
  const clips = new LRUCache<string, Clip>({ max: MOST_CLIPS });
  const keep = (key: string, make: () => Clip): Clip => {
    const known = clips.get(key) ?? make();
    clips.set(key, known);
    return known;
  };
  const mediaOf = (id: string): ConditionedMedia => {
    const found = findMedia(id);
    if (found === undefined) throw new Error(`The conditioned media ${id} no longer exist.`);
    return found;
  };
  return {
    ad: (id, frames) => keep(`${id} ${frames}`, () => adClip(mediaOf(id), ladder, frames, MEDIA_BASE)),
    slate: (id, frames, shown = frames) =>
      keep(`${id} ${frames} ${shown}`, () => slateClip(mediaOf(id), ladder, frames, shown, MEDIA_BASE)),
  };
}
