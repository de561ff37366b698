// SPDX-License-Identifier: Apache-2.0
// Random requests in random chunks: plain ones, combinations of headers that matter, and bytes that were changed.

type Random = () => number;

const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
const pick = <Value>(random: Random, values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!;
const below = (random: Random, limit: number): number => Math.floor(random() * limit);
const happens = (random: Random, share: number): boolean => random() < share;
const repeat = <Value>(count: number, make: () => Value): Value[] => Array.from({ length: count }, make);

const targets = [
  ...['/', '/a', '/later', '/later?b', '/bytes', '/utf8', '/empty', '/nothing', '/redirect?x', '/error', '/missing'],
  ...['//a', '/../b', '/%00%2f?%zz', '/?a=b&c=d', '/a;b=c', "/-._~!$&'()*+,;=:@/?", '/hls/c/s/v0.m3u8?_HLS_skip=YES'],
];
const oddTargets = ['*', 'a', 'http://b/', '/a#b', '/a b', '/"<>^`{|}', '/[]', '/\xe4', '/\0', '/\t', '', '?', 'b:1'];
const usualLines = [
  ...['Accept: */*', 'User-Agent: Mozilla/5.0 (X11; Linux)', 'Accept-Encoding: gzip, br', 'Connection: keep-alive'],
  ...['X-Forwarded-For: 1.2.3.4', 'Cookie: a=b', 'Range: bytes=0-9', 'connection:  Keep-Alive \t', 'X-Empty:', 'a:b'],
  ...['Keep-Alive: timeout=5', 'Origin: null', 'If-None-Match: "a"', 'Content-Type: text/plain', 'Via: 1.1 x'],
];
const oddLines = [
  ...['Content-Length: 0', 'Content-Length: 5', 'Content-Length: 99', 'Content-Length: 0x5', 'Content-Length: 1, 1'],
  ...['Transfer-Encoding: chunked', 'Transfer-Encoding: identity', 'transfer-encoding:\tchunked', 'TE: trailers'],
  ...['Connection: close', 'Connection: Upgrade', 'Connection: keep-alive, close', 'Connection:', 'Connection: x'],
  ...['Upgrade: websocket', 'Upgrade: h2c', 'HTTP2-Settings: x', 'Expect: 100-continue', 'Expect: x', 'Trailer: x'],
  ...['Proxy-Connection: close', 'Proxy-Connection: keep-alive', 'Host: b', 'host:', 'Host : c', ' folded', '\tfolded'],
  ...['X', ': x', 'X : y', 'X\t: y', 'x: \xe4', 'x: \0', 'x: \x7f', 'x\xe4: y', '__proto__: x', 'Set-Cookie: a'],
  ...[
    'Cookie: c=d',
    'x: a\rb',
    'x: a\nb',
    '\r',
    'Content-Length\r\n : 5',
    'x:y\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x',
  ],
];
const methods = ['HEAD', 'POST', 'OPTIONS', 'PUT', 'get', 'GETX', 'CONNECT', 'PRI', 'M-SEARCH', ''];
const protocols = [
  'HTTP/1.0',
  'HTTP/0.9',
  'HTTP/1.2',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP/1.10',
  'RTSP/1.0',
  '',
];
const bodies = ['hello', '0\r\n\r\n', '5\r\nhello\r\n0\r\n\r\n', '\r\n', '\n', ' ', 'x', 'GET / HTTP/1.1\r\n'];

const shuffled = <Value>(random: Random, values: readonly Value[]): Value[] => {
  const rest = [...values];
  return values.map(() => rest.splice(below(random, rest.length), 1)[0]!);
};

/** @param oddness the share of unusual parts */
function randomRequest(random: Random, oddness: number): string {
  const isOdd = () => happens(random, oddness);
  const lines = shuffled(random, [
    ...(isOdd() ? [] : [pick(random, ['Host: a', 'host:a', 'HOST:  a.example:80 '])]),
    ...shuffled(random, usualLines).slice(0, below(random, 6)),
    ...repeat(isOdd() ? 1 + below(random, 2) : 0, () => pick(random, oddLines)),
  ]);
  const method = isOdd() ? pick(random, methods) : 'GET';
  const protocol = isOdd() ? pick(random, protocols) : 'HTTP/1.1';
  const target = isOdd() ? pick(random, oddTargets) : pick(random, targets);
  const lineEnd = () => (happens(random, oddness / 8) ? pick(random, ['\n', '\r', '\r\r\n', '\n\r', '']) : '\r\n');
  const head = [`${method} ${target} ${protocol}`, ...lines].map((line) => line + lineEnd()).join('');
  return head + lineEnd() + (isOdd() ? pick(random, bodies) : '');
}

const special = [
  '\r',
  '\n',
  '\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ',',
  ';',
  '\x7f',
  '\x80',
  '\xff',
  '\v',
  '\f',
  '#',
  '%',
  '\r\n ',
];

/** Changes one to three places. */
function mutate(random: Random, text: string): string {
  let result = text;
  for (let count = 1 + below(random, 3); count > 0; count -= 1) {
    const at = below(random, result.length + 1);
    const [before, after] = [result.slice(0, at), result.slice(at)];
    const flipped = String.fromCharCode((after.charCodeAt(0) || 0) ^ (1 << below(random, 8)));
    result = pick<() => string>(random, [
      () => before + flipped + after.slice(1),
      () => before + pick(random, special) + after,
      () => before + pick(random, special) + after.slice(1),
      () => before + after.slice(1 + below(random, 4)),
      () => before + after.slice(0, below(random, 20)) + after,
      () => before + pick(random, oddLines) + after,
    ])();
  }
  return result;
}

function split(random: Random, text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  for (let count = 1 + below(random, 3); count > 0 && rest.length > 1; count -= 1) {
    const at = 1 + below(random, rest.length - 1);
    parts.push(rest.slice(0, at));
    rest = rest.slice(at);
  }
  return [...parts, rest];
}

/** One to four requests. Some share a chunk, some are split. */
export function randomChunks(random: Random): Buffer[] {
  const oddness = pick(random, [0, 0, 0.03, 0.1, 0.4]);
  const chunks: string[] = [];
  for (let count = 1 + below(random, 4); count > 0; count -= 1) {
    const request = randomRequest(random, oddness);
    const changed = happens(random, oddness) ? mutate(random, request) : request;
    const how = happens(random, oddness / 2) ? pick(random, ['split', 'joined']) : 'whole';
    if (how === 'split') chunks.push(...split(random, changed));
    else if (how === 'joined') chunks.push((chunks.pop() ?? '') + changed);
    else chunks.push(changed);
    // Usual connections repeat their header lines.
    if (happens(random, 0.3)) chunks.push(changed.replace(/^GET \S+/, () => `GET ${pick(random, targets)}`));
  }
  return chunks.filter((chunk) => chunk !== '').map(bytes);
}
