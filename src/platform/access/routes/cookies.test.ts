// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { endCookie, readCookie, writeCookie } from './cookies.ts';

const place = { path: '/auth', maxAgeSeconds: 600 };

test('cookies are not for scripts, other sites and other paths, and behind https not for http', () => {
  expect(writeCookie('a', 'b', { ...place, baseUrl: 'https://tv.example' })).toBe(
    'a=b; Path=/auth; Max-Age=600; HttpOnly; SameSite=Lax; Secure',
  );
  expect(writeCookie('a', 'b', { ...place, baseUrl: 'http://tv.example/midroll/' })).toBe(
    'a=b; Path=/midroll/auth; Max-Age=600; HttpOnly; SameSite=Lax',
  );
  expect(endCookie('a', 'https://tv.example', '/')).toBe('a=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure');
});

test('reads the first cookie with exactly the name', () => {
  expect(readCookie('x-a=1; a=2;a=3', 'a')).toBe('2');
  for (const header of [undefined, '', 'aa=1', 'a', 'a=']) expect(readCookie(header, 'a')).toBeUndefined();
});
