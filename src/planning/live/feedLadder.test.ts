// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { naming } from '../../../test/naming.ts';
import type { Asset, Rendition } from '../../timeline/asset/asset.ts';
import { ladderOf } from '../../timeline/ladder/ladderOf.ts';
import { liveFeedLadder, rungsFor } from './feedLadder.ts';

const base = syntheticAsset({ name: 'origin', segments: [50, 50, 50], qualities: 2, texts: ['en', 'sv', 'de'] });
const text: Record<string, Pick<Rendition, 'container' | 'codecs'>> = {
  en: { container: 'vtt', codecs: '' },
  sv: { container: 'fmp4', codecs: 'stpp.ttml.im1t' },
  de: { container: 'fmp4', codecs: 'wvtt' },
};
const asset: Asset = {
  ...base,
  renditions: base.renditions.map((one) => (one.kind === 'text' ? { ...one, ...text[one.language!] } : one)),
};

test('audio and video in the same segments: HLS plays them, DASH those apart or none', () => {
  const [video, , audio] = base.renditions as [Rendition, Rendition, Rendition];
  const muxed: Rendition = { ...video, id: 'both', kind: 'muxed', codecs: 'avc1.64001f,mp4a.40.2' };
  const made = (format: 'hls' | 'dash', ...renditions: Rendition[]) =>
    liveFeedLadder({ asset: { ...base, renditions }, format, targetDuration: 4, serves: format });
  expect(made('hls', muxed)).toMatchObject({ ladder: { layout: 'muxed' } });
  expect(made('dash', muxed)).toEqual(naming('neither in HLS', 'nor in DASH', 'an HLS playlist'));
  expect(made('dash', muxed, video, audio)).toMatchObject({
    ladder: { layout: 'separate' },
    warnings: [naming('muxed both', 'left out')],
  });
});

test('names the renditions that no rung plays', () => {
  const [first, second, audio] = base.renditions as [Rendition, Rendition, Rendition];
  const renditions = [first, { ...second, codecs: 'hvc1.1.6.L93' }, audio, { ...audio, id: 'low', bandwidth: 1 }];
  const made = liveFeedLadder({ asset: { ...base, renditions }, format: 'hls', targetDuration: 4 });
  expect(made).toMatchObject({ warnings: [expect.stringContaining('hvc1'), expect.stringContaining('low')] });
});

test.each<['hls' | 'dash', string[][], string[]]>([
  [
    'hls',
    [
      ['en', ''],
      ['sv', 'stpp.ttml.im1t'],
    ],
    ['text-de'],
  ],
  [
    'dash',
    [
      ['sv', 'stpp.ttml.im1t'],
      ['de', 'wvtt'],
    ],
    ['text-en'],
  ],
])('%s: text is listed as the origin has it, and ads have its codec', (format, expected, leftOut) => {
  const made = liveFeedLadder({ asset, format, targetDuration: 4 });
  if (typeof made === 'string') throw new Error(made);
  const texts = made.ladder.rungs.filter(({ kind }) => kind === 'text');
  expect(texts.map(({ language, codecs }) => [language, codecs])).toEqual(expected);
  expect(made.rungs.map(({ key }) => key).slice(-2)).toEqual(expected.map(([language]) => `text-${language}`));
  expect(made.warnings).toHaveLength(1);
  expect(made.warnings[0]).toContain(leftOut[0]);
  expect(made.ladder.rungs.slice(0, 3).map(({ codecs }) => codecs)).toEqual([
    'avc1.64001f',
    'avc1.64001f',
    'mp4a.40.2',
  ]);
});

test('an MPD plays on the ladder of a linear channel if HLS can be made from it', () => {
  const plain = syntheticAsset({ name: 'plain', segments: [50, 50, 50] });
  const ofText = syntheticAsset({ name: 'text', segments: [50, 50, 50], texts: ['en'] });
  const origin = { asset: plain, format: 'dash', serves: 'dash', targetDuration: 2 } as const;
  const ladder = ladderOf([plain]);
  expect(rungsFor(ladder, origin)).toMatchObject(ladder.rungs.map(({ kind }) => ({ kind })));
  expect(rungsFor(ladder, { ...origin, asset: ofText })).toHaveLength(ladder.rungs.length);
  expect(rungsFor(ladder, { ...origin, noHls: 'it is odd' })).toEqual(naming('HLS sessions', 'it is odd'));
  expect(rungsFor(ladderOf([ofText]), origin)).toEqual(naming('must be HLS', 'subtitles', 'MPD'));
});
