// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { readVastOrThrow } from '../../test/vast/readVastOrThrow.ts';
import { blockedCategory, mergeWrapper } from './mergeWrapper.ts';
import type { InLineAd, WrapperAd } from './response.ts';

const read = <Ad>(xml: string): Ad => {
  const { ads, warnings } = readVastOrThrow(`<VAST version="4.2">${xml}</VAST>`);
  expect(warnings).toEqual([]);
  return ads[0] as Ad;
};
const common = (who: string): string =>
  `<AdSystem>${who}</AdSystem><Impression>https://${who}/impression</Impression><Error>https://${who}/error</Error>
   <Extensions><Extension type="${who}"/></Extensions>
   <AdVerifications><Verification vendor="${who}"/></AdVerifications>
   <ViewableImpression><Viewable>https://${who}/viewable</Viewable></ViewableImpression>`;
const linear = (who: string, more = ''): string =>
  `<Creative><Linear>${more}<TrackingEvents><Tracking event="start">https://${who}/start</Tracking></TrackingEvents>
   <VideoClicks><ClickTracking>https://${who}/click</ClickTracking></VideoClicks></Linear></Creative>`;
const inLine = (creatives: string, more = ''): InLineAd =>
  read(
    `<Ad id="inner" sequence="7"><InLine>${common('inner')}${more}<Creatives>${creatives}</Creatives></InLine></Ad>`,
  );
const wrapper = (creatives: string, more = '', attributes = '', who = 'outer'): WrapperAd =>
  read(
    `<Ad id="${who}" ${attributes}><Wrapper>${common(who)}${more}<Creatives>${creatives}</Creatives><VASTAdTagURI>https://x/</VASTAdTagURI></Wrapper></Ad>`,
  );

describe('mergeWrapper', () => {
  it('adds the tracking URLs of every wrapper, the outermost first', () => {
    const inner = inLine(linear('inner'));
    const merged = mergeWrapper(
      wrapper(linear('outer')),
      mergeWrapper(wrapper(linear('middle'), '', '', 'middle'), inner),
    );
    const all = ['outer', 'middle', 'inner'];
    expect(merged).toMatchObject({ kind: 'inLine', id: 'inner', adSystem: { name: 'inner' }, sequence: 7 });
    expect(merged.impressions.map(({ url }) => url)).toEqual(all.map((who) => `https://${who}/impression`));
    expect(merged.errorUrls).toEqual(all.map((who) => `https://${who}/error`));
    expect(merged.extensions.map(({ type }) => type)).toEqual(all);
    expect(merged.verifications.map(({ vendor }) => vendor)).toEqual(all);
    expect(merged.viewableImpression!.viewable).toEqual(all.map((who) => `https://${who}/viewable`));
    const shown = merged.creatives[0]!.linear!;
    expect(shown.trackingEvents.map(({ url }) => url)).toEqual(all.map((who) => `https://${who}/start`));
    expect(shown.clickTrackings.map(({ url }) => url)).toEqual(all.map((who) => `https://${who}/click`));
  });

  it('does not modify its arguments', () => {
    const [outer, inner] = [wrapper(linear('outer')), inLine(linear('inner'))];
    const before = structuredClone({ outer, inner });
    mergeWrapper(outer, inner);
    expect({ outer, inner }).toEqual(before);
  });

  it("uses the wrapper's position in the pod", () => {
    expect(mergeWrapper(wrapper('', '', 'sequence="2"'), inLine('')).sequence).toBe(2);
  });

  it("prefers the InLine ad's price, click-through, icons and companions", () => {
    const price = (value: number) => `<Pricing model="cpm" currency="EUR">${value}</Pricing>`;
    expect(mergeWrapper(wrapper('', price(1)), inLine('', price(2))).pricing!.value).toBe(2);
    expect(mergeWrapper(wrapper('', price(1)), inLine('')).pricing!.value).toBe(1);

    const through = (who: string) =>
      `<Creative><Linear><VideoClicks><ClickThrough>https://${who}/</ClickThrough></VideoClicks></Linear></Creative>`;
    const clickThrough = (outer: string, inner: string) =>
      mergeWrapper(wrapper(outer), inLine(inner)).creatives[0]!.linear!.clickThrough!.url;
    expect(clickThrough(through('outer'), through('inner'))).toBe('https://inner/');
    expect(clickThrough(through('outer'), linear('inner'))).toBe('https://outer/');

    const icons = (...all: [string, string][]) =>
      `<Icons>${all.map(([program, who]) => `<Icon program="${program}"><StaticResource>https://${who}/</StaticResource></Icon>`).join('')}</Icons>`;
    const merged = mergeWrapper(
      wrapper(linear('outer', icons(['a', 'outer'], ['b', 'outer']))),
      inLine(linear('inner', icons(['a', 'inner']))),
    );
    expect(
      merged.creatives[0]!.linear!.icons.map(({ program, staticResources }) => [program, staticResources[0]!.url]),
    ).toEqual([
      ['b', 'https://outer/'],
      ['a', 'https://inner/'],
    ]);

    const companion = (who: string) =>
      `<Creative id="${who}"><CompanionAds><Companion><StaticResource>https://${who}/</StaticResource></Companion></CompanionAds></Creative>`;
    const shown = (outer: string, inner: string) =>
      mergeWrapper(wrapper(outer), inLine(inner)).creatives.flatMap(
        ({ companionAds }) => companionAds?.companions.map(({ staticResources }) => staticResources[0]!.url) ?? [],
      );
    expect(shown(companion('outer'), companion('inner'))).toEqual(['https://inner/']);
    expect(shown(companion('outer'), linear('inner'))).toEqual(['https://outer/']);
  });

  it("adds the tracking of a wrapper's companions without resources to the ad's companions", () => {
    const tracker =
      '<Creative><CompanionAds><Companion><CompanionClickTracking>https://outer/click</CompanionClickTracking><TrackingEvents><Tracking event="creativeView">https://outer/view</Tracking></TrackingEvents></Companion></CompanionAds></Creative>';
    const shown =
      '<Creative><CompanionAds><Companion><StaticResource>https://inner/</StaticResource></Companion></CompanionAds></Creative>';
    const { creatives } = mergeWrapper(wrapper(tracker), inLine(shown));
    expect(creatives).toHaveLength(1);
    expect(creatives[0]!.companionAds!.companions).toMatchObject([
      { trackingEvents: [{ url: 'https://outer/view' }], clickTrackings: [{ url: 'https://outer/click' }] },
    ]);
  });

  it('merges the tracking of non-linear ads', () => {
    const nonLinear = (who: string) =>
      `<Creative><NonLinearAds><TrackingEvents><Tracking event="close">https://${who}/close</Tracking></TrackingEvents><NonLinear><NonLinearClickTracking>https://${who}/click</NonLinearClickTracking></NonLinear></NonLinearAds></Creative>`;
    const { nonLinearAds } = mergeWrapper(wrapper(nonLinear('outer')), inLine(nonLinear('inner'))).creatives[0]!;
    expect(nonLinearAds!.trackingEvents.map(({ url }) => url)).toEqual(['https://outer/close', 'https://inner/close']);
    expect(nonLinearAds!.nonLinears[0]!.clickTrackings.map(({ url }) => url)).toEqual([
      'https://outer/click',
      'https://inner/click',
    ]);
  });
});

describe('blockedCategory', () => {
  const block = (list: string, authority = '') =>
    wrapper('', `<BlockedAdCategories authority="${authority}">${list}</BlockedAdCategories>`);
  const ad = inLine('', '<Category authority="iab">IAB7</Category><Category>IAB8-1</Category>');

  it('finds the category that the wrapper blocks', () => {
    expect(blockedCategory(block('IAB1, IAB7', 'iab'), ad)).toEqual({ authority: 'iab', value: 'IAB7' });
    expect(blockedCategory(block('IAB8-1', 'iab'), ad)).toEqual({ value: 'IAB8-1' });
    expect(blockedCategory(block('IAB7', 'other'), ad)).toBeUndefined();
    expect(blockedCategory(block('IAB1'), ad)).toBeUndefined();
    expect(blockedCategory(wrapper(''), ad)).toBeUndefined();
  });
});
