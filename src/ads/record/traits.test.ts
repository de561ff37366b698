// SPDX-License-Identifier: Apache-2.0
import { expect, it } from 'vitest';
import { growthOf, LINEAR } from '../../../test/growthOf.ts';
import { readAdDocument } from '../../vast/read/readAdResponse.ts';
import type { InLineAd, VastResponse } from '../../vast/response.ts';
import { advertiserOf, traitsOfVast } from './traits.ts';

it.each([
  ['Tea.example', 'tea.example'],
  ['https://www.Tea.example:8080/shop?x=1', 'tea.example'],
  ['//user@tea.example', 'tea.example'],
  ['www.tea.example/shop', 'tea.example'],
  [' Tea & Sons Ltd ', 'tea & sons ltd'],
  ['A/S Tea', 'a/s tea'],
])('the advertiser %s is %s', (text, expected) => {
  expect(advertiserOf(text)).toBe(expected);
});

it('reads a name of any length in linear time', () => {
  const growth = growthOf((size) => {
    const text = 'a.'.repeat(size);
    return () => advertiserOf(text);
  });
  expect(growth).toBeLessThan(LINEAR);
});

it('takes the traits of an ad from its VAST', () => {
  const document = readAdDocument(`<VAST version="4.2"><Ad id="1"><InLine>
    <Advertiser>https://www.tea.example</Advertiser>
    <Category authority="iabtechlab.com">IAB8-1</Category><Category>IAB8-1</Category>
    <Creatives>
      <Creative id="c1" adId="tea-30"><UniversalAdId idRegistry="ad-id.org">TEA0030</UniversalAdId>
        <Linear><Duration>00:00:30</Duration></Linear></Creative>
      <Creative id="companion"><CompanionAds/></Creative>
    </Creatives></InLine></Ad></VAST>`) as VastResponse;
  expect(traitsOfVast(document.ads[0] as InLineAd)).toEqual({
    advertisers: ['tea.example'],
    categories: ['iab8-1'],
    creatives: ['TEA0030', 'tea-30', 'c1'],
  });
});
