import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import type { InLineAd, VastResponse } from '../response.ts';
import { limitResponse } from './limitResponse.ts';
import { readAdDocument } from './readAdDocument.ts';

const times = (count: number, write: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => write(index)).join('');
const tracking = (event: string, count: number): string =>
  times(count, (index) => `<Tracking event="${event}">http://t.example/${event}/${index}</Tracking>`);
const ad = (linear: string, more = '', attributes = 'id="a"'): string =>
  `<Ad ${attributes}><InLine>${more}<Creatives><Creative><Linear>${linear}</Linear></Creative></Creatives></InLine></Ad>`;
const vast = (...ads: string[]): string => `<VAST version="4.2">${ads.join('')}</VAST>`;

const read = (document: string, limits = { mostUrls: 100 }): VastResponse => {
  const bounded = limitResponse(readAdDocument(document), limits);
  if (!('ads' in bounded)) throw new Error('no VAST');
  return bounded;
};
const countsOf = ({ ads: [one] }: VastResponse) => {
  const counts = new Map<string, number>();
  for (const { event } of (one as InLineAd).creatives[0]!.linear!.trackingEvents) {
    counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
};

describe('an answer', () => {
  it('that a break can use is left as it is', () => {
    const document = readAdDocument(vast(ad(`<TrackingEvents>${tracking('start', 100)}</TrackingEvents>`)));
    expect(limitResponse(document, { mostUrls: 100 })).toEqual(document);
  });

  it('keeps so many tracking URLs for each event of an ad, the first, and says how many there were', () => {
    const events = tracking('start', 130) + tracking('complete', 100) + tracking('own1', 60) + tracking('own2', 60);
    const document = vast(
      ad(
        `<TrackingEvents>${events}</TrackingEvents>`,
        times(105, (index) => `<Impression>http://t.example/i/${index}</Impression>`) +
          times(104, (index) => `<Error>http://t.example/e/${index}</Error>`),
      ),
    );
    const bounded = read(document);
    expect(countsOf(bounded)).toEqual({ start: 100, complete: 100, own1: 60, own2: 40 });
    const [one] = bounded.ads;
    expect([one!.impressions.length, one!.errorUrls.length]).toEqual([100, 100]);
    expect(one!.impressions.at(-1)!.url).toBe('http://t.example/i/99');
    const told = bounded.warnings.filter(({ line }) => line === undefined).map(({ text }) => text);
    expect(told).toEqual([
      naming('"a"', 105, 100),
      naming('"a"', 104, 100),
      naming('"a"', 'start', 130, 100),
      naming('"a"', 120, 100),
    ]);
    expect(countsOf(read(document, { mostUrls: 2 }))).toEqual({ start: 2, complete: 2, own1: 2 });
  });

  it('has a bounded number of media files, over all creatives of an ad', () => {
    const files = `<MediaFiles>${times(30, (index) => `<MediaFile type="video/mp4">http://c.example/${index}.mp4</MediaFile>`)}</MediaFiles>`;
    const document = vast(ad(`${files}</Linear></Creative><Creative><Linear>${files}`));
    const { ads, warnings } = read(document);
    expect(ads[0]!.creatives.map(({ linear }) => linear!.mediaFiles.length)).toEqual([30, 10]);
    expect(warnings).toEqual([{ text: naming(60, 40) }]);
  });

  it('has as many ads as a break holds, the pod before those that stand alone', () => {
    const one = (index: number) => ad('', '', `id="${index}"${index > 54 ? ` sequence="${index}"` : ''}`);
    const { ads, warnings } = read(vast(times(60, one)));
    expect(ads.map(({ id }) => Number(id))).toEqual([...Array(45).keys(), 55, 56, 57, 58, 59]);
    expect(warnings).toContainEqual({ text: naming(60, 50) });
  });

  it('is no larger than it may be: what is too large is left out, what fits after it is not', () => {
    const extension = (size: number) => `<Extensions><Extension type="x">${'x'.repeat(size)}</Extension></Extensions>`;
    const document = vast(ad('', extension(3000), 'id="huge"'), ad('', extension(500), 'id="b"'), ad('', '', 'id="c"'));
    const { ads, warnings } = read(document, { mostUrls: 100, mostCharacters: 2000 } as { mostUrls: number });
    expect(ads.map(({ id }) => id)).toEqual(['b', 'c']);
    expect(warnings).toContainEqual({ text: naming('huge') });
  });

  it('of VMAP is bounded over all of its breaks, without what nothing is shown of', () => {
    const adBreak = (index: number) =>
      `<AdBreak timeOffset="start" breakType="linear" breakId="${index}"><AdSource><VASTAdData>${vast(times(20, (place) => ad('', '', `id="${index}-${place}"`)))}</VASTAdData></AdSource>
       <TrackingEvents>${tracking('breakStart', 101)}</TrackingEvents><Extensions><Extension>x</Extension></Extensions></AdBreak>`;
    const bounded = limitResponse(readAdDocument(`<VMAP version="1.0">${times(5, adBreak)}</VMAP>`), { mostUrls: 100 });
    if (!('adBreaks' in bounded)) throw new Error('no VMAP');
    const adsOf = bounded.adBreaks.map(({ source }) => (source?.kind === 'vast' ? source.vast.ads.length : 0));
    expect(adsOf).toEqual([20, 20, 10]);
    expect(bounded.adBreaks[0]).toMatchObject({ extensions: [] });
    expect(bounded.adBreaks[0]!.trackingEvents).toHaveLength(100);
    expect(bounded.warnings).toContainEqual({ text: naming(5, 3) });
  });
});
