// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { flicks, framesToFlicks } from '../../time/units.ts';
import type { Asset, Rendition } from '../../timeline/asset/asset.ts';
import type { Ladder, Rung } from '../../timeline/ladder/ladder.ts';
import type { ConditionedMedia } from '../creative/creative.ts';
import { adClip } from './breakClips.ts';
import { adSegment } from './trackedClip.ts';

const rate = { n: 25, d: 1 };
const rung: Rung = { id: 'v0', kind: 'video', codecs: 'avc1.64001f', bandwidth: 1e6, averageBandwidth: 1e6 };
const ladder: Ladder = { container: 'fmp4', layout: 'videoOnly', frameRate: rate, targetDuration: 3, rungs: [rung] };
const conditionedRung = { codecs: 'avc1.64001f', timescale: 25_000, bandwidth: 1000, averageBandwidth: 900 };
const conditioned: ConditionedMedia = { id: '0a1b', frames: 125, rungs: [conditionedRung] };

const rendition: Rendition = {
  id: 'theirs',
  kind: 'video',
  container: 'fmp4',
  language: 'fr',
  ...conditionedRung,
  tracks: [
    {
      borders: Float64Array.of(0, 50_000, 125_000),
      urls: { kind: 'number', prefix: 'https://ads.example/a/', suffix: '.m4s', first: 7, width: 1 },
    },
  ],
};
const duration = framesToFlicks(125, rate);
const part = { start: flicks(0), duration, zero: flicks(0), cutPoints: Float64Array.of(0, duration) };
const asset: Asset = { id: 'x', url: '', duration, parts: [part], renditions: [rendition], warnings: [] };
const usedAsIs: ConditionedMedia = { id: '0c2d', frames: 125, rungs: [conditionedRung], asset };

it('returns URLs on this host for a conditioned ad, and its own URLs for an ad used as is', () => {
  const [conditionedClip, listedClip] = [conditioned, usedAsIs].map((media) => adClip(media, ladder, 125, ''));
  expect([1, 2, 3, 4].map((index) => adSegment(conditionedClip!, 0, index)?.url)).toEqual([
    '/m/0a1b/125/v0/1.m4s',
    '/m/0a1b/125/v0/2.m4s',
    undefined,
    undefined,
  ]);
  expect([0, 1, 2].map((index) => adSegment(listedClip!, 0, index)?.url)).toEqual([
    'https://ads.example/a/7.m4s',
    'https://ads.example/a/8.m4s',
    undefined,
  ]);
  expect([adSegment(listedClip!, 1, 0), adSegment(listedClip!, 0, -1), adSegment(listedClip!, 0, 0.5)]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('gives the renditions of an ad used as is the ids of their rungs, and plays them whole', () => {
  const [own] = adClip(usedAsIs, ladder, 125, '').asset.renditions;
  expect([own!.id, own!.language]).toEqual(['v0', undefined]);
  expect(() => adClip(usedAsIs, ladder, 124, '')).toThrow(expect.objectContaining({ message: naming(125, 124) }));
});
