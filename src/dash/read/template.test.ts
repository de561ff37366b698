// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';
import { naming } from '../../../test/naming.ts';
import { segmentUrl } from '../../timeline/asset/segmentUrl.ts';
import { constantText, fillTemplate, templateUrls } from './template.ts';

const known = { RepresentationID: 'v/1', Bandwidth: 800_000 };
const resolve = (reference: string): string => new URL(reference, 'https://a.example/x/y.mpd?q').href;

/** The URLs of three segments at 0, 96000 and 191232. */
function urls(template: string, more: { numbers?: number[]; timesAreBorders?: boolean } = {}) {
  const filled = fillTemplate(template, known);
  if ('code' in filled) throw new Error(filled.reason);
  const borders = Float64Array.of(0, 96_000, 191_232, 288_000);
  const time = (index: number): bigint => BigInt(borders[index]!);
  const packed = templateUrls(filled, { count: 3, firstNumber: 7, time, timesAreBorders: true, ...more }, resolve)!;
  return { packed, all: [0, 1, 2].map((index) => segmentUrl({ borders, urls: packed }, index).url) };
}

describe('fillTemplate', () => {
  it('fills in what is the same for all segments', () => {
    expect(constantText(fillTemplate('$RepresentationID$/$Bandwidth$/$Bandwidth%08d$/$$.mp4', known) as string[])).toBe(
      'v/1/800000/00800000/$.mp4',
    );
    expect(fillTemplate('a$Number%05d$b', known)).toEqual(['a', { name: 'Number', width: 5 }, 'b']);
  });

  it('returns a fault for an invalid template', () => {
    expect(fillTemplate('a$Number.m4s', known)).toMatchObject({ code: 'UNPAIRED_DOLLAR' });
    expect(fillTemplate('$SubNumber$', known)).toEqual({
      code: 'UNKNOWN_IDENTIFIER',
      reason: naming('"$SubNumber$"'),
    });
    expect(fillTemplate('$Number%5x$', known)).toMatchObject({ code: 'UNKNOWN_IDENTIFIER' });
    expect(fillTemplate('$Bandwidth$', {})).toMatchObject({ code: 'MISSING_VALUE' });
  });
});

describe('templateUrls', () => {
  it('resolves a template with $Number$ once for all segments', () => {
    const { packed, all } = urls('../$RepresentationID$/s $Number%03d$.m4s?t=$$');
    expect(packed).toEqual({
      kind: 'number',
      prefix: 'https://a.example/v/1/s%20',
      suffix: '.m4s?t=$',
      first: 7,
      width: 3,
    });
    expect(all[2]).toBe('https://a.example/v/1/s%20009.m4s?t=$');
  });

  it('uses the borders as times only when they are exact', () => {
    expect(urls('$Time$.m4s').packed.kind).toBe('time');
    expect(urls('$Time$.m4s').all[2]).toBe('https://a.example/x/191232.m4s');
    const listed = urls('$Time%08d$.m4s', { timesAreBorders: false });
    expect(listed.packed.kind).not.toBe('time');
    expect(listed.all[1]).toBe('https://a.example/x/00096000.m4s');
  });

  it('lists URLs that follow neither from numbers nor from times alone', () => {
    expect(urls('$Number$-$Time$').all).toEqual(['7-0', '8-96000', '9-191232'].map(resolve));
    expect(urls('$Number$', { numbers: [1, 5, 6] }).all).toEqual(['1', '5', '6'].map(resolve));
    expect(urls('$Number$/$Number$').all[1]).toBe(resolve('8/8'));
    expect(urls('only.mp4').all[1]).toBe(resolve('only.mp4'));
  });

  it('accepts URLs that contain the marker it replaces variables with', () => {
    expect(urls('0variable0/$Number$/0variable0').all[0]).toBe(resolve('0variable0/7/0variable0'));
  });
});
