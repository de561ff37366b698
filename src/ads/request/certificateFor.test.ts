// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { certificateFor } from './certificateFor.ts';

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
