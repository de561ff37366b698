// SPDX-License-Identifier: Apache-2.0
// Invalid and hostile requests to every route: exact statuses, the shape of errors, no partial writes, no 5xx.
import { expect, test } from 'vitest';
import type { Route } from '../../../src/http/admin/request/route.ts';
import { adminRoutes } from '../../servers/adminRoutes.ts';
import { expectError } from '../expectError.ts';
import { onBothStores } from '../onBothStores.ts';
import { attackedStore } from './attackedStore.ts';

const MiB = 1024 * 1024;

onBothStores((on) => {
  const { admin, call } = on;
  const { keyless, stored } = attackedStore(on);
  const routes = adminRoutes(admin.deps);
  const filled = (route: Route, id = 'p') => route.path.replace(':id', id).replace(':distributorId', 'd');
  const keyed = () => routes.filter((route) => !('isOpen' in route));
  // A route that reads documents, also in JSON, says what is wrong with them line by line (test/live/linear/scheduleDocuments.test.ts).
  const readsDocuments = ({ body }: Route) => body?.textTypes?.includes('application/json') === true;
  const withBody = () =>
    routes.filter((route) => route.body && !readsDocuments(route) && !/keys|rotate/.test(route.path));

  test('every route except generate checks the key before anything else', async () => {
    for (const route of keyed()) {
      const missing = await keyless(route.method, filled(route), route.body ? 'not JSON' : undefined);
      expectError(missing, 401, 'KEY_MISSING');
      if (route.method === 'GET') expect((await keyless('HEAD', filled(route))).status).toBe(401);
      for (const key of ['wrong', admin.key.slice(0, -1), `${admin.key} `, "' or 1=1 --", '\u00fc'.repeat(200)]) {
        const wrong = await keyless(route.method, filled(route), undefined, { 'x-api-key': key });
        expect(wrong.status).toBe(403);
        expect(wrong.json).toEqual({
          type: 'Forbidden',
          code: 403,
          message: 'Invalid API key.',
          name: 'ForbiddenError',
        });
      }
    }
    expectError(await keyless('GET', '/api/v2/openapi.json'), 401, 'KEY_MISSING');
    expectError(await keyless('GET', '/api/v2/nothing/here'), 401, 'KEY_MISSING');
    expectError(await keyless('GET', '/api/%762/playlists'), 401, 'KEY_MISSING');
    expectError(await call('GET', '/api/v2/nothing/here'), 404, 'NOT_FOUND');
    expectError(await keyless('GET', '/elsewhere'), 404, 'NOT_FOUND');
  });

  test('an unsupported method is a 405 with the allowed ones, which include HEAD and OPTIONS', async () => {
    const reply = await call('DELETE', '/api/v2/playlists');
    expectError(reply, 405, 'METHOD_NOT_ALLOWED');
    expect(reply.headers.allow).toBe('GET, POST, HEAD, OPTIONS');
    const options = await keyless('OPTIONS', '/api/v2/playlists/p');
    expect([options.status, options.headers.allow]).toEqual([204, 'GET, PUT, PATCH, DELETE, HEAD, OPTIONS']);
    const [head, get] = [await call('HEAD', '/api/v2/playlists/p'), await call('GET', '/api/v2/playlists/p')];
    expect([head.status, head.text, head.headers['content-length']]).toEqual([
      200,
      '',
      String(Buffer.byteLength(get.text)),
    ]);
    expect((await call('HEAD', '/api/v2/playlists/none')).status).toBe(404);
  });

  test.each([
    ['invalid JSON', '{"name":', 400, 'MALFORMED'],
    ['invalid UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400, 'MALFORMED'],
    ['an empty body', '', 400, 'MALFORMED'],
    ['a duplicate field', '{"name":"a","status":"enabled","name":"b"}', 400, 'MALFORMED'],
    ['__proto__', '{"__proto__":{"tenant":"globex"}}', 400, 'MALFORMED'],
    ['unclosed nesting', `${'{"contents":['.repeat(20_000)}`, 400, 'MALFORMED'],
    ['deep nesting', `{"contents":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400, 'MALFORMED'],
    ['null', 'null', 422, 'VALIDATION_ERROR'],
    ['an array', '[]', 422, 'VALIDATION_ERROR'],
    ['a string', '"name"', 422, 'VALIDATION_ERROR'],
    ['an unknown field', '{"nmae":"typo"}', 422, 'VALIDATION_ERROR'],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}}}', 422, 'VALIDATION_ERROR'],
    [
      'infinite numbers',
      '{"name":1e999,"contents":[{"sourceType":"placeholder","duration":1e999}]}',
      422,
      'VALIDATION_ERROR',
    ],
    ['two faults', '{"name":1,"id":"a/b"}', 422, 'VALIDATION_ERROR'],
    ['more than 1 MiB', JSON.stringify({ name: 'x'.repeat(MiB) }), 413, 'TOO_LARGE'],
    ['10 MB', 'x'.repeat(10_000_000), 413, 'TOO_LARGE'],
  ])('%s is rejected by every route with a body', async (_what, body, status, type) => {
    const before = await stored();
    for (const route of withBody()) {
      const id = route.path.includes('channels') ? 'c' : route.path.includes('systems') ? before[0][0].id : 'p';
      expectError(await call(route.method, filled(route, id), body), status, type);
    }
    expect(await stored()).toEqual(before);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'nonsense',
    '',
  ])('a body of type "%s" is rejected', async (type) => {
    for (const route of withBody())
      expectError(
        await call(route.method, filled(route), '{}', { 'content-type': type }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
  });

  test('a compressed body is rejected, and all JSON types are accepted', async () => {
    expectError(
      await call('PUT', '/api/v2/playlists/p', 'x', { 'content-encoding': 'gzip' }),
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    );
    for (const type of ['application/json; charset=UTF-8', 'application/merge-patch+json', 'APPLICATION/JSON'])
      expect(
        (await call('PATCH', '/api/v2/playlists/p', '{"name":"as it was"}', { 'content-type': type })).status,
      ).toBe(200);
    expect((await call('DELETE', '/api/v2/playlists/none', '', { 'content-type': 'application/json' })).status).toBe(
      404,
    );
    expect((await call('GET', '/api/v2/playlists', undefined, { 'content-type': 'nonsense' })).status).toBe(200);
  });
});
