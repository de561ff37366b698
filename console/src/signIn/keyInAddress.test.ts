// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { keyInAddress } from './keyInAddress.ts';

const found = (address: string) => keyInAddress(new URL(address));

test('a link on loopback has a key, which is removed from its fragment', () => {
  for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:80'])
    expect(found(`http://${host}/#/sessions/a?api-key=k%2B1&q=x`)).toEqual({ key: 'k+1', hash: '#/sessions/a?q=x' });
  expect(found('http://127.0.0.1/#/?api-key=k')).toEqual({ key: 'k', hash: '#/' });
});

test.each([
  'http://console.example.com/#/?api-key=k',
  'http://127.0.0.1.example.com/#/?api-key=k',
  'http://localhost.example.com/#/?api-key=k',
  'http://127.0.0.1/?api-key=k#/',
  'http://127.0.0.1/#/sessions?q=api-key',
])('%s has none', (address) => {
  expect(found(address)).toBeUndefined();
});
