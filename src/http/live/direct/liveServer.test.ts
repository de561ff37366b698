// SPDX-License-Identifier: Apache-2.0
// Requests that are malformed, unusual or meant to smuggle others: the answers are those of node:http.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startEchoes, type Twins } from '../../../../test/direct/twins.ts';

let twins: Twins;
beforeAll(async () => {
  twins = await startEchoes();
});
afterAll(() => twins.close());

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');

/** @returns whether the connection stayed with the direct server */
async function expectAlike(...chunks: readonly string[]): Promise<boolean> {
  const { direct } = twins.counts;
  const [one, other] = await twins.send(chunks.map(bytes));
  expect(one).toEqual(other);
  return twins.counts.direct > direct;
}

const get = (path: string, ...lines: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\n${['Host: a', ...lines].map((line) => `${line}\r\n`).join('')}\r\n`;

const ways = ['bytes', 'long', 'utf8', 'empty', 'nothing', 'redirect', 'error', 'missing', 'later', 'other'];

test.each(ways)('a plain GET of /%s', async (way) => {
  expect(await expectAlike(get(`/${way}`), get(`/${way}?again`))).toBe(true);
});

const browser = [
  ...['Connection: keep-alive', 'User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36', 'Accept: */*'],
  ...['sec-ch-ua: "Chromium";v="130", "Not?A_Brand";v="99"', 'Accept-Encoding: gzip, deflate, br', 'Cookie: a=b; c=d'],
  ...['X-Forwarded-For: 1.2.3.4, 5.6.7.8', 'Range: bytes=0-', 'If-None-Match: W/"x"', 'Priority: u=1, i', 'DNT: 1'],
];

const plain: Readonly<Record<string, readonly string[]>> = {
  'headers of a browser': [get('/', ...browser), get('/x', ...browser), get('/y', ...browser.slice(1))],
  'names in any case': ['GET / HTTP/1.1\r\nhOsT: a\r\nX-UPPER: 1\r\n\r\n'],
  'blanks around values': ['GET / HTTP/1.1\r\nHost:a\r\nX-A: \t b c\t \r\nX-B:\r\nX-C: \t \r\n\r\n'],
  'an empty Host': ['GET / HTTP/1.1\r\nHost: \r\n\r\n'],
  'every character of a token': [get('/', "!#$%&'*+-.^_`|~09azAZ: 1")],
  'percent-encodings': [get('/%00%0d%0a%2F%zz%'), get('/a%2e%2e/b')],
  'dots and slashes': [get('/../..//./a//b/..'), get('//evil.example/x'), get('/?//?/..')],
  'every character of a target': [get("/AZaz09-._~!$&'()*+,;=:@/?a=b&c=%20")],
  'Keep-Alive variants': [
    get('/', 'connection:Keep-Alive'),
    get('/', 'Connection: KEEP-ALIVE', 'Keep-Alive: timeout=5'),
  ],
  'names of the prototype of objects': [get('/', 'constructor: 1', 'toString: 2', 'hasOwnProperty: 3')],
  'sixty headers': [get('/', ...Array.from({ length: 60 }, (_, index) => `x-${index}: ${index}`))],
  'a head of almost 8 KB': [get('/', `x-long: ${'x'.repeat(8100)}`)],
};

test.each(Object.keys(plain))('%s', async (name) => {
  expect(await expectAlike(...plain[name]!)).toBe(true);
});

const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: b\r\n\r\n';
const others: Readonly<Record<string, readonly string[]>> = {
  'two requests in one chunk': [get('/1') + get('/2')],
  'ten requests in one chunk, the first of which waits': [
    get('/later') + Array.from({ length: 9 }, () => get('/2')).join(''),
  ],
  'a fragment of the next request': [`${get('/1')}GET /2 HT`, 'TP/1.1\r\nHost: a\r\n\r\n'],
  'an empty line before the request': [`\r\n${get('/')}`],
  'an empty line after the request': [`${get('/')}\r\n`, get('/2')],
  'garbage after the request': [`${get('/')}garbage`],
  'HTTP/1.0': ['GET / HTTP/1.0\r\nHost: a\r\n\r\n'],
  'HTTP/1.0 with keep-alive': ['GET / HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\n\r\n', get('/2')],
  'HTTP/0.9': ['GET /\r\n'],
  'HTTP/1.2': ['GET / HTTP/1.2\r\nHost: a\r\n\r\n'],
  'HTTP/2.0': ['GET / HTTP/2.0\r\nHost: a\r\n\r\n'],
  'the preface of HTTP/2': ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  'the protocol in lower case': ['GET / http/1.1\r\nHost: a\r\n\r\n'],
  'the method in lower case': ['get / HTTP/1.1\r\nHost: a\r\n\r\n'],
  HEAD: ['HEAD / HTTP/1.1\r\nHost: a\r\n\r\n', get('/2')],
  OPTIONS: ['OPTIONS / HTTP/1.1\r\nHost: a\r\n\r\n', get('/2')],
  POST: ['POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc', get('/2')],
  'unknown methods': ['BREW / HTTP/1.1\r\nHost: a\r\n\r\n'],
  GETX: ['GETX / HTTP/1.1\r\nHost: a\r\n\r\n'],
  CONNECT: ['CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'],
  'absolute-form': ['GET http://b.example/x HTTP/1.1\r\nHost: a\r\n\r\n', get('/2')],
  'asterisk-form': ['GET * HTTP/1.1\r\nHost: a\r\n\r\n'],
  'no target': ['GET HTTP/1.1\r\nHost: a\r\n\r\n'],
  'a relative target': ['GET x HTTP/1.1\r\nHost: a\r\n\r\n'],
  'a blank in the target': ['GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'],
  'two blanks before the target': ['GET  / HTTP/1.1\r\nHost: a\r\n\r\n'],
  'two blanks after the target': ['GET /  HTTP/1.1\r\nHost: a\r\n\r\n'],
  'a tab after the method': ['GET\t/ HTTP/1.1\r\nHost: a\r\n\r\n'],
  'a blank after the protocol': ['GET / HTTP/1.1 \r\nHost: a\r\n\r\n'],
  'a fragment in the target': [get('/a#b'), get('/2')],
  'characters that URLs must encode': [get('/"<>[]^`{|}\\')],
  'bytes above ASCII in the target': [get('/\xe4\xff')],
  'NUL in the target': [get('/a\0b')],
  'bytes above ASCII in a value': [get('/', 'x: \xe4\xff'), get('/2')],
  'bytes above ASCII in a name': [get('/', 'x\xe4: 1')],
  'NUL in a value': [get('/', 'x: a\0b')],
  'DEL in a value': [get('/', 'x: a\x7fb')],
  'NUL in a name': [get('/', 'x\0: 1')],
  'a bare LF after the request line': ['GET / HTTP/1.1\nHost: a\r\n\r\n'],
  'a bare LF after a field': ['GET / HTTP/1.1\r\nHost: a\nX: 1\r\n\r\n'],
  'bare LFs at the end': ['GET / HTTP/1.1\r\nHost: a\n\n'],
  'a bare LF as the empty line': ['GET / HTTP/1.1\r\nHost: a\r\n\n'],
  'a bare CR in a value': [get('/', 'x: a\rb')],
  'a bare CR before the line break': ['GET / HTTP/1.1\r\nHost: a\r\r\n\r\n'],
  'obs-fold': [get('/', 'x: a\r\n b'), get('/2')],
  'obs-fold with a smuggled field': [get('/', 'x: a\r\n\tContent-Length: 9')],
  'a blank before the first field': ['GET / HTTP/1.1\r\n Host: a\r\n\r\n'],
  'a blank before the colon': ['GET / HTTP/1.1\r\nHost : a\r\n\r\n'],
  'a blank before the colon of a length': [get('/', 'Content-Length : 5')],
  'no colon': [get('/', 'garbage')],
  'an empty name': [get('/', ': x')],
  'no Host': ['GET / HTTP/1.1\r\n\r\n'],
  'other fields without Host': ['GET / HTTP/1.1\r\nX: 1\r\n\r\n'],
  'two Hosts': [get('/', 'Host: b'), get('/2')],
  'two Hosts in different cases': [get('/', 'hOST: a')],
  'a name twice': [get('/', 'X: 1', 'x: 2'), get('/2')],
  'Cookie twice': [get('/', 'Cookie: a', 'Cookie: b')],
  'a length': [`${get('/', 'Content-Length: 5')}hello`, get('/2')],
  'a length of 0': [get('/', 'Content-Length: 0'), get('/2')],
  'two lengths': [get('/', 'Content-Length: 5', 'Content-Length: 6')],
  'a length with a sign': [`${get('/', 'Content-Length: +5')}hello`],
  'a body that comes later': [get('/', 'Content-Length: 5'), 'hello', get('/2')],
  chunked: [`${get('/', 'Transfer-Encoding: chunked')}0\r\n\r\n`, get('/2')],
  'chunked with a smuggled request': [
    `${get('/', 'Transfer-Encoding: chunked', 'Content-Length: 4')}0\r\n\r\n${smuggled}`,
  ],
  'chunked in other spellings': [`${get('/', 'Transfer-Encoding: xchunked')}0\r\n\r\n${smuggled}`],
  'chunked with a blank': [`${get('/', 'Transfer-Encoding : chunked')}0\r\n\r\n${smuggled}`],
  'a trailer': [`${get('/', 'Trailer: x', 'Transfer-Encoding: chunked')}0\r\nx: 1\r\n\r\n`, get('/2')],
  TE: [get('/', 'TE: trailers', 'Connection: TE'), get('/2')],
  'Connection: close': [get('/', 'Connection: close'), get('/2')],
  'Connection: close, keep-alive': [get('/', 'Connection: close, keep-alive'), get('/2')],
  'Connection: keep-alive, x': [get('/', 'Connection: keep-alive, x'), get('/2')],
  'an empty Connection': [get('/', 'Connection: '), get('/2')],
  'Connection twice': [get('/', 'Connection: keep-alive', 'Connection: close'), get('/2')],
  'Proxy-Connection': [get('/', 'Proxy-Connection: close'), get('/2')],
  'Expect: 100-continue': [get('/', 'Expect: 100-continue'), get('/2')],
  'another Expect': [get('/', 'Expect: 200-ok'), get('/2')],
  'Upgrade: websocket': [get('/', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: x')],
  'Upgrade without Connection': [get('/', 'Upgrade: h2c', 'HTTP2-Settings: x'), get('/2')],
  'Upgrade: h2c': [get('/', 'Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: x')],
  '__proto__ as a name': [get('/', '__proto__: 1'), get('/2')],
  'a hundred headers': [get('/', ...Array.from({ length: 100 }, (_, index) => `x-${index}: ${index}`)), get('/2')],
  'a head of 9 KB': [get('/', `x-long: ${'x'.repeat(9000)}`), get('/2')],
  'a target of 10 KB': [get(`/${'x'.repeat(10_000)}`), get('/2')],
  TLS: ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
};

test.each(Object.keys(others))('left to node:http: %s', async (name) => {
  expect(await expectAlike(...others[name]!)).toBe(false);
  // On a connection that was direct until then.
  expect(await expectAlike(get('/before'), ...others[name]!)).toBe(false);
});

test('a head of 100 KB is answered with the same status', async () => {
  const [one, other] = await twins.send([bytes(get('/', `x-long: ${'x'.repeat(100_000)}`))]);
  expect(one.isOpen).toBe(false);
  expect(one.isOpen).toBe(other.isOpen);
  // A server that closes before it has read everything may reset the connection, and the client loses the response.
  for (const { received } of [one, other]) expect(received.slice(0, 12)).toMatch(/^(HTTP\/1.1 431)?$/);
});

test('a request that is split at any byte', async () => {
  const text = get('/split', 'Accept-Encoding: gzip', 'Connection: keep-alive');
  for (let at = 1; at < text.length; at += 1) {
    expect(await expectAlike(text.slice(0, at), text.slice(at), get('/2')), `at ${at}`).toBe(false);
    await expectAlike(get('/before'), text.slice(0, at), text.slice(at));
  }
  await expectAlike(...text);
});
