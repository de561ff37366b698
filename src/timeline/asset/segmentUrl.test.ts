// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { packRefs, packTimes, packUrls, provenTimes } from './segmentUrl.ts';

/** The URLs of segments as a template (ISO/IEC 23009-1 5.3.9.4.4), as live origins are listed in DASH. */
function templateOf(urls: readonly string[], times: readonly number[], number?: number): string | undefined {
  const packed =
    packTimes(urls, times, number) ??
    packRefs(
      urls.map((url) => ({ url })),
      number,
    );
  const proven = provenTimes(packed, times);
  if (proven.kind === 'number') return `${proven.prefix}$Number$${proven.suffix} ${proven.first}`;
  return proven.kind === 'time' ? `${proven.prefix}$Time$${proven.suffix}` : undefined;
}

describe('the template of one segment is right for later ones, too', () => {
  test.each([
    ['v0/1.m4s', 0, 1, 'v0/$Number$.m4s 1'],
    ['v0/1.m4s', 0, undefined, 'v0/$Number$.m4s 1'],
    ['v0/0.m4s', 0, 0, 'v0/$Number$.m4s 0'],
    ['chunk-stream0-00001.m4s', 0, 1, 'chunk-stream0-$Number$.m4s 1'],
    ['1_v0.m4s', 0, 1, '$Number$_v0.m4s 1'],
    ['12_720p.m4s', 0, undefined, '$Number$_720p.m4s 12'],
    ['seg12_v0.m4s', 0, 12, 'seg$Number$_v0.m4s 12'],
    ['v0/seg-96000-a.m4s', 96_000, 7, 'v0/seg-$Time$-a.m4s'],
    ['v0/t96000_7.m4s', 96_000, 7, 'v0/t$Time$_7.m4s'],
    ['v5/4/video.m4s', 4, 9, 'v5/$Number$/video.m4s 4'],
    ['video?n=4&token=a1', 4, 9, 'video?n=$Number$&token=a1 4'],
    ['seg.m4s?token=9.8', 0, 3, undefined],
    ['v1/seg-a.m4s', 1, 3, undefined],
    ['http://127.0.0.1:8080/a.m4s', 0, 1, undefined],
  ])('%s at %i with the number %s is %4$s', (url, time, number, template) => {
    expect(templateOf([url], [time], number)).toBe(template);
  });
});

test('several segments show what counts', () => {
  expect(templateOf(['v0/0.m4s', 'v0/96000.m4s'], [0, 96_000], 0)).toBe('v0/$Time$.m4s');
  expect(templateOf(['v0/0.m4s', 'v0/1.m4s'], [0, 96_000], 0)).toBe('v0/$Number$.m4s 0');
  expect(templateOf(['5/a.m4s?x=1', '6/a.m4s?x=1'], [1, 96_001], 0)).toBe('$Number$/a.m4s?x=1 5');
});

test('the last twenty numbers of a URL are tried', () => {
  const counted = (index: number, after: number): string => `${index}${'/7'.repeat(after)}.ts`;
  expect(packUrls([counted(1, 19), counted(2, 19)]).kind).toBe('number');
  expect(packUrls([counted(1, 20), counted(2, 20)]).kind).toBe('list');
});
