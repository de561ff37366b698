// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readAccepted } from './readAccepted.ts';

test.each([
  ['gzip, deflate', 'gzip'],
  ['gzip, deflate, br', 'gzip br'],
  ['br;q=0.1, gzip;q=1', 'gzip br'],
  ['br;q=0, gzip', 'gzip'],
  ['BR ; Q=0.000,GZIP', 'gzip'],
  ['br', 'br'],
  ['gzip;q=0', ''],
  ['gzip; q = 0.0', ''],
  ['*', 'gzip'],
  ['gzip;q=0, *', ''],
  ['x-gzip', 'gzip'],
  ['identity', ''],
  ['deflate, zstd', ''],
  ['', ''],
  [',;,;q=0,', ''],
])('Accept-Encoding: %s permits %s', (header, expected) => {
  const { gzip, br } = readAccepted(header);
  expect([gzip ? 'gzip' : '', br ? 'br' : ''].join(' ').trim()).toBe(expected);
});
