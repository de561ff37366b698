// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { naming } from '../../test/naming.ts';
import { finish } from '../time/sliced.ts';
import type { Asset, Rendition } from '../timeline/asset/asset.ts';
import { createMixChecker, mixing } from './checkMix.ts';

const rate = { n: 25, d: 1 };
const film = syntheticAsset({ name: 'film', rate, segments: Array(10).fill(50), qualities: 2 });
const changed = (change: (rendition: Rendition) => Rendition): Asset => ({
  ...film,
  renditions: film.renditions.map(change),
});
const assets: Readonly<Record<string, Asset>> = {
  film,
  other: syntheticAsset({ name: 'other', rate: { n: 50, d: 1 }, segments: [500, 100] }),
  transport: changed((rendition) => ({ ...rendition, container: 'ts' })),
  hevc: changed((one) => (one.kind === 'video' ? { ...one, codecs: 'hvc1.1.6.L93.B0' } : one)),
  surround: changed((one) => (one.kind === 'audio' ? { ...one, channels: 6 } : one)),
  silent: { ...film, renditions: film.renditions.filter(({ kind }) => kind !== 'audio') },
  short: syntheticAsset({ name: 'short', rate, segments: [10] }),
};
const mix = (...names: string[]) => finish(mixing(names.map((url) => ({ url, asset: assets[url] ?? film }))));

test('sources of other rates, sizes and segment lengths mix', () => {
  expect(mix('film', 'other')).toEqual({ first: 'film', misfits: [] });
  expect(mix()).toEqual({ misfits: [] });
});

test.each([
  ['transport', ['MPEG-TS', 'fragmented MP4']],
  ['hevc', ['H.265 (hvc1.1.6.L93.B0)', 'H.264']],
  ['surround', [6, 'channels', 2]],
  ['silent', ['video only']],
] as const)('%s does not mix with the film, in either order', (name, texts) => {
  expect(mix('film', 'other', name)).toEqual({ first: 'film', misfits: [{ url: name, reason: naming(...texts) }] });
  const reversed = mix(name, 'film', 'other');
  expect([reversed.first, reversed.misfits.map(({ url }) => url)]).toEqual([name, ['film', 'other']]);
});

test('what cannot be played alone is not compared', () => {
  expect(mix('short', 'film', 'short')).toEqual({ first: 'film', misfits: [] });
});

test('compares what the tenant has checked only', async () => {
  const check = createMixChecker(async (tenant, url) => (tenant === 'acme' ? assets[url] : undefined));
  expect(await check('acme', ['unknown', 'film', 'transport', 'film'])).toMatchObject({
    first: 'film',
    misfits: [{ url: 'transport' }],
  });
  expect(await check('globex', ['film', 'transport'])).toEqual({ misfits: [] });
});
