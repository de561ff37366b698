// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { growthOf, LINEAR } from '../../../test/growthOf.ts';
import { maskedJson, maskSecrets, maskUrl, secretsOf, secretsOfRequest } from './maskSecrets.ts';

const url = 'https://ads.example.com/vast?key=in%20the-url&genre=drama';

test('the secrets of a request are those of its URL, its headers and its form', () => {
  const headers = { authorization: 'Bearer in-a-header', cookie: 'sid=in-a-cookie', accept: 'application/xml' };
  const secrets = secretsOfRequest({ url, headers, body: 'genre=drama&token=in-a-form' });
  const echo = 'in%20the-url, in the-url, in-a-header, sid=in-a-cookie, in-a-form, drama, application/xml';
  expect(maskSecrets(echo, secrets)).toBe('***, ***, ***, ***, ***, drama, application/xml');
});

test('the secrets of JSON are the values of its fields, at any depth', () => {
  const headers = { 'content-type': 'application/json' };
  const json = { genre: 'drama', apiKey: 'in-json', imp: [{ ext: { tokens: ['in-a-list', 7], token: 12345678 } }] };
  expect(secretsOfRequest({ url: 'https://x/', headers, body: JSON.stringify(json) })).toEqual([
    'in-json',
    'in-a-list',
  ]);
  const imp = [{ ext: { tokens: '***', token: '***' } }];
  expect(JSON.parse(maskedJson(json))).toEqual({ genre: 'drama', apiKey: '***', imp });
});

test('a URL of any length is masked in linear time', () => {
  const growth = growthOf((size) => {
    const long = `https://ads.example.com/${'?a'.repeat(size)}`;
    return () => [maskUrl(long), secretsOf(long)];
  });
  expect(growth).toBeLessThan(LINEAR);
  expect(maskUrl('https://x/?a?token=abcdef&b=1')).toBe('https://x/?a?token=***&b=1');
});

test('short values are not masked, because texts contain them by chance', () => {
  expect(secretsOfRequest({ url: 'https://x/?key=abc', headers: { authorization: 'x y' } })).toEqual([]);
});
