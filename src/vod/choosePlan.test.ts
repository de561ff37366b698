// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { inFlicks, titleOfAll, twoSecondAsset } from '../../test/laws/syntheticTitle.ts';
import type { ContentItem } from '../channels/playlist.ts';
import { choosePlan } from './choosePlan.ts';

const plain = titleOfAll(twoSecondAsset('plain', 10));
const markers = [{ at: inFlicks(8), source: 'EXT-X-CUE-OUT' }];
const marked = titleOfAll(twoSecondAsset('marked', 10, { markers }));
const bare: ContentItem[] = [{ sourceType: 'url', cuePoints: [] }];
const cued: ContentItem[] = [{ sourceType: 'url', cuePoints: [{ spliceTime: 4 }] }];

test('auto prefers cue points to markers, and leaves the breaks to the ad server when there are neither', () => {
  expect(choosePlan(marked, cued)).toMatchObject({ breaks: [{ origin: 'cuePoint', at: inFlicks(4) }] });
  expect(choosePlan(marked, bare, 'auto')).toMatchObject({ breaks: [{ origin: 'marker', at: inFlicks(8) }] });
  expect(choosePlan(plain, bare, 'auto')).toBeUndefined();
});

test('any other source is used alone', () => {
  expect(choosePlan(marked, cued, 'manifest')).toMatchObject({ breaks: [{ origin: 'marker' }] });
  expect(choosePlan(marked, cued, 'vmap')).toBeUndefined();
  expect(choosePlan(marked, bare, 'cuePoints')).toEqual({ breaks: [], dropped: [] });
  expect(choosePlan(plain, cued, 'manifest')).toEqual({ breaks: [], dropped: [] });
});

test('the duration of the channel applies to breaks without one', () => {
  expect(choosePlan(plain, cued, 'auto', 20)).toMatchObject({ breaks: [{ duration: 20 }] });
  const { breaks } = choosePlan(marked, bare, 'auto', 20)!;
  expect(breaks).toMatchObject([{ duration: 20 }]);
  expect(breaks[0]!.isOpen).toBeUndefined();
});
