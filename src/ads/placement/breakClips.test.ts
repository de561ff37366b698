// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset, syntheticMedia } from '../../../test/laws/syntheticMedia.ts';
import { secondsToFlicks } from '../../time/units.ts';
import { cutClip } from '../../timeline/asset/clip.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { clipMakerFor, soundOf } from './breakClips.ts';

// A second at 25 frames per second has 46.875 audio frames.
const shape = { name: 'film', segments: new Array<number>(8).fill(25) };
const asset = syntheticAsset({ ...shape, qualities: 1 });
const ladder = ladderOf([asset]);
const content = (from: number, to: number) =>
  cutClip({ kind: 'content', asset, part: 0, from: secondsToFlicks(from) }, asset.renditions, secondsToFlicks(to))!;

test.each([
  // The content's audio ends an eighth of a frame late at 1 s, 0.375 frames late at 3 s, and 0.375 frames early at 5 s.
  [content(0, 1), 0],
  [content(0, 3), 0],
  [content(0, 5), 2],
  ['content', 4],
  [undefined, 0],
] as const)('audio begins where that of the content before it ends (%#)', (before, lead) => {
  expect(soundOf(ladder, before, 'ours')).toEqual({ leads: [0, lead] });
});

test.each([
  [content(1, 2), 4],
  [content(5, 6), 0],
  [content(0, 1), 0],
  ['content', 4],
] as const)('audio ends where that of the content after it begins (%#)', (after, trail) => {
  expect(soundOf(ladder, undefined, after).trails).toEqual([0, trail]);
});

test('nothing is added at the end of a presentation', () => {
  expect(soundOf(ladder, content(0, 1), undefined)).toEqual({ leads: [0, 0] });
});

test('channels with equal ladders share clips', () => {
  const findMedia = (id: string) => syntheticMedia(id, 250, ladder);
  const clip = clipMakerFor(ladder, findMedia).ad('spot', 250);
  expect(clipMakerFor(structuredClone(ladder), findMedia).ad('spot', 250)).toBe(clip);
  expect(clipMakerFor({ ...ladder, targetDuration: 9 }, findMedia).ad('spot', 250)).not.toBe(clip);
  expect(clipMakerFor(ladder, (id) => findMedia(id)).ad('spot', 250)).not.toBe(clip);
});
