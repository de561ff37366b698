// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { inParts, presentationOf, randomBreaks, titleOf } from '../../test/laws/syntheticPresentation.ts';
import { seededRandom } from '../../test/seededRandom.ts';
import { FLICKS_PER_MILLI, flicks } from '../time/units.ts';
import { listClips } from './listClips.ts';

const rate = { n: 25, d: 1 };
const START = Date.parse('2026-03-01T00:00:00.123Z');
const film = (name: string, segments: number) =>
  syntheticAsset({ name, rate, segments: new Array<number>(segments).fill(50) });

test('an item is one clip for each range between ads, and each ad and bumper is a clip', () => {
  const title = titleOf([film('a', 5), inParts(film('b', 3), film('c', 2))]);
  const second = (seconds: number) => flicks(seconds * 1000 * FLICKS_PER_MILLI);
  const ad = (adId: string) => ({ adId, mediaId: 'c0x50', frames: 50 });
  const bumper = { mediaId: 'cx25', frames: 25 };
  const { spans } = presentationOf(
    title,
    [
      { id: '0-1', at: second(0), ads: [ad('0-1-0')] },
      { id: '0-2', at: second(4), ads: [ad('0-2-0'), ad('0-2-1')], intro: bumper, outro: bumper },
      { id: '0-3', at: second(12), until: second(14), ads: [] },
      { id: '0-4', at: second(20), ads: [ad('0-4-0')], outro: bumper },
    ],
    START,
  );
  expect(listClips(title, { spans })).toEqual([
    { category: 'ad', adId: '0-1-0', duration: 2000 },
    { category: 'content', item: 0, duration: 4000 },
    { category: 'intro', duration: 1000 },
    { category: 'ad', adId: '0-2-0', duration: 2000 },
    { category: 'ad', adId: '0-2-1', duration: 2000 },
    { category: 'outro', duration: 1000 },
    { category: 'content', item: 0, duration: 6000 },
    { category: 'content', item: 1, duration: 10_000 },
    { category: 'ad', adId: '0-4-0', duration: 2000 },
    { category: 'outro', duration: 1000 },
  ]);
});

test('an item that follows itself is listed twice', () => {
  const asset = film('a', 3);
  const title = titleOf([asset, asset]);
  expect(listClips(title, presentationOf(title, [], START))).toEqual([
    { category: 'content', item: 0, duration: 6000 },
    { category: 'content', item: 1, duration: 6000 },
  ]);
});

test('durations add up to that of the presentation, and content is listed in order', () => {
  fc.assert(
    fc.property(
      fc.integer(),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
      (seed, counts) => {
        const [first, ...rest] = counts.map((count, index) => film(`f${index}`, count));
        const title = titleOf([first!, ...rest]);
        const presentation = presentationOf(title, randomBreaks(title, seededRandom(seed)), START);
        const clips = listClips(title, presentation);
        const sum = clips.reduce((total, { duration }) => total + duration, 0);
        expect(sum).toBe(Math.round(presentation.duration / FLICKS_PER_MILLI));
        const items = clips.flatMap((clip) => (clip.category === 'content' ? [clip.item] : []));
        expect(items).toEqual([...items].sort((a, b) => a - b));
        const ads = presentation.breaks.flatMap((one) => one.ads.map(({ adId }) => adId));
        expect(clips.flatMap((clip) => (clip.category === 'ad' ? [clip.adId] : []))).toEqual(ads);
      },
    ),
  );
});
