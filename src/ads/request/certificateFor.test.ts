// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { certificateFor, certificateLookup, presentedBy } from './certificateFor.ts';

const pair = (key: string, hosts?: string[]) => ({ certificate: key, key, ...(hosts && { hosts }) });
const sources = [
  { url: 'https://plain.test/' },
  { url: 'https://ads.test:8443/vast?cb=[CACHEBUSTING]', clientCertificate: pair('one', ['t.test', '*.cdn.test']) },
  { url: 'https://other.test/', clientCertificate: pair('two', ['t.test', 'other.test']) },
  { clientCertificate: pair('three', ['bare.test']) },
];

test.each([
  ['ads.test', 'one'],
  ['t.test', 'one'],
  ['a.cdn.test', 'one'],
  ['a.b.cdn.test', 'one'],
  ['cdn.test', undefined],
  ['evilcdn.test', undefined],
  ['other.test', 'two'],
  ['bare.test', 'three'],
  ['plain.test', undefined],
  ['', undefined],
])('%s receives the certificate %s', (host, key) => {
  expect(certificateFor(sources, host)?.key).toBe(key);
});

test('a tenant has the certificates of its own ad sources', () => {
  const [, one, two] = sources;
  const find = certificateLookup([
    { ...one, tenant: 'a' },
    { ...two, tenant: 'a' },
    { ...two, tenant: 'b' },
  ]);
  expect(['a', 'b', 'c'].map((tenant) => find(tenant, 't.test')?.key)).toEqual(['one', 'two', undefined]);
});

test.each([
  ['https://ads.test/vast?cb=[CACHEBUSTING]', ['ads.test', 'x.test']],
  ['https://[PLAYER.host].ads.test/vast', ['x.test']],
])('the requests of a source with the URL %s present its certificate to %j', (url, hosts) => {
  const presented = presentedBy({ url, clientCertificate: pair('one', ['x.test']) }, { tenant: 'a' });
  expect(presented).toEqual({ clientCertificate: pair('one', hosts), tenant: 'a' });
});

test('the requests of a source without a certificate present none of their own', () => {
  expect(presentedBy({ url: 'https://ads.test/' }, {})).toEqual({});
});
