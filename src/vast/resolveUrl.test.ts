// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { resolveUrl } from './values.ts';

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
