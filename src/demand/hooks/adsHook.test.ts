// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { naming } from '../../../test/naming.ts';
import type { ResolvedAd } from '../../ads/record/breakRecord.ts';
import type { Offer } from '../../ads/record/offer.ts';
import { fieldsOf } from '../../channels/fieldsOf.ts';
import { millis } from '../../time/units.ts';
import { houseAd } from '../house.ts';
import { adsHookBody, applyAdsAnswer } from './adsHook.ts';

const ad = (title: string, step = 0, more: Partial<ResolvedAd> = {}, offer: Partial<Offer> = {}): ResolvedAd => {
  const { isFiller: _, ...house } = houseAd(
    { url: `https://a.test/${title}.mp4`, title, duration: 15 },
    { source: `source-${step}`, step },
  );
  const { traits } = house.offer as Offer;
  return { ...house, offer: { source: `source-${step}`, step, traits, ...offer }, ...more };
};
const three = [ad('a'), ad('b'), ad('c', 1)];
const apply = (answer: unknown, ads: readonly ResolvedAd[] = three) => applyAdsAnswer(ads, fieldsOf(answer));
const placed = (answer: unknown, ads?: readonly ResolvedAd[]) =>
  apply(answer, ads).ads.map((one) => [one.ad.adTitle, one.offer?.step]);
const unchanged = [
  ['a', 0],
  ['b', 0],
  ['c', 1],
];

test('the body describes the break and the ads', () => {
  const session = { id: 's1', channelId: 'news', parameters: {}, viewer: { address: '203.0.113.7', userAgent: 'TV' } };
  const adBreak = { id: 'b1', startsAt: millis(0), duration: 30 };
  const traits = { advertisers: ['tea.example'], categories: ['iab8'], creatives: [], language: 'en' };
  const sold = ad('tea', 0, {}, { price: { micros: 12_500_000, currency: 'EUR' }, traits });
  const body = JSON.parse(adsHookBody({ session, adBreak, free: 12.5 }, [sold, ...three]));
  expect(body).toMatchObject({ version: 1, type: 'ads', session: { id: 's1' }, break: { id: 'b1', free: 12.5 } });
  const { id } = sold.ad;
  expect(body.ads[0]).toEqual({
    key: '1',
    source: 'source-0',
    step: 0,
    adId: id,
    creativeId: id,
    title: 'tea',
    duration: 15,
    price: { amount: 12.5, currency: 'EUR' },
    advertisers: ['tea.example'],
    categories: ['iab8'],
    language: 'en',
  });
  const long = Array.from({ length: 300 }, () => ad('x'.repeat(5000)));
  const many = adsHookBody({ session, adBreak, free: 0 }, long);
  expect(JSON.parse(many).ads).toHaveLength(100);
  expect(many.length).toBeLessThan(100_000);
});

test('ads are dropped, with a reason', () => {
  const { ads, dropped, changes } = apply({ drop: ['2', '2'] });
  expect(ads).toEqual([three[0], three[2]]);
  const offer = three[1]?.offer;
  expect(dropped).toEqual([
    { id: three[1]?.ad.id, title: 'b', offer, skip: { code: 'HOOK_DROPPED', text: naming('hook') } },
  ]);
  expect(changes).toEqual([naming('b')]);
});

test('ads that are ordered come before all steps, each in a step of its own', () => {
  expect(placed({ order: ['3', '1', '3'] })).toEqual([
    ['c', -2],
    ['a', -1],
    ['b', 0],
  ]);
  expect(placed({ order: ['2', '3'], drop: ['3'] })).toEqual([
    ['b', -1],
    ['a', 0],
  ]);
});

test('alternatives of a waterfall are ordered together, by source', () => {
  const fallback = (rank: number) => ({ fallback: [{ group: '0', rank }] });
  const ads = [ad('a', 0, fallback(0)), ad('b', 0, fallback(1)), ad('c', 1, fallback(0)), ad('d', 1)];
  expect(placed({ order: ['4', '2', '1'] }, ads)).toEqual([
    ['d', -2],
    ['a', -1],
    ['b', -1],
    ['c', 1],
  ]);
});

test('videos are added after all steps, or where they are ordered', () => {
  const add = [
    { url: 'https://own.test/1.mp4', title: 'Promo', duration: 20 },
    { url: 'https://own.test/2.mp4', title: 'Two' },
  ];
  expect(placed({ add })).toEqual([...unchanged, ['Promo', 2], ['Two', 2]]);
  expect(placed({ add, order: ['add2'] })).toEqual([['Two', -1], ...unchanged, ['Promo', 2]]);
  expect(placed({ add }, [])).toEqual([
    ['Promo', 1],
    ['Two', 1],
  ]);
  expect(apply({ add }).ads.at(-1)).toMatchObject({ offer: { source: 'hook' }, isFiller: true });
});

test('ads without an offer are ordered, too', () => {
  const { offer: _, ...plain } = ad('plain');
  expect(placed({ order: ['2'] }, [ad('a'), plain])).toEqual([
    ['plain', undefined],
    ['a', 0],
  ]);
});

test('what cannot be used costs only itself', () => {
  const answer = {
    drop: ['9', '1', 5, null],
    order: { a: 1 },
    add: [null, { url: 'file:///etc/passwd', title: 'x' }, { url: 'https://own.test/1.mp4', title: 7, duration: -1 }],
  };
  const { ads, faults } = apply(answer);
  expect(ads.map((one) => one.ad.adTitle)).toEqual(['b', 'c', 'House ad']);
  expect(faults).toEqual([naming(3, 'drop', '9'), naming(2), naming('order')]);
  const eleven = Array.from({ length: 11 }, () => ({ url: 'https://own.test/1.mp4', title: 'x' }));
  expect(apply({ add: eleven }).ads).toHaveLength(13);
  expect(apply({ add: eleven }).faults).toEqual([naming(11, 10)]);
});

test('the ads after the first hundred have no keys and stay', () => {
  const many = Array.from({ length: 120 }, (_, index) => ad(`${index}`));
  const { ads, faults } = apply({ drop: ['101'], order: ['100'] }, many);
  expect([ads.length, ads[0]?.ad.adTitle, faults.length]).toEqual([120, '99', 1]);
});

test('whatever an answer contains, each ad is kept or dropped once', () => {
  const keys = fc.oneof(fc.array(fc.constantFrom('1', '2', '3', 'add1', '7')), fc.jsonValue());
  const add = fc.oneof(fc.array(fc.record({ url: fc.webUrl(), title: fc.string() })), fc.jsonValue());
  const answer = fc.record({ drop: keys, order: keys, add }, { requiredKeys: [] });
  fc.assert(
    fc.property(fc.oneof(answer, fc.jsonValue()), (given) => {
      const { ads, dropped, changes, faults } = apply(given);
      const kept = ads.filter(({ offer }) => offer?.source !== 'hook').map(({ ad: { id } }) => id);
      expect([...kept, ...dropped.map(({ id }) => id)].sort()).toEqual(three.map(({ ad: { id } }) => id).sort());
      expect(ads.length - kept.length).toBeLessThanOrEqual(10);
      expect(ads.map(({ offer }) => offer?.step ?? 0)).toEqual(
        ads.map(({ offer }) => offer?.step ?? 0).sort((a, b) => a - b),
      );
      expect(changes.length).toBeLessThanOrEqual(21);
      expect(faults.every((text) => text.length < 300)).toBe(true);
    }),
    lawRuns(500),
  );
});
