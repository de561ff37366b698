// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import type { InLineAd, VastResponse } from '../response.ts';
import { limitResponse, readAdDocument } from './readAdResponse.ts';

const times = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join('');
const tracking = (event: string, count: number): string =>
  times(count, (index) => `<Tracking event="${event}">http://t.example/${event}/${index}</Tracking>`);
const ad = (linear: string, more = '', attributes = 'id="a"'): string =>
  `<Ad ${attributes}><InLine>${more}<Creatives><Creative><Linear>${linear}</Linear></Creative></Creatives></InLine></Ad>`;
const vast = (...ads: string[]): string => `<VAST version="4.2">${ads.join('')}</VAST>`;

const read = (document: string, limits = { maxUrls: 100 }): VastResponse => {
  const limited = limitResponse(readAdDocument(document), limits);
  if (!('ads' in limited)) throw new Error('not VAST');
  return limited;
};
const countsOf = ({ ads: [one] }: VastResponse) => {
  const counts = new Map<string, number>();
  for (const { event } of (one as InLineAd).creatives[0]!.linear!.trackingEvents) {
    counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
};

describe('limitResponse', () => {
  it('leaves a response within the limits unchanged', () => {
    const document = readAdDocument(vast(ad(`<TrackingEvents>${tracking('start', 100)}</TrackingEvents>`)));
    expect(limitResponse(document, { maxUrls: 100 })).toEqual(document);
  });

  it('keeps the first tracking URLs of each event of an ad, and warns with their number', () => {
    const events = tracking('start', 130) + tracking('complete', 100) + tracking('own1', 60) + tracking('own2', 60);
    const document = vast(
      ad(
        `<TrackingEvents>${events}</TrackingEvents>`,
        times(105, (index) => `<Impression>http://t.example/i/${index}</Impression>`) +
          times(104, (index) => `<Error>http://t.example/e/${index}</Error>`),
      ),
    );
    const limited = read(document);
    expect(countsOf(limited)).toEqual({ start: 100, complete: 100, own1: 60, own2: 40 });
    const [one] = limited.ads;
    expect([one!.impressions.length, one!.errorUrls.length]).toEqual([100, 100]);
    expect(one!.impressions.at(-1)!.url).toBe('http://t.example/i/99');
    const exceeded = [['"a"', 105, 100] as const, ['"a"', 104, 100], ['"a"', 'start', 130, 100], ['"a"', 120, 100]];
    expect(limited.warnings.filter(({ line }) => line === undefined)).toEqual(
      exceeded.map((values) => ({ code: 'TOO_MANY_ITEMS', text: naming(...values) })),
    );
    expect(countsOf(read(document, { maxUrls: 2 }))).toEqual({ start: 2, complete: 2, own1: 2 });
  });

  it('limits the media files of an ad, over all its creatives', () => {
    const files = `<MediaFiles>${times(30, (index) => `<MediaFile type="video/mp4">http://c.example/${index}.mp4</MediaFile>`)}</MediaFiles>`;
    const document = vast(ad(`${files}</Linear></Creative><Creative><Linear>${files}`));
    const { ads, warnings } = read(document);
    expect(ads[0]!.creatives.map(({ linear }) => linear!.mediaFiles.length)).toEqual([30, 10]);
    expect(warnings).toEqual([{ code: 'TOO_MANY_ITEMS', text: naming(60, 40) }]);
  });

  it('limits the number of ads, and prefers the pod to stand-alone ads', () => {
    const one = (index: number) => ad('', '', `id="${index}"${index > 54 ? ` sequence="${index}"` : ''}`);
    const { ads, warnings } = read(vast(times(60, one)));
    expect(ads.map(({ id }) => Number(id))).toEqual([...Array(45).keys(), 55, 56, 57, 58, 59]);
    expect(warnings).toContainEqual({ code: 'TOO_MANY_ADS', text: naming(60, 50) });
  });

  it('drops an ad that exceeds the size limit, and keeps later ads that fit', () => {
    const extension = (size: number) => `<Extensions><Extension type="x">${'x'.repeat(size)}</Extension></Extensions>`;
    const document = vast(ad('', extension(3000), 'id="huge"'), ad('', extension(500), 'id="b"'), ad('', '', 'id="c"'));
    const { ads, warnings } = read(document, { maxUrls: 100, maxCharacters: 2000 } as { maxUrls: number });
    expect(ads.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(warnings).toContainEqual({ code: 'AD_TOO_LARGE', text: naming('huge') });
  });

  it('limits VMAP over all its breaks, and drops extensions', () => {
    const adBreak = (index: number) =>
      `<AdBreak timeOffset="start" breakType="linear" breakId="${index}"><AdSource><VASTAdData>${vast(times(40, (place) => ad('', '', `id="${index}-${place}"`)))}</VASTAdData></AdSource>
       <TrackingEvents>${tracking('breakStart', 101)}</TrackingEvents><Extensions><Extension>x</Extension></Extensions></AdBreak>`;
    const limited = limitResponse(readAdDocument(`<VMAP version="1.0">${times(10, adBreak)}</VMAP>`), { maxUrls: 100 });
    if (!('adBreaks' in limited)) throw new Error('not VMAP');
    const adsOf = limited.adBreaks.map(({ source }) => (source?.kind === 'vast' ? source.vast.ads.length : 0));
    expect(adsOf).toEqual([40, 40, 40, 40, 40, 40, 40, 20]);
    expect(limited.adBreaks[0]).toMatchObject({ extensions: [] });
    expect(limited.adBreaks[0]!.trackingEvents).toHaveLength(100);
    expect(limited.warnings).toContainEqual({ code: 'TOO_MANY_BREAKS', text: naming(10, 8) });
  });
});
