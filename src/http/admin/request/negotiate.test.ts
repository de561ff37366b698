// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { mergePatch } from '../routes/crud.ts';
import { checkIfMatch, entityTag, isKnown } from './entityTag.ts';
import { negotiate } from './negotiate.ts';

const offers = ['application/json', 'application/rss+xml'] as const;

test.each([
  [undefined, 'json'],
  ['', 'json'],
  ['*/*', 'json'],
  ['application/rss+xml', 'rss+xml'],
  ['APPLICATION/RSS+XML;charset=utf-8', 'rss+xml'],
  ['application/rss+xml;q=0.5, application/json;q=0.9', 'json'],
  ['application/json;q=0.5, application/rss+xml; q=0.9', 'rss+xml'],
  ['application/rss+xml, */*;q=0.1', 'rss+xml'],
  ['application/*;q=0.3, application/rss+xml;q=0.2', 'json'],
  ['application/json;q=0, */*', 'rss+xml'],
  ['application/rss+xml;q=0', 'json'],
  ['application/rss+xml, application/json', 'json'],
  ['text/html', 'json'],
  ['application/rss+xml;q=nonsense', 'json'],
  [';;;,,,q=1', 'json'],
])('Accept: %s selects %s', (accept, kind) => {
  expect(negotiate(accept, offers)).toBe(`application/${kind}`);
});

// The examples of RFC 7396, appendix A.
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j patched with %j is %j', (target, patch, result) => expect(mergePatch(target, patch)).toEqual(result));

test('a patch cannot change a prototype', () => {
  const patched = mergePatch({}, JSON.parse('{"__proto__":{"admin":true},"constructor":{"prototype":{"admin":true}}}'));
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
  expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
});

test('conditional requests compare with the current version', () => {
  const record = { createdAt: '2026-01-02T03:04:05.678Z', version: 3 };
  const tag = entityTag(record);
  const newer = entityTag({ ...record, version: 4 });
  const failed = (...tags: string[]) =>
    expect.objectContaining({ kind: 'PRECONDITION_FAILED', message: naming('If-Match', ...tags) });
  expect(() => checkIfMatch(undefined, record)).not.toThrow();
  expect(() => checkIfMatch('*', record)).not.toThrow();
  expect(() => checkIfMatch(`"other", ${tag}`, record)).not.toThrow();
  expect(() => checkIfMatch(tag, { ...record, version: 4 })).toThrow(failed(tag, newer));
  expect(() => checkIfMatch(`W/${tag}`, record)).toThrow(failed(`W/${tag}`, tag));
  expect(isKnown(`W/${tag}`, tag)).toBe(true);
  expect(isKnown('"other"', tag)).toBe(false);
  expect(isKnown(undefined, tag)).toBe(false);
});
