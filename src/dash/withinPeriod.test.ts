// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packUrls, segmentUrl } from '../timeline/asset/segmentUrl.ts';
import { cutUrls, type PeriodEdges, shownInPeriod } from './read/readSegments.ts';

const alone = { isFirst: true, isLast: true };
const borders: Float64Array = Float64Array.of(0, 10, 20, 30, 40);

/** What is shown of four segments of 10 s, and the seconds that warnings name. */
function shown(offset: number, span: number | undefined, edges: PeriodEdges = alone, times = borders) {
  const seconds: string[] = [];
  const { first, end } = shownInPeriod(times, { offset, span, timescale: 1, edges }, (text) => {
    seconds.push(...(text.match(/[\d.]+(?= s )|all/g) ?? []));
  });
  return { first, end, seconds };
}

describe('shownInPeriod', () => {
  const late = borders.map((border) => border + 12);
  it.each<[string, Float64Array, number, number | undefined, number, number, string[]]>([
    ['a Period of the same length', borders, 0, 40, 0, 4, []],
    ['a Period of unknown length', borders, 0, undefined, 0, 4, []],
    ['a Period that the outer segments overlap', borders, 9, 22, 0, 4, []],
    ['a Period that they hardly overlap', borders, 9.95, 20.1, 1, 3, ['10.000', '10.000']],
    ['a Period that is too short', borders, 0, 20, 0, 2, ['20.000']],
    ['a Period after all segments', borders, 50, 10, 0, 4, ['all']],
    ['a Period in which a recording would fit', late, 0, 40, 0, 4, ['12.000', 'all']],
    ['a Period in which it would not fit', late, 0, 30, 0, 2, ['20.000']],
    ['a Period with a stated offset', late, 2, 40, 0, 3, ['10.000']],
  ])('%s', (_, times, offset, span, first, end, seconds) => {
    expect(shown(offset, span, alone, times)).toEqual({ first, end, seconds });
  });

  it('assigns each segment to exactly one of the Periods that share a timeline', () => {
    const cut = fc.double({ min: 6, max: 34, noNaN: true });
    fc.assert(
      fc.property(cut, (at) => {
        const before = shown(0, at, { isFirst: true, isLast: false });
        const after = shown(at, 40 - at, { isFirst: false, isLast: true });
        expect([before.first, before.end, after.end]).toEqual([0, after.first, 4]);
        expect([...before.seconds, ...after.seconds]).toEqual([]);
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
