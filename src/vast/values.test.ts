// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { lawRuns } from '../../test/lawRuns.ts';
import { flicks } from '../time/units.ts';
import { formatVastTime } from './macros.ts';
import { kbitsOf, readLink, readOffset, readTime, readUrl, resolveUrl } from './values.ts';

const seconds = (value: number) => Math.round(value * 705_600_000);

describe('readUrl', () => {
  it('repairs common mistakes', () => {
    const cases: [string, string][] = [
      ['  https://a.example/x ', 'https://a.example/x'],
      ['//a.example/x', 'https://a.example/x'],
      ['\n\t  https://a.example/x?a=1\n     &b=2\n', 'https://a.example/x?a=1&b=2'],
      ['https%3A%2F%2Fa.example%2Fx%3Fy%3D1', 'https://a.example/x?y=1'],
      ['https%253A%252F%252Fa.example%252Fx', 'https://a.example/x'],
      ['https://a.example/x?a=1&amp;b=2&amp;amp;c=3', 'https://a.example/x?a=1&b=2&c=3'],
      ['https://a.example/my ad.mp4', 'https://a.example/my%20ad.mp4'],
      ['HTTPS://A.example/[CACHEBUSTING]?e=[ERRORCODE]', 'HTTPS://A.example/[CACHEBUSTING]?e=[ERRORCODE]'],
      ['https://a.example/?next=https%3A%2F%2Fb.example', 'https://a.example/?next=https%3A%2F%2Fb.example'],
      ['\u00A0https://a.example/\u0000x', 'https://a.example/x'],
      ['https:/a.example/x?u=https:/b', 'https://a.example/x?u=https:/b'],
      ['https:a.example/x', 'https://a.example/x'],
      ['https:///a.example/x', 'https://a.example/x'],
      ['http:\\\\a.example\\x?y=\\z', 'http://a.example/x?y=\\z'],
      ['https:\\/\\/a.example\\/x', 'https://a.example/x'],
      ['https:%2F%2Fa.example%2Fx', 'https://a.example/x'],
      ['www.a.example/x', 'https://www.a.example/x'],
    ];
    for (const [text, url] of cases) expect(readUrl(text), text).toBe(url);
  });

  it('resolves relative URLs against the URL of the document', () => {
    const base = 'http://ads.example/vast/answer.xml?x=y';
    const cases: [string, string][] = [
      ['//m.example/a.mp4', 'http://m.example/a.mp4'],
      ['/a.mp4', 'http://ads.example/a.mp4'],
      ['\n  media/a b.mp4?c=[CACHEBUSTING]', 'http://ads.example/vast/media/a%20b.mp4?c=[CACHEBUSTING]'],
      ['./a.mp4', 'http://ads.example/vast/a.mp4'],
      ['../a.mp4', 'http://ads.example/a.mp4'],
      ['a.mp4', 'http://ads.example/vast/a.mp4'],
      ['next', 'http://ads.example/vast/next'],
      ['?e=start&amp;u=https://b/', 'http://ads.example/vast/answer.xml?e=start&u=https://b/'],
      ['\\a.mp4', 'http://ads.example/a.mp4'],
      ['www.a.example/x', 'http://www.a.example/x'],
      ['https:/a.example/x', 'https://a.example/x'],
      ['https://a.example/x', 'https://a.example/x'],
    ];
    for (const [text, url] of cases) expect(readUrl(text, base), text).toBe(url);
    const none = 'N/A null undefined - #top [BASE]/x %%BASE%%/x {price} ftp://a.example/x C:\\a.mp4';
    for (const text of ['', ...none.split(' ')]) expect(readUrl(text, base), text).toBeUndefined();
    expect(readLink('/shop', base)).toBe('http://ads.example/shop');
    expect(readLink('market://details?id=x', base)).toBe('market://details?id=x');
    expect(readLink('javascript:alert(1)', base)).toBeUndefined();
  });

  it('returns undefined for anything else', () => {
    const others = 'about:blank N/A a.example/x /x https:// http:///x javascript:alert(1) data:,x https%3A%2F%2F%ZZ';
    for (const text of ['', ...others.split(' '), '[BASE]/x']) expect(readUrl(text), text).toBeUndefined();
  });

  it('is idempotent', () => {
    const piece = fc.constantFrom(...'%3A%2F%2F|%|25|&|amp;| |\n|\u0001|\u00A0|//|:|x|é|[A]'.split('|'));
    fc.assert(
      fc.property(fc.constantFrom('https', 'https://a', '//a'), fc.array(piece), (start, rest) => {
        const url = readUrl(start + rest.join(''));
        if (url !== undefined) expect(readUrl(url)).toBe(url);
      }),
      lawRuns(1000),
    );
  });

  it('allows links to apps, but not URLs that run code', () => {
    expect(readLink('market://details?id=x')).toBe('market://details?id=x');
    expect(readLink('tel:+461')).toBe('tel:+461');
    expect(readLink('//a.example')).toBe('https://a.example');
    for (const text of ['JavaScript:alert(1)', ' data:text/html,x', 'file:///etc/passwd', 'nothing', 'vbscript:x']) {
      expect(readLink(text), text).toBeUndefined();
    }
  });
});

describe('readTime', () => {
  it('reads clock times and the other notations in use', () => {
    const cases: [string, number][] = [
      ['00:00:30', 30],
      ['00:00:30.5', 30.5],
      ['00:00:15.041', 15.041],
      ['01:02:03.004', 3723.004],
      ['0:30', 30],
      ['00:00:30:12', 30],
      ['00:00:10,250', 10.25],
      ['30', 30],
      ['30.25', 30.25],
      ['30s', 30],
      ['PT30S', 30],
      ['15000', 15],
      ['00:00:00', 0],
      [' 00:90:00 ', 5400],
    ];
    for (const [text, value] of cases) expect(readTime(text), text).toBe(seconds(value));
  });

  it('returns undefined for anything else', () => {
    expect(readTime('00:00')).toBe(0);
    for (const text of ['', 'undefined', 'NaN', '-1', '00:00:-5', '24:00:00', '1:2:3:4:5', '1e3']) {
      expect(readTime(text), text).toBeUndefined();
    }
  });

  it('reads every time that formatVastTime writes', () => {
    fc.assert(
      fc.property(fc.nat(86_399_999), (ms) => {
        const time = flicks(ms * 705_600);
        expect(formatVastTime(time)).toMatch(/^\d\d:[0-5]\d:[0-5]\d\.\d{3}$/);
        expect(readTime(formatVastTime(time))).toBe(time);
      }),
    );
  });
});

describe('readOffset', () => {
  it('reads times and percentages', () => {
    expect(readOffset('00:00:05')).toEqual({ kind: 'time', at: seconds(5) });
    expect(readOffset('5')).toEqual({ kind: 'time', at: seconds(5) });
    expect(readOffset(' 33.3333333 %')).toEqual({ kind: 'percent', percent: 33.333 });
    expect(readOffset('100%')).toEqual({ kind: 'percent', percent: 100 });
    for (const text of ['101%', '%', '-5%', 'soon']) expect(readOffset(text), text).toBeUndefined();
  });
});

describe('kbitsOf', () => {
  it('distinguishes bit/s from kbit/s', () => {
    expect(kbitsOf(2_000, 1280, 720)).toBe(2_000);
    expect(kbitsOf(2_000_000, 1280, 720)).toBe(2_000);
    expect(kbitsOf(500_000, undefined, undefined)).toBe(500);
    expect(kbitsOf(120_000, 640, 360)).toBe(120);
    // 100 Mbit/s is plausible for a mezzanine, and so is 150 Mbit/s when the size is unknown.
    expect(kbitsOf(100_000, 1920, 1080)).toBe(100_000);
    expect(kbitsOf(150_000, undefined, undefined)).toBe(150_000);
  });

  it('is idempotent', () => {
    const size = fc.option(fc.integer({ min: 1, max: 8000 }), { nil: undefined });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e12 }), size, size, (value, width, height) => {
        const kbits = kbitsOf(value, width, height);
        expect(kbitsOf(kbits, width, height)).toBe(kbits);
      }),
    );
  });
});

const base = 'http://user:pass@a.example:81/b/c/d?q=/x';

it.each([
  ['//e.example/f', 'http://e.example/f'],
  ['/f', 'http://a.example:81/f'],
  ['/f/../g?h=../i', 'http://a.example:81/g?h=../i'],
  ['f', 'http://a.example:81/b/c/f'],
  ['./f', 'http://a.example:81/b/c/f'],
  ['../f.mp4?x=[CACHEBUSTING]', 'http://a.example:81/b/f.mp4?x=[CACHEBUSTING]'],
  ['../../../../f', 'http://a.example:81/f'],
  ['..', 'http://a.example:81/b/'],
  ['.', 'http://a.example:81/b/c/'],
  ['?h', 'http://a.example:81/b/c/d?h'],
  ['f/%%CACHEBUSTER%%/$(x)/ü', 'http://a.example:81/b/c/f/%%CACHEBUSTER%%/$(x)/ü'],
])('resolves %s to %s', (reference, url) => {
  expect(resolveUrl(reference, base)).toBe(url);
});

it('requires an http or https base', () => {
  expect(resolveUrl('f', 'https://a.example')).toBe('https://a.example/f');
  expect(resolveUrl('?f', 'https://a.example')).toBe('https://a.example/?f');
  for (const none of ['', 'about:blank', 'file:///etc/']) expect(resolveUrl('passwd', none)).toBeUndefined();
});

it('agrees with the URL Standard', () => {
  const segment = fc.constantFrom('', '.', '..', 'a', 'b.mp4', 'x=1');
  const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((all) => all.join('/'));
  const query = fc.constantFrom('', '?', '?a=../b');
  fc.assert(
    fc.property(path, path, query, (of, reference, more) => {
      const document = new URL(`https://h.example/${of}`).href;
      const relative = reference + more;
      fc.pre(relative !== '' && !relative.startsWith('//'));
      expect(resolveUrl(relative, document)).toBe(new URL(relative, document).href);
    }),
  );
});
