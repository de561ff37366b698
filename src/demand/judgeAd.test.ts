// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../test/naming.ts';
import type { AdTraits } from '../ads/record/offer.ts';
import type { AdRules } from '../channels/demand.ts';
import { judgeAd, type NamedAd } from './judgeAd.ts';

const traits = (some: Partial<AdTraits> = {}): AdTraits => ({
  advertisers: [],
  categories: [],
  creatives: [],
  ...some,
});
const ad = (some: Partial<AdTraits>, name = '"A"'): NamedAd => ({ name, traits: traits(some) });
const of = (...advertisers: string[]): NamedAd => ad({ advertisers }, `"${advertisers.join(' and ')}"`);

const judge = (one: NamedAd, rules: AdRules, chosen: readonly NamedAd[] = [], shown = 0) =>
  judgeAd(one, chosen, rules, () => shown);

test.each([
  [{ blockedAdvertisers: ['Example.com'] }, { advertisers: ['shop.example.com'] }, 'ADVERTISER_BLOCKED'],
  [{ blockedAdvertisers: ['example.com'] }, { advertisers: ['badexample.com', 'example.org'] }, undefined],
  [{ blockedAdvertisers: ['shop.example.com'] }, { advertisers: ['example.com'] }, undefined],
  [{ blockedAdvertisers: ['https://www.a.com/', 'ACME Ltd'] }, { advertisers: ['acme ltd'] }, 'ADVERTISER_BLOCKED'],
  [{ blockedAdvertisers: ['https://www.a.com/'] }, { advertisers: ['a.com'] }, 'ADVERTISER_BLOCKED'],
  [{ blockedCategories: ['IAB2'] }, { categories: ['iab1', 'iab2-3'] }, 'CATEGORY_EXCLUDED'],
  [{ blockedCategories: ['IAB2'] }, { categories: ['iab25-3', 'iab1'] }, undefined],
  [{ blockedCategories: ['IAB2-3'] }, { categories: ['iab2'] }, undefined],
  [{ blockedCategories: ['1'] }, { categories: ['1.12'] }, 'CATEGORY_EXCLUDED'],
  [{ blockedCreatives: ['Cr-1'] }, { creatives: ['x', 'cr-1'] }, 'CREATIVE_BLOCKED'],
  [{ blockedCreatives: ['cr'] }, { creatives: ['cr-1'] }, undefined],
  [{ blockedLanguages: ['es'] }, { language: 'es-mx' }, 'LANGUAGE_BLOCKED'],
  [{ blockedLanguages: ['es'], blockedAdvertisers: ['a.com'], blockedCategories: ['iab1'] }, {}, undefined],
] as const)('the rules %j make of an ad with %j: %s', (rules, some, code) => {
  expect(judge(ad(some), rules)?.code).toBe(code);
});

test('a block names what the ad states and what is blocked', () => {
  const skip = judge(of('shop.example.com'), { blockedAdvertisers: ['example.com'] });
  expect(skip?.text).toEqual(naming('shop.example.com', 'example.com'));
});

test('a break has no two ads of one advertiser or category that are separated by breaks', () => {
  const rules: AdRules = { separateAdvertisers: 'break', separateCategories: 'break' };
  const first = ad({ advertisers: ['a.com'], categories: ['iab2'] }, '"First"');
  const skip = judge(ad({ advertisers: ['b.com', 'shop.a.com'] }), rules, [of('c.com'), first]);
  expect(skip).toEqual({ code: 'COMPETITOR_IN_BREAK', text: naming('"First"', 'a.com') });
  expect(judge(ad({ categories: ['iab2-3'] }), rules, [first])?.code).toBe('COMPETITOR_IN_BREAK');
  expect(judge(ad({ categories: ['iab3'] }), rules, [first])).toBeUndefined();
  expect(judge(ad({}), rules, [ad({}), first])).toBeUndefined();
});

test('a break has no more ads of an advertiser than it may have', () => {
  const rules: AdRules = { maxPerAdvertiser: 2 };
  expect(judge(of('a.com'), rules, [of('a.com'), of('b.com')])).toBeUndefined();
  const skip = judge(of('a.com'), rules, [of('a.com'), of('b.com', 'a.com')]);
  expect(skip).toEqual({ code: 'ADVERTISER_LIMIT', text: naming(2, 'a.com', '"b.com and a.com"') });
});

test('caps count what the viewer was shown and the ads of the break', () => {
  const rules: AdRules = { frequencyCaps: [{ per: 'advertiser', max: 3, hours: 24 }] };
  expect(judge(of('a.com'), rules, [of('b.com')], 2)).toBeUndefined();
  const skip = judge(of('a.com'), rules, [of('a.com')], 2);
  expect(skip).toEqual({ code: 'FREQUENCY_CAP', text: naming(3, 'a.com', 24, 2, '"a.com"') });
  expect(judge(of('a.com'), rules, [], 3)?.code).toBe('FREQUENCY_CAP');
  expect(judge(ad({ creatives: ['c'] }), rules, [], 3)).toBeUndefined();
  expect(judge(of('a.com'), rules, [], Number.POSITIVE_INFINITY)?.text).toEqual(naming('a.com', 'not known'));
  const own = ad({ creatives: ['https://own.test/a.mp4?key=top-secret'] });
  const text = judge(own, { frequencyCaps: [{ per: 'creative', max: 1, hours: 1 }] }, [], 1)?.text;
  expect(text).toEqual(naming('https://own.test/a.mp4'));
  expect(text).not.toContain('top-secret');
});
