// SPDX-License-Identifier: Apache-2.0
// Error responses of the live port.
import { expect, test } from 'vitest';
import { serveInTests } from '../../test/serve.ts';
import { AppError, errorTypes } from '../errors.ts';
import { replyError } from './live/reply.ts';

let failure: unknown;
const url = await serveInTests((request, response) => replyError(request, response, failure, 'its-id'));

async function replyTo(error: unknown) {
  failure = error;
  const response = await fetch(url);
  return { status: response.status, headers: response.headers, json: await response.json() };
}

test.each([
  ['UNAVAILABLE', 15, '15'],
  ['UNAVAILABLE', undefined, '2'],
  ['TOO_MANY_REQUESTS', 7, '7'],
  ['TOO_MANY_REQUESTS', undefined, '60'],
  ['NOT_FOUND', undefined, null],
] as const)('%s with retryAfter %s has retry-after %s', async (kind, retryAfter, header) => {
  const { headers } = await replyTo(new AppError(kind, 'text', retryAfter === undefined ? {} : { retryAfter }));
  expect(headers.get('retry-after')).toBe(header);
});

test('a bug is an error of a documented type, with the id of the request and without details', async () => {
  const { status, headers, json } = await replyTo(new Error('inner detail'));
  expect([status, headers.get('x-request-id')]).toEqual([500, 'its-id']);
  expect(json).toEqual({
    ...errorTypes.find(({ type }) => type === 'INTERNAL_ERROR'),
    message: expect.any(String),
    requestId: 'its-id',
  });
  expect(JSON.stringify(json)).not.toContain('inner detail');
});
