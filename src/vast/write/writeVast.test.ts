// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { inLineAd, wrapperAd } from '../../../test/vast/arbitraryVast.ts';
import { readVastOrThrow } from '../../../test/vast/readVastOrThrow.ts';
import { readXml } from '../../xml/read.ts';
import type { InLineAd, VastAd } from '../response.ts';
import { writeVast } from './writeVast.ts';

function readAds(text: string): readonly VastAd[] {
  const { ads, warnings } = readVastOrThrow(text);
  expect(warnings).toEqual([]);
  return ads;
}

describe('writeVast', () => {
  it('writes ads that readVast reads back unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(inLineAd, wrapperAd), { minLength: 1, maxLength: 2 }), (ads) => {
        expect(readAds(writeVast(ads))).toEqual(ads);
      }),
      lawRuns(200),
    );
  });

  it('writes strict XML in the VAST namespace, also from malformed extensions', () => {
    const lenient =
      '<VAST version="3.0"><Ad><InLine><Extensions><Extension><gam:a gam:b="1">&</gam:a></Extension></Extensions></InLine></Ad></VAST>';
    const xml = readXml(writeVast(readVastOrThrow(lenient).ads));
    if (!('root' in xml)) throw new Error(xml.reason);
    expect(xml.root).toMatchObject({
      name: 'VAST',
      namespace: 'http://www.iab.com/VAST',
      attributes: { version: '4.2' },
    });
  });

  it('writes the required elements of an empty ad, and reads them back as absent', () => {
    const empty: InLineAd = {
      kind: 'inLine',
      impressions: [],
      errorUrls: [],
      extensions: [],
      verifications: [],
      categories: [],
      creatives: [],
    };
    const written = writeVast([empty]);
    for (const element of ['AdSystem', 'Impression', 'AdServingId', 'AdTitle', 'Creatives', 'UniversalAdId']) {
      expect(written).toContain(`<${element}`);
    }
    expect(readAds(written)).toEqual([empty]);
  });

  it('translates events of older versions and omits unknown ones', () => {
    const text = (event: string) =>
      `<VAST version="3.0"><Ad><InLine><Creatives><Creative><Linear><TrackingEvents><Tracking event="${event}">https://a/</Tracking></TrackingEvents></Linear></Creative></Creatives></InLine></Ad></VAST>`;
    const written = (event: string) => writeVast(readVastOrThrow(text(event)).ads);
    expect(written('fullscreen')).toContain('<Tracking event="playerExpand">');
    expect(written('makersOwn')).not.toContain('<Tracking');
  });
});
