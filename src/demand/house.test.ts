// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { chooseMediaFiles } from '../ads/pod/chooseMediaFiles.ts';
import type { HouseCreative, HouseSource } from '../channels/demand.ts';
import { defaultLadder } from '../planning/airChannel.ts';
import { millis } from '../time/units.ts';
import { houseAd, houseAds, houseCreativeUrls } from './house.ts';

const from = { source: 'own', step: 1 };
const at = Date.parse('2026-11-01T00:00:00Z');
const source = (...creatives: Partial<HouseCreative>[]): HouseSource => ({
  type: 'house',
  creatives: creatives.map((one, index) => ({ url: `https://own.test/${index}.mp4`, title: `${index}`, ...one })),
});
const many = (count: number): HouseSource => source(...Array.from({ length: count }, () => ({})));
const titles = (list: HouseSource, breakId = 'break', startsAt = at, sessionId = 'session') =>
  houseAds(list, {
    id: 'own',
    step: 1,
    session: { id: sessionId },
    adBreak: { id: breakId, startsAt: millis(startsAt) },
  }).map(({ ad }) => ad.adTitle);

test('a video is an ad without tracking URLs, whose creative is the one that was prepared ahead', () => {
  const { ad, offer } = houseAd({ url: 'https://own.test/a.mp4?key=secret', title: 'Promo', duration: 20 }, from);
  expect(chooseMediaFiles(ad, defaultLadder)).toMatchObject({
    sources: [
      { key: 'https://own.test/a.mp4?key=secret', source: { url: 'https://own.test/a.mp4?key=secret', mimeType: '' } },
    ],
  });
  expect(offer).toEqual({
    ...from,
    traits: { advertisers: [], categories: [], creatives: [expect.stringMatching(/^house-/)] },
  });
  expect([ad.impressions, ad.errorUrls, ad.creatives[0]?.linear?.trackingEvents]).toEqual([[], [], []]);
  expect(ad.id).not.toContain('secret');
});

test('the order follows from the session and the break, and contains every video once', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 0.001, max: 1000, noNaN: true }), { maxLength: 60 }),
      fc.string(),
      fc.string(),
      (weights, sessionId, breakId) => {
        const list = source(...weights.map((weight) => ({ weight })));
        const order = titles(list, breakId, at, sessionId);
        expect(order).toEqual(titles(structuredClone(list), breakId, at, sessionId));
        expect(new Set(order).size).toBe(order.length);
        expect(order).toHaveLength(Math.min(50, weights.length));
      },
    ),
    lawRuns(200),
  );
});

test('the first video differs from break to break and from viewer to viewer', () => {
  const list = many(10);
  const firsts = (orders: (string | undefined)[][]) => new Set(orders.map(([first]) => first)).size;
  const breaks = Array.from({ length: 100 }, (_, index) => titles(list, `break-${index}`));
  const viewers = Array.from({ length: 100 }, (_, index) => titles(list, 'break', at, `session-${index}`));
  expect([firsts(breaks), firsts(viewers)]).toEqual([10, 10]);
});

test('a video comes first as often as its weight states', () => {
  const list = source({ weight: 6 }, { weight: 3 }, {}, { weight: 0 });
  const counts = new Map<string | undefined, number>();
  for (let index = 0; index < 10_000; index += 1) {
    const [first] = titles(list, `break-${index}`);
    counts.set(first, (counts.get(first) ?? 0) + 1);
  }
  // Seeds are fixed, so this does not depend on chance.
  expect(['0', '1', '2', '3'].map((title) => Math.round((counts.get(title) ?? 0) / 200))).toEqual([30, 15, 5, 0]);
});

test('a video is shown from its first instant until before its last one', () => {
  const list = source({ from: '2026-11-01T00:00:00Z', to: '2026-11-02T01:00:00+01:00' });
  const day = 86_400_000;
  expect([at - 1, at, at + day - 1, at + day].map((time) => titles(list, 'break', time).length)).toEqual([0, 1, 1, 0]);
});

test('videos are prepared ahead until their time is over, each once', () => {
  const list = source({ to: '2026-11-01T00:00:00Z' }, { from: '2027-01-01T00:00:00Z' }, {}, { weight: 0 });
  const sources = [list, list, { type: 'vast', url: 'https://ads.test/' } as const];
  const urls = (time: number) => houseCreativeUrls(sources, millis(time));
  expect(urls(at - 1)).toEqual(['https://own.test/0.mp4', 'https://own.test/1.mp4', 'https://own.test/2.mp4']);
  expect(urls(at)).toEqual(['https://own.test/1.mp4', 'https://own.test/2.mp4']);
});
