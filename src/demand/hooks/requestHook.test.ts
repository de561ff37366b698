// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lawRuns } from '../../../test/lawRuns.ts';
import { naming } from '../../../test/naming.ts';
import { buildAdRequest } from '../../ads/request/buildAdRequest.ts';
import { secretsOfRequest } from '../../ads/request/maskSecrets.ts';
import { type Fields, fieldsOf } from '../../channels/fieldsOf.ts';
import { millis } from '../../time/units.ts';
import { applyRequestAnswer, requestHookBody } from './requestHook.ts';

const session = {
  id: 's1',
  channelId: 'news',
  parameters: { genre: 'news' },
  viewer: { address: '203.0.113.7', userAgent: 'TV' },
};
const adBreak = { id: 'b1', startsAt: millis(Date.UTC(2026, 10, 1)), duration: 30, maxAds: 2 };
const stamp = { now: millis(0), transactionId: () => 't', cacheBuster: () => '1' };
const built = buildAdRequest(
  { url: 'https://ads.test/vast?a=1&token=secret-1&a=2', headers: { 'X-Own': 'x' } },
  session,
  adBreak,
  stamp,
);
const posted = buildAdRequest(
  { url: 'https://ads.test/vast', method: 'POST', params: { a: '1' } },
  session,
  adBreak,
  stamp,
);

function changed(request: Fields, of = built) {
  const applied = applyRequestAnswer(of, { request });
  if (applied.kind !== 'send') throw new Error('The changes were not applied.');
  return { ...applied.built, changes: applied.changes };
}
const faultOf = (answer: unknown, of = built): string => {
  const applied = applyRequestAnswer(of, fieldsOf(answer));
  return applied.kind === 'ignored' ? applied.fault : '';
};

test('the body describes session, break, source and request', () => {
  const facts = { session, adBreak, source: { id: 'partner', type: 'vast' } } as const;
  expect(JSON.parse(requestHookBody(facts, posted.request))).toEqual({
    version: 1,
    type: 'request',
    session: { id: 's1', channel: 'news', parameters: { genre: 'news' }, address: '203.0.113.7', userAgent: 'TV' },
    break: { id: 'b1', startsAt: '2026-11-01T00:00:00.000Z', duration: 30, maxAds: 2 },
    source: { id: 'partner', type: 'vast' },
    request: posted.request,
  });
});

test('parameters are set and removed, and the rest of the URL stays as it is written', () => {
  expect(changed({ parameters: { a: null, b: 'x y&z' } }).request.url).toBe(
    'https://ads.test/vast?token=secret-1&b=x%20y%26z',
  );
  expect(changed({ url: 'http://other.test/%7Ea?%61=1&c=%2F#part', parameters: { a: '2' } }).request.url).toBe(
    'http://other.test/%7Ea?c=%2F&a=2',
  );
  expect(changed({ url: 'http://other.test/', parameters: { a: null } }).request.url).toBe('http://other.test/');
});

test('headers are set and removed, whatever the case of their names', () => {
  const { request, traced } = changed({ headers: { 'X-Own': 'ä€', 'X-Device-IP': null, Authorization: 'Bearer 1' } });
  expect(request.headers).toMatchObject({ 'x-own': 'ä', authorization: 'Bearer 1', 'user-agent': 'TV' });
  expect(request.headers).not.toHaveProperty('x-device-ip');
  expect(traced).toEqual({ headers: { 'x-own': 'ä', authorization: '***' } });
});

test('a trace shows what was sent, and what was changed, without secrets', () => {
  const body = '{"token":"secret-2","a":1}';
  const one = changed(
    { url: 'https://u:p@ads.test/?key=secret-3', body, headers: { 'content-type': 'application/json' } },
    posted,
  );
  expect(one.request).toMatchObject({ body, url: 'https://u:p@ads.test/?key=secret-3' });
  expect(one.maskedUrl).toBe('https://***@ads.test/?key=***');
  expect(one.traced).toEqual({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"token":"***","a":1}',
  });
  expect(one.changes).toEqual([naming('https://***@ads.test/?key=***'), naming('content-type'), naming(body.length)]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`p${index}`, '1']));
  expect(changed({ parameters: many }).changes).toHaveLength(21);
});

test('a body that is not the JSON that its type states has no secrets that could be masked', () => {
  for (const body of ['{', 'null', '[1]'])
    expect(secretsOfRequest({ url: 'https://a.test/', headers: { 'content-type': 'application/json' }, body })).toEqual(
      [],
    );
});

test('an answer without changes leaves the request as it is', () => {
  for (const answer of [{}, { request: null }, { skip: '' }, { skip: false }, { other: 1 }])
    expect(applyRequestAnswer(built, answer)).toEqual({ kind: 'send', built, changes: [] });
  expect(changed({})).toMatchObject({ request: built.request, maskedUrl: built.maskedUrl, traced: built.traced });
});

test('an answer skips the request', () => {
  expect(applyRequestAnswer(built, { skip: 'no consent', request: { url: 'file:' } })).toEqual({
    kind: 'skip',
    reason: 'no consent',
  });
  const long = applyRequestAnswer(built, { skip: 'x'.repeat(100_000) });
  expect(long.kind === 'skip' && long.reason.length).toBe(200);
});

describe('an answer is ignored as a whole', () => {
  test.each<[unknown, typeof built?]>([
    [{ skip: true }],
    [{ request: 'x' }],
    [{ request: { url: 'file:///etc/passwd', parameters: { a: '1' } } }],
    [{ request: { url: 'javascript:alert(1)' } }],
    [{ request: { url: 7 } }],
    [{ request: { url: 'http://a.test/\r\nx' } }],
    [{ request: { url: `http://a.test/${'x'.repeat(20_000)}` } }],
    [{ request: { headers: { 'a b': 'x' } } }],
    [{ request: { headers: { Host: 'other.test' } } }],
    [{ request: { headers: { a: 'x\r\nb: y' } } }],
    [{ request: { headers: { a: 1 } } }],
    [{ request: { headers: ['a'] } }],
    [{ request: { parameters: { a: { b: 1 } } } }],
    [{ request: { parameters: Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`p${index}`, '1'])) } }],
    [{ request: { body: 'x' } }],
    [{ request: { body: { a: 1 } } }, posted],
    [{ request: { headers: { [`${'x'.repeat(100_000)} `]: 'x' } } }],
  ])('%.60j', (answer, of) => {
    const fault = faultOf(answer, of);
    expect(fault).not.toBe('');
    expect(fault.length).toBeLessThan(300);
  });
});

test('names of JavaScript are names like others', () => {
  const answer = JSON.parse(
    '{"__proto__":{"skip":"x"},"request":{"headers":{"__proto__":"a"},"parameters":{"constructor":"b","__proto__":"c"}}}',
  );
  const applied = applyRequestAnswer(built, answer);
  expect(applied).toMatchObject({ kind: 'send' });
  const { request } = changed(answer.request);
  expect(request.url).toBe(`${built.request.url}&constructor=b&__proto__=c`);
  expect(Object.getPrototypeOf(request.headers)).toBe(Object.prototype);
  expect(({} as { skip?: unknown }).skip).toBeUndefined();
});

test('whatever an answer contains, what is sent is an HTTP request', () => {
  const value = fc.oneof(fc.jsonValue(), fc.webUrl(), fc.dictionary(fc.string(), fc.option(fc.string())));
  const keys = ['url', 'headers', 'parameters', 'body'] as const;
  const request = fc.record(Object.fromEntries(keys.map((key) => [key, value])), { requiredKeys: [] });
  const answer = fc.oneof(
    fc.jsonValue(),
    fc.record({ request: fc.oneof(request, value), skip: value }, { requiredKeys: [] }),
  );
  fc.assert(
    fc.property(answer, fc.constantFrom(built, posted), (given, of) => {
      const applied = applyRequestAnswer(of, fieldsOf(given));
      if (applied.kind !== 'send') return;
      const { url, headers, method } = applied.built.request;
      expect(new URL(url).protocol).toMatch(/^https?:$/);
      expect(method).toBe(of.request.method);
      expect(() => new Headers(Object.entries(headers))).not.toThrow();
      expect(() => secretsOfRequest(applied.built.request)).not.toThrow();
    }),
    lawRuns(500),
  );
});
