// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Flicks } from '../../time/units.ts';
import type { Asset, SegmentUrls, Track } from '../../timeline/asset/asset.ts';
import { packUrls } from '../../timeline/asset/segmentUrl.ts';
import { packAsset, unpackAsset } from './packAsset.ts';

const whole = fc.integer({ min: -(2 ** 52), max: 2 ** 52 });
const row = fc.array(whole, { maxLength: 30 }).map((values) => Float64Array.from(values, (value) => value || 0));
const urls: fc.Arbitrary<SegmentUrls> = fc.oneof(
  fc.record({
    kind: fc.constant('number' as const),
    prefix: fc.string(),
    suffix: fc.string(),
    first: fc.nat(),
    width: fc.nat(9),
  }),
  fc.record({ kind: fc.constant('time' as const), prefix: fc.string(), suffix: fc.string(), width: fc.nat(9) }),
  fc.array(fc.webUrl(), { minLength: 1, maxLength: 9 }).map((list) => packUrls(list)),
  fc.record({ kind: fc.constant('ranges' as const), url: fc.webUrl(), starts: row, lengths: row }),
);
const track: fc.Arbitrary<Track> = fc.record(
  {
    init: fc.record({ url: fc.webUrl() }),
    borders: row,
    urls,
    protection: fc.record({ hls: fc.array(fc.string()), firstIv: fc.nat() }),
  },
  { requiredKeys: ['borders', 'urls'] },
);

const form = { kind: 'video', container: 'fmp4', codecs: 'avc1.64001f', timescale: 24_000 } as const;
const video = { ...form, bandwidth: 1, averageBandwidth: 1 };
const assetOf = (count: number, borders: Float64Array, urls: SegmentUrls): Asset => ({
  id: 'id',
  url: 'https://example.com/asset.m3u8',
  duration: 0 as Flicks,
  parts: [{ start: 0 as Flicks, duration: 0 as Flicks, zero: 0 as Flicks, cutPoints: borders }],
  renditions: Array.from({ length: count }, (_, i) => ({ ...video, id: `v${i}`, tracks: [{ borders, urls }] })),
  warnings: ['a "quoted" warning'],
});

describe('packAsset', () => {
  test('every asset is read back as it was written, including typed arrays', () => {
    fc.assert(
      fc.property(fc.array(track, { maxLength: 4 }), row, (tracks, cutPoints) => {
        const asset = assetOf(1, cutPoints, { kind: 'time', prefix: '', suffix: '', width: 1 });
        const full = { ...asset, renditions: [{ ...asset.renditions[0]!, tracks }] };
        expect(unpackAsset(packAsset(full))).toEqual(full);
      }),
    );
  });

  test('a regular asset takes a few hundred bytes per rendition', () => {
    const borders = Float64Array.from({ length: 3601 }, (_, i) => i * 48_048);
    const urls = { kind: 'number', prefix: 'https://cdn/v', suffix: '.m4s', first: 0, width: 1 } as const;
    const text = packAsset(assetOf(6, borders, urls));
    expect(text.length).toBeLessThan(6 * 300);
  });

  test('two hours in six renditions take less than 0.3 MB of memory', () => {
    const borders = (): Float64Array => Float64Array.from({ length: 3601 }, (_, i) => i * 48_048 + (i % 3));
    const one = assetOf(6, borders(), packUrls(Array.from({ length: 3600 }, (_, i) => `https://cdn/v/seg-${i}.m4s`)));
    const asset = {
      ...one,
      renditions: one.renditions.map((r) => ({ ...r, tracks: [{ ...r.tracks[0]!, borders: borders() }] })),
    };
    const read = unpackAsset(packAsset(asset))!;
    const rows = [
      ...read.parts.map(({ cutPoints }) => cutPoints),
      ...read.renditions.map(({ tracks }) => tracks[0]!.borders),
    ];
    expect(read.renditions[0]!.tracks[0]!.urls.kind).toBe('number');
    expect(rows.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(300_000);
  });

  test('text with another format version is not read', () => {
    expect(unpackAsset('{"version":0,"asset":{}}')).toBeUndefined();
  });
});
