// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { naming } from '../../../../../test/naming.ts';
import { readSearchTarget } from './searchTarget.ts';

const read = (settings: Record<string, string>, type: 'ssai' | 'cloud-media-services' = 'ssai') =>
  readSearchTarget({ type, settings });

describe('the search domain of a system', () => {
  test.each([
    ['search.example.com', 'https://search.example.com'],
    ['search.example.com:9200', 'https://search.example.com:9200'],
    ['http://127.0.0.1:9200/', 'http://127.0.0.1:9200'],
    ['https://example.com/search/', 'https://example.com/search'],
    ['[::1]:9200', 'https://[::1]:9200'],
  ])('%s is requested at %s', (searchDomain, url) => {
    expect(read({ searchDomain })).toMatchObject({ kind: 'target', target: { url, index: 'midroll-reports' } });
  });

  test.each(['ftp://a', 'https://user:secret@a', 'https://a?x=1', 'a b', 'http://'])(
    'is invalid: "%s"',
    (searchDomain) => {
      expect(read({ searchDomain })).toEqual({ kind: 'invalid', problem: naming('searchDomain') });
      expect(read({ searchDomain })).toEqual({ kind: 'invalid', problem: expect.not.stringContaining('searchIndex') });
    },
  );

  test.each(['Upper', '-a', '_a', 'a b', 'a*', 'a,b', '..'])('has an invalid index: "%s"', (searchIndex) => {
    const reading = read({ searchDomain: 'a', searchIndex });
    expect(reading).toEqual({ kind: 'invalid', problem: naming('searchIndex') });
    expect(reading).toEqual({ kind: 'invalid', problem: expect.not.stringContaining('searchDomain') });
  });

  test('is absent if it is not set, and for systems of another type', () => {
    expect(read({ searchUser: 'a' })).toEqual({ kind: 'none' });
    expect(read({ searchDomain: ' ' })).toEqual({ kind: 'none' });
    expect(read({ searchDomain: 'a' }, 'cloud-media-services')).toEqual({ kind: 'none' });
  });

  test('another password gives another key, which does not reveal it', () => {
    const [one, other] = ['one', 'other'].map((searchPassword) => {
      const reading = read({ searchDomain: 'a', searchUser: 'u', searchPassword });
      return reading.kind === 'target' ? reading.target.key : '';
    });
    expect(one).not.toBe(other);
    expect(one).toMatch(/^[0-9a-f]{16}$/);
  });
});
