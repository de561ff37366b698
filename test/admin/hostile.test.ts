// What nobody should send, to every route: exact statuses, the one shape of errors, nothing half-written, no 5xx.
import { connect } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { adminRoutes } from '../../src/http/admin/adminServer.ts';
import type { Route } from '../../src/http/admin/route.ts';
import { type AdminTest, startAdmin } from '../adminServer.ts';
import { type PostgresServer, startPostgres } from '../startPostgres.ts';
import { type Client, clientOf, type Reply } from './client.ts';

let postgres: PostgresServer;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

const MiB = 1024 * 1024;

function expectError(reply: Reply, status: number, type: string) {
  expect([reply.status, reply.text]).toEqual([status, expect.anything()]);
  expect(reply.json).toMatchObject({
    type,
    code: status,
    message: expect.any(String),
    name: expect.stringMatching(/Error$/),
  });
  expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(reply.headers['x-request-id']).toBeTruthy();
}

describe.each(['SQLite', 'PostgreSQL'])('on %s', (kind) => {
  let admin: AdminTest;
  let call: Client;
  let keyless: Client;
  let routes: Route[];
  beforeAll(async () => {
    admin = await startAdmin(kind === 'PostgreSQL' ? { databaseUrl: postgres.url } : {});
    call = clientOf(admin.app, admin.key);
    keyless = clientOf(admin.app);
    routes = adminRoutes(admin.deps);
    await call('POST', '/api/v2/playlists', { id: 'p', name: 'as it was' });
    await call('POST', '/api/v2/channels', { id: 'c', name: 'as it was', apiKey: 'k' });
  });
  afterAll(() => admin.close());
  afterEach(() => {
    for (const line of admin.logged) expect(JSON.parse(line).status ?? 0).toBeLessThan(500);
  });

  /** Everything that is stored, keys' last use aside. */
  const stored = async () => {
    const paths = ['systems', 'playlists?limit=100', 'channels?limit=100'];
    return Promise.all(paths.map(async (path) => (await call('GET', `/api/v2/${path}`)).json));
  };
  const filled = (route: Route, id = 'p') => route.path.replace(':id', id);
  const keyed = () => routes.filter((route) => !('isOpen' in route));
  const taking = () => routes.filter((route) => route.body && !route.path.includes('keys'));

  test('every route but generate wants a key, before it looks at anything else', async () => {
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

  test('a method that is not offered is a 405 that says which are; HEAD and OPTIONS are offered', async () => {
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
    ['no JSON', '{"name":', 400, 'MALFORMED'],
    ['text that is no UTF-8', Buffer.from([0x22, 0xff, 0xfe, 0x22]), 400, 'MALFORMED'],
    ['nothing', '', 400, 'MALFORMED'],
    ['a field that stands twice', '{"name":"a","status":"enabled","name":"b"}', 400, 'MALFORMED'],
    ['a prototype', '{"__proto__":{"tenant":"globex"}}', 400, 'MALFORMED'],
    ['nesting without end', `${'{"contents":['.repeat(20_000)}`, 400, 'MALFORMED'],
    ['nesting that ends', `{"contents":${'['.repeat(50_000)}${']'.repeat(50_000)}}`, 400, 'MALFORMED'],
    ['null', 'null', 422, 'VALIDATION_ERROR'],
    ['a list', '[]', 422, 'VALIDATION_ERROR'],
    ['a text', '"name"', 422, 'VALIDATION_ERROR'],
    ['an unknown field', '{"nmae":"typo"}', 422, 'VALIDATION_ERROR'],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}}}', 422, 'VALIDATION_ERROR'],
    [
      'numbers beyond all numbers',
      '{"name":1e999,"contents":[{"sourceType":"placeholder","duration":1e999}]}',
      422,
      'VALIDATION_ERROR',
    ],
    ['two faults', '{"name":1,"id":"a/b"}', 422, 'VALIDATION_ERROR'],
    ['more than 1 MiB', JSON.stringify({ name: 'x'.repeat(MiB) }), 413, 'TOO_LARGE'],
    ['10 MB', 'x'.repeat(10_000_000), 413, 'TOO_LARGE'],
  ])('%s is refused by every route that takes a body', async (_what, body, status, type) => {
    const before = await stored();
    for (const route of taking()) {
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
  ])('a body of type "%s" is refused', async (type) => {
    for (const route of taking())
      expectError(
        await call(route.method, filled(route), '{}', { 'content-type': type }),
        415,
        'UNSUPPORTED_MEDIA_TYPE',
      );
  });

  test('an encoded body is refused; types of JSON are taken', async () => {
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

  test('ids that cannot be are not found, and cannot be given', async () => {
    const ids = [
      'a%2Fb',
      '..',
      '%2e%2e',
      'a%00b',
      '%F0%9F%8E%AC',
      "p'%20or%20'1'='1",
      'x'.repeat(2000),
      '%22%3E%3Cscript%3E',
      'p%0d%0aset-cookie:x',
      '__proto__',
      'constructor',
    ];
    for (const list of ['systems', 'playlists', 'channels', 'keys', 'sessions'])
      for (const id of ids) {
        const reply = await call('GET', `/api/v2/${list}/${id}`);
        // A dot segment is resolved by the client: the path above has no such route or lists.
        expect([200, 404]).toContain(reply.status);
        if (!id.includes('..')) expectError(reply, 404, 'NOT_FOUND');
        expect(reply.headers['set-cookie']).toBeUndefined();
      }
    for (const id of [
      '',
      'a/b',
      '..',
      '.',
      'a b',
      'ü',
      'a\u0000',
      '<x>',
      "a'b",
      'x'.repeat(129),
      5,
      null,
      {},
      '__proto__',
    ])
      for (const list of ['playlists', 'channels', 'systems'])
        expectError(
          await call('POST', `/api/v2/${list}`, { id, name: 'n', ...(list === 'systems' ? { type: 'ssai' } : {}) }),
          422,
          'VALIDATION_ERROR',
        );
    expectError(await call('GET', '/api/v2/playlists/%zz'), 400, 'MALFORMED');
  });

  test('filters that nothing can be called are refused, or find nothing', async () => {
    const filters = ['beacons?channel=', 'beacons?session=', 'beacons?host=', 'assets?channel='];
    for (const filter of filters) {
      for (const text of ['a%00b', '%00', '%0d%0a', 'x'.repeat(301)]) {
        const reply = await call('GET', `/api/v2/${filter}${text}`);
        expectError(reply, 422, 'VALIDATION_ERROR');
        expect(reply.json.data).toMatchObject([{ dataPath: `/${/\?(\w+)/.exec(filter)![1]}` }]);
      }
      for (const text of ['', 'nobody', '%F0%9F%8E%AC', "'%20or%201=1%20--", '%25', '%ff'])
        expect(await call('GET', `/api/v2/${filter}${text}`)).toMatchObject({ status: 200, json: [] });
    }
  });

  test('names of any characters survive', async () => {
    const names = [
      "'; drop table playlists; --",
      '<a href="x">&amp;</a>]]>',
      '\u0000\u0001\u001f\ud800\u2028',
      '🎬 ünï العربية',
      '{"json":"in json"}',
      '%s %d \\ " \n\r\t',
      '{{7*7}}',
    ];
    for (const name of names) {
      const { status, json } = await call('POST', '/api/v2/playlists', { name });
      expect([status, json.name]).toEqual([201, name]);
      expect((await call('GET', `/api/v2/playlists/${json.id}`)).json.name).toBe(name);
      expect((await call('GET', `/api/v2/playlists/${json.id}?format=mrss`)).status).toBe(200);
      await call('DELETE', `/api/v2/playlists/${json.id}`);
    }
  });

  test('limits hold at their edges, and every item beyond is told', async () => {
    const item = { sourceType: 'url', url: 'https://x/' };
    const cue = { spliceTime: 1, maxDuration: 1 };
    const many = (count: number, value: unknown) => Array(count).fill(value);
    const put = (contents: unknown) => call('PUT', '/api/v2/playlists/p', { name: 'as it was', contents });
    expect((await put(many(1000, item))).status).toBe(200);
    expect((await put(many(1001, item))).json.data).toMatchObject([{ keyword: 'maxItems', dataPath: '/contents' }]);
    expect((await put([{ ...item, cuePoints: many(500, cue) }])).status).toBe(200);
    expect((await put([{ ...item, cuePoints: many(501, cue) }])).json.data).toMatchObject([
      { dataPath: '/contents/0/cuePoints' },
    ]);
    const bad = many(200, { sourceType: 'url', nope: 1 });
    const told = (await put(bad)).json.data.map((fault: { dataPath: string }) => fault.dataPath);
    expect(new Set(told)).toEqual(new Set(bad.flatMap((_, n) => [`/contents/${n}/nope`, `/contents/${n}/url`])));
    expect((await put([])).status).toBe(200);
  });

  test('an exact body of 1 MiB is taken', async () => {
    const frame = JSON.stringify({ contents: [{ sourceType: 'url', url: 'https://x/' }] }).length;
    const body = JSON.stringify({ contents: [{ sourceType: 'url', url: 'https://x/' }] }).padEnd(MiB, ' ');
    expect(frame).toBeLessThan(MiB);
    expect((await call('PUT', '/api/v2/playlists/p', body)).status).toBe(200);
    expectError(await call('PUT', '/api/v2/playlists/p', `${body} `), 413, 'TOO_LARGE');
  });

  test('generate fetches nothing, keeps nothing, and names every fault', async () => {
    const before = await stored();
    const path = '/api/unsecured-v2/playlists/generate';
    const ok = await keyless('GET', `${path}?content=https://x.invalid/a.m3u8&markers=0,1,10;42.42,2,30.5`);
    expect(ok.json).toEqual({
      type: 'vod',
      contents: [
        {
          sourceType: 'url',
          url: 'https://x.invalid/a.m3u8',
          spliceType: 'seconds',
          cuePoints: [
            { spliceTime: 0, maxAds: 1, maxDuration: 10 },
            { spliceTime: 42.42, maxAds: 2, maxDuration: 30.5 },
          ],
        },
      ],
    });
    expect((await call('POST', '/api/v2/playlists', ok.json)).status).toBe(201);
    const [, list] = await stored();
    await call('DELETE', `/api/v2/playlists/${list[0].id}`);
    const faults = async (query: string) => {
      const reply = await keyless('GET', `${path}?${query}`);
      expectError(reply, 422, 'VALIDATION_ERROR');
      return reply.json.data.map((fault: { dataPath: string }) => fault.dataPath);
    };
    expect(await faults('')).toEqual(['/content']);
    expect(await faults('content=https://x/a')).toEqual(['/packaging']);
    expect(await faults('content=ftp://x/a.mpd&format=xml&markers=1;2,2,2;-1,1,1')).toEqual([
      '/format',
      '/content',
      '/markers/0',
      '/markers/2',
    ]);
    expect(await faults('content=a&content=b')).toContain('/content');
    expect(await stored()).toEqual(before);
  });

  test('the clock of a timeline is read in every form, and refused with the reason', async () => {
    const get = async (query: string) => call('GET', `/api/v2/channels/c/timeline?${query}`);
    const range = { from: '2026-03-01T20:00:00.000Z', to: '2026-03-01T21:00:00.000Z' };
    const from = Date.parse(range.from);
    for (const query of [`from=${range.from}`, `from=${from / 1000}`, `from=${from}&to=2026-03-01T22:00:00%2B01:00`])
      expect((await get(query)).json).toMatchObject(range);
    for (const query of [
      'from=yesterday',
      'from=5&to=4',
      'from=0&to=90000',
      'to=1e5',
      `from=${'9'.repeat(30)}`,
      'from=-1',
    ])
      expectError(await get(query), 422, 'VALIDATION_ERROR');
  });
});

describe('over a socket', () => {
  let admin: AdminTest;
  let port: number;
  beforeAll(async () => {
    admin = await startAdmin();
    await admin.app.listen({ port: 0, host: '127.0.0.1' });
    port = (admin.app.server.address() as { port: number }).port;
  });
  afterAll(() => admin.close());

  const speak = (text: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.end(text));
      let heard = '';
      socket.on('data', (data) => {
        heard += data;
      });
      socket.on('close', () => resolve(heard));
      socket.on('error', reject);
    });

  test('a client that sends 10 MB hears the 413, and its connection goes on', async () => {
    const url = `http://127.0.0.1:${port}/api/v2/playlists`;
    const headers = { 'x-api-key': admin.key, 'content-type': 'application/json' };
    for (let n = 0; n < 3; n += 1) {
      const response = await fetch(url, { method: 'POST', headers, body: 'x'.repeat(10_000_000) });
      expect([response.status, ((await response.json()) as { type: string }).type]).toEqual([413, 'TOO_LARGE']);
    }
    const stream = new ReadableStream({
      start: (controller) => {
        for (let n = 0; n < 40; n += 1) controller.enqueue(new Uint8Array(65_536));
        controller.close();
      },
    });
    const chunked = await fetch(url, { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit);
    expect(chunked.status).toBe(413);
  });

  test('what is no HTTP is answered in our shape and closed', async () => {
    for (const text of ['NONSENSE\r\n\r\n', 'GET / HTTP/9.9\r\n\r\n', 'GET /health HTTP/1.1\r\n\r\n'])
      expect(await speak(text)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const huge = await speak(`GET /health HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`);
    expect(huge).toMatch(/^HTTP\/1\.1 431 /);
    expect(JSON.parse(huge.split('\r\n\r\n')[1]!)).toMatchObject({ type: 'MALFORMED', code: 431 });
    expect(await speak('GET /health HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  test('a body that breaks off writes nothing', async () => {
    const head = `POST /api/v2/playlists HTTP/1.1\r\nhost: x\r\nx-api-key: ${admin.key}\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n`;
    await speak(`${head}{"id":"half"}`);
    expect((await clientOf(admin.app, admin.key)('GET', '/api/v2/playlists/half')).status).toBe(404);
  });
});
