// SPDX-License-Identifier: Apache-2.0
// Fits the clips of a live break to the end that it turned out to have. Whatever was listed while the end was unknown stays:
// segments that end at least half a second before it (`Span.isOpen`). The last filler has the odd length.
import { FLICKS_PER_SECOND, type Flicks, type FrameRate, flicks, framesToFlicks } from '../../time/units.ts';
import { announcedDuration, type Clip, cutClip, partOfClip } from '../../timeline/asset/clip.ts';
import { minSlateFrames } from '../../timeline/asset/frameGrid.ts';
import type { BreakClip, ClipMaker } from './breakClips.ts';
import { soundOf } from './soundOf.ts';

const exactFrames = (length: number, { n, d }: FrameRate): number => Math.round((length * n) / (d * FLICKS_PER_SECOND));

/** Its media may be half a frame longer. A whole number of frames would be longer than what is left of an open span. */
const MIN_FILLER = FLICKS_PER_SECOND / 2;

/** The segment borders of a clip, after its start, ascending; the last one is its end. */
const bordersOf = (clip: Clip): number[] =>
  [...partOfClip(clip).cutPoints]
    .map((point) => point - clip.from)
    .filter((point) => point > 0 && point <= clip.duration);

function shortened(clip: Clip, to: number): Clip | undefined {
  const renditions = clip.cells.map(({ rendition }) => rendition);
  const cut = cutClip(clip, renditions, flicks(clip.from + to));
  return cut && { ...cut, whole: announcedDuration(clip), ...(clip.sound && { sound: clip.sound }) };
}

const lasting = (clip: Clip, duration: Flicks): Clip => ({ ...clip, duration, whole: announcedDuration(clip) });

/** Slate at the end of a break. */
export const fillerOf =
  (slateId: string, clips: ClipMaker) =>
  (frames: number, before: Clip | undefined): Clip =>
    clips.slate(slateId, frames, frames, soundOf(clips.ladder, before ?? 'content', 'content'));

/**
 * @param clips in order, without gaps, from the start of the break
 * @param length of the break; at least half a second
 * @param slate makes slate of a number of frames that follows a clip, or content
 * @returns clips that last exactly `length`
 */
export function fitToEnd(
  clips: readonly BreakClip[],
  length: Flicks,
  rate: FrameRate,
  slate: (frames: number, before: Clip | undefined) => Clip,
): BreakClip[] {
  const frame = framesToFlicks(1, rate);
  const latest = length - MIN_FILLER;
  const isEnd = (at: number): boolean => Math.abs(at - length) <= frame;
  const kept: BreakClip[] = [];
  let reached = 0;
  for (const one of clips) {
    const start = framesToFlicks(one.at, rate);
    const to = bordersOf(one.clip).findLast((border) => start + border <= latest || isEnd(start + border));
    const clip = to === undefined || to === one.clip.duration ? one.clip : shortened(one.clip, to);
    if (to === undefined || clip === undefined) break;
    if (isEnd(start + to)) return [...kept, { ...one, clip: lasting(clip, flicks(length - start)) }];
    kept.push({ ...one, clip });
    reached = start + to;
    if (clip !== one.clip) break;
  }
  const filler = slate(Math.max(minSlateFrames(rate), exactFrames(length - reached, rate)), kept.at(-1)?.clip);
  const at = exactFrames(reached, rate);
  return [...kept, { at, clip: { ...filler, duration: flicks(length - framesToFlicks(at, rate)) } }];
}
