// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { AppError } from '../../errors.ts';
import { readFeedRequest } from './openFeed.ts';

const url = 'https://feeds.example/films.xml';

/** The paths of all faults. */
function faultsOf(body: unknown): string[] {
  try {
    readFeedRequest(body);
  } catch (error) {
    if (error instanceof AppError && error.kind === 'VALIDATION_ERROR') return error.data!.map((one) => one.dataPath);
    throw error;
  }
  return [];
}

test('every field except url and deliverytypes is a variable for the ad server', () => {
  const body = { url, deliverytypes: ['dash'], context: 'vod', ifa: 'a b', age: 30, kids: false, none: null };
  const { parameters, ...rest } = readFeedRequest(body);
  expect(rest).toEqual({ url, format: 'dash' });
  expect({ ...parameters }).toEqual({ context: 'vod', ifa: 'a b', age: '30', kids: 'false' });
});

test.each([
  [{}, ['/url', '/deliverytypes']],
  [{ url: 'films.xml', deliverytypes: 'hls' }, ['/url', '/deliverytypes']],
  [{ url: 'file:///etc/passwd', deliverytypes: ['hls', 'dash'] }, ['/url', '/deliverytypes']],
  [{ url: `${url}?${'x'.repeat(9000)}`, deliverytypes: ['HLS'] }, ['/url', '/deliverytypes']],
  [{ url, deliverytypes: ['hls'], a: {}, 'b/c': [1], 'api-key': 'k' }, ['/a', '/b~1c', '/api-key']],
  [{ url, deliverytypes: ['hls'], long: 'x'.repeat(3000) }, ['/long']],
  [{ url, deliverytypes: ['hls'], ...Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`v${i}`, i])) }, ['']],
  [[], ['']],
  ['text', ['']],
])('the faults of %.80j are named', (body, paths) => expect(faultsOf(body)).toEqual(paths));

test('a missing body is malformed', () => {
  expect(() => readFeedRequest(undefined)).toThrow(expect.objectContaining({ kind: 'MALFORMED' }));
});
