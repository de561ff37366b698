// SPDX-License-Identifier: Apache-2.0
// Whether slots may be listed as one piece. A track has one initialization section, and a Period one for each of its
// Representations.
import type { MediaRef } from '../../timeline/asset/asset.ts';
import type { Slot, SlotSegment } from '../slot.ts';

const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, '');

const sameInit = (one: MediaRef | undefined, other: MediaRef | undefined, urlOf: (url: string) => string): boolean =>
  one === undefined || other === undefined
    ? one === other
    : urlOf(one.url) === urlOf(other.url) &&
      one.range?.start === other.range?.start &&
      one.range?.length === other.range?.length;

const sameTexts = (one: readonly string[] = [], other: readonly string[] = []): boolean =>
  one.length === other.length && one.every((text, index) => text === other[index]);

/** An attribute list of EXT-X-KEY without its IV. */
const withoutIv = (keys: string): string => keys.replace(/(^|,)IV=0[xX][0-9A-Fa-f]+/, '');

const every = (a: Slot, b: Slot, isSame: (last: SlotSegment, first: SlotSegment) => boolean): boolean =>
  a.segments.every((segments, rung) => {
    const [last, first] = [segments.at(-1), b.segments[rung]?.[0]];
    return last !== undefined && first !== undefined && isSame(last, first);
  });

/** Whether two consecutive slots may be in one clip: initialization sections and keys are the same; IVs may differ. */
export const sharesTrack = (a: Slot, b: Slot): boolean =>
  every(
    a,
    b,
    (last, first) =>
      sameInit(last.init, first.init, (url) => url) &&
      sameTexts(last.keys?.map(withoutIv), first.keys?.map(withoutIv)) &&
      sameTexts(last.protection, first.protection),
  );

/**
 * Whether a slot may be in the stretch of the one before it: the initialization sections are the same, except for tokens in
 * their queries, and so is the protection of DASH. Keys of HLS may change within a stretch.
 */
export const sharesStretch = (a: Slot, b: Slot): boolean =>
  every(
    a,
    b,
    (last, first) => sameInit(last.init, first.init, withoutQuery) && sameTexts(last.protection, first.protection),
  );
