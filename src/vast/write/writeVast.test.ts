import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inLineAd, wrapperAd } from '../../../test/vast/arbitraryVast.ts';
import { readXml } from '../../xml/read.ts';
import { readVast } from '../read/readVast.ts';
import type { InLineAd, VastAd } from '../response.ts';
import { writeVast } from './writeVast.ts';

function readAds(text: string): readonly VastAd[] {
  const response = readVast(text);
  if ('reason' in response) throw new Error(response.reason);
  expect(response.warnings).toEqual([]);
  return response.ads;
}

describe('writeVast', () => {
  it('is read back as it was', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(inLineAd, wrapperAd), { minLength: 1, maxLength: 2 }), (ads) => {
        expect(readAds(writeVast(ads))).toEqual(ads);
      }),
      { numRuns: 200 },
    );
  });

  it('is XML that a strict reader takes, in the namespace of VAST, whatever an extension held', () => {
    const odd =
      '<VAST version="3.0"><Ad><InLine><Extensions><Extension><gam:a gam:b="1">&</gam:a></Extension></Extensions></InLine></Ad></VAST>';
    const response = readVast(odd);
    const xml = readXml(writeVast('ads' in response ? response.ads : []));
    if (!('root' in xml)) throw new Error(xml.reason);
    expect(xml.root).toMatchObject({
      name: 'VAST',
      namespace: 'http://www.iab.com/VAST',
      attributes: { version: '4.2' },
    });
  });

  it('says what the schema wants where nothing is to be said, and reads nothing there', () => {
    const nothing: InLineAd = {
      kind: 'inLine',
      impressions: [],
      errorUrls: [],
      extensions: [],
      verifications: [],
      categories: [],
      creatives: [],
    };
    const written = writeVast([nothing]);
    for (const element of ['AdSystem', 'Impression', 'AdServingId', 'AdTitle', 'Creatives', 'UniversalAdId']) {
      expect(written).toContain(`<${element}`);
    }
    expect(readAds(written)).toEqual([nothing]);
  });

  it('translates events of older versions and leaves out those that VAST never had', () => {
    const text = (event: string) =>
      `<VAST version="3.0"><Ad><InLine><Creatives><Creative><Linear><TrackingEvents><Tracking event="${event}">https://a/</Tracking></TrackingEvents></Linear></Creative></Creatives></InLine></Ad></VAST>`;
    const written = (event: string) => {
      const response = readVast(text(event));
      return writeVast('ads' in response ? response.ads : []);
    };
    expect(written('fullscreen')).toContain('<Tracking event="playerExpand">');
    expect(written('makersOwn')).not.toContain('<Tracking');
  });

  it('tells whom to tell when there is no ad', () => {
    const response = readVast(writeVast([], ['https://a/noad']));
    expect(response).toMatchObject({ version: '4.2', ads: [], errorUrls: ['https://a/noad'] });
  });
});
