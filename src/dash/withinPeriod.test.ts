// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packUrls, segmentUrl } from '../timeline/asset/segmentUrl.ts';
import { cutUrls, withinPeriod } from './withinPeriod.ts';

const alone = { isFirst: true, isLast: true };
const borders = Float64Array.of(0, 10, 20, 30, 40);

describe('withinPeriod', () => {
  it('returns the segments that overlap a single Period', () => {
    expect(withinPeriod(borders, 0, 40, alone)).toEqual({ first: 0, end: 4, isOutside: false });
    expect(withinPeriod(borders, 0, undefined, alone)).toEqual({ first: 0, end: 4, isOutside: false });
    expect(withinPeriod(borders, 9, 22, alone)).toEqual({ first: 0, end: 4, isOutside: false });
    expect(withinPeriod(borders, 9.95, 20.1, alone)).toEqual({ first: 1, end: 3, isOutside: false });
    expect(withinPeriod(borders, 50, 10, alone)).toEqual({ first: 0, end: 4, isOutside: true });
  });

  it('assigns each segment to exactly one of the Periods that share a timeline', () => {
    const cut = fc.double({ min: 6, max: 34, noNaN: true });
    fc.assert(
      fc.property(cut, (at) => {
        const before = withinPeriod(borders, 0, at, { isFirst: true, isLast: false });
        const after = withinPeriod(borders, at, 40 - at, { isFirst: false, isLast: true });
        expect([before.first, before.end, after.end]).toEqual([0, after.first, 4]);
      }),
    );
  });
});

describe('cutUrls', () => {
  it('returns the URLs of the selected segments', () => {
    const all = ['a', 'b', 'c', 'd'].map((name) => `https://x/${name}.m4s`);
    const counted = [5, 6, 7, 8].map((number) => `https://x/${number}.m4s`);
    for (const urls of [all, counted]) {
      const cut = cutUrls(packUrls(urls), { first: 1, end: 3 });
      expect([0, 1].map((index) => segmentUrl({ borders, urls: cut }, index).url)).toEqual(urls.slice(1, 3));
    }
  });
});
