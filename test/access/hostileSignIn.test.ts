// SPDX-License-Identifier: Apache-2.0
// Attacks on a sign-in: forged ID tokens, callbacks that belong to another browser or are repeated, and return addresses.

import { expect, test } from 'vitest';
import { createOpenIdProvider } from '../../src/platform/access/store/openIdProvider.ts';
import { clientOf } from '../admin/client.ts';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { type HostileProvider, startHostileProvider } from '../servers/startHostileProvider.ts';
import { unreachableSignIn } from './unreachableSignIn.ts';

const clientSecret = 'the secret of the client';
const provider = await opened(startHostileProvider(clientSecret));
const settings = { issuer: provider.issuer, clientId: 'midroll', clientSecret, scopes: 'openid email' };
const openId = createOpenIdProvider(settings, { now: Date.now, warn: () => {} });
const admin = await opened(startAdmin({ signIn: { ...unreachableSignIn, provider: openId } }));

const get = async (url: string, headers: Record<string, string> = {}) => {
  const { headers: sent } = await admin.app.inject({ method: 'GET', url, headers: { host: 'tv.example', ...headers } });
  const cookies = [sent['set-cookie'] ?? []].flat();
  const pairOf = (name: string) => (cookies.find((one) => one.startsWith(`${name}=`)) ?? '').split(';')[0]!;
  return {
    location: String(sent.location),
    cookies,
    pending: pairOf('midroll-sign-in'),
    session: pairOf('midroll-console'),
  };
};
async function start(page = '/') {
  const { location, pending, cookies } = await get(`/auth/login?page=${encodeURIComponent(page)}`);
  const query = new URL(location).searchParams;
  return { pending, cookies, state: query.get('state')!, nonce: query.get('nonce')!, query };
}
const honest = (nonce: string) => {
  const now = Math.floor(Date.now() / 1000);
  return {
    ...{ iss: provider.issuer, aud: 'midroll', sub: 'u1', iat: now, exp: now + 300, nonce },
    ...{ email: 'ann@example.com', email_verified: true, roles: ['admins'] },
  };
};
const finish = (state: string, cookie: string) =>
  get(`/auth/callback?code=a-code&state=${state}&iss=${encodeURIComponent(provider.issuer)}`, { cookie });
const reasons = async () =>
  (await clientOf(admin.app, admin.key)('GET', '/api/v2/audit?kind=session&limit=100')).json.map(
    ({ details }: { details: { reason?: string } }) => details.reason,
  );

test('an honest response signs in, with cookies that scripts and other sites do not get', async () => {
  const { pending, cookies, state, nonce, query } = await start('/channels/one');
  expect(cookies[0]).toMatch(/; Path=\/auth; Max-Age=600; HttpOnly; SameSite=Lax/);
  expect(query.get('code_challenge_method')).toBe('S256');
  provider.next.claims = honest(nonce);
  provider.next.userInfo = { sub: 'u1' };
  const done = await finish(state, pending);
  expect(done.location).toMatch(/\/#\/channels\/one$/);
  expect(done.cookies.find((one) => one.startsWith('midroll-console='))).toMatch(
    /; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax/,
  );
  expect(done.cookies).toContainEqual(expect.stringMatching(/^midroll-sign-in=; Path=\/auth; Max-Age=0/));
  expect(provider.requests.at(-1)!.get('code_verifier')).toMatch(/^.{43,}$/);
  const me = await clientOf(admin.app)('GET', '/api/v2/me', undefined, { cookie: done.session });
  expect(me.json).toMatchObject({ email: 'ann@example.com', scope: 'manage' });
});

test.each<[string, object, Partial<HostileProvider['next']>]>([
  ['a nonce of another sign-in', { nonce: 'another' }, {}],
  ['no nonce', { nonce: undefined }, {}],
  ['another client', { aud: 'another' }, {}],
  ['another issuer', { iss: 'https://evil.example' }, {}],
  ['an expired ID token', { exp: 1_000_000_000 }, {}],
  ['no subject', { sub: undefined }, {}],
  ['a signature by another key', {}, { signing: 'other key' }],
  ['no signature', {}, { signing: 'none' }],
  ['a signature with the secret of the client', {}, { signing: 'secret of the client' }],
  ['user info of more than 512 KiB', {}, { userInfo: { sub: 'u1', name: 'a'.repeat(2 ** 20) } }],
  ['tokens of more than 512 KiB', {}, { padding: 2 ** 20 }],
  ['user info of another user', {}, { userInfo: { sub: 'u2', roles: ['admins'] } }],
])('rejects %s', async (_, claims, next) => {
  const { pending, state, nonce } = await start();
  Object.assign(provider.next, {
    signing: 'right',
    userInfo: { sub: 'u1' },
    padding: 0,
    claims: { ...honest(nonce), ...claims },
    ...next,
  });
  const done = await finish(state, pending);
  expect([done.location, done.session]).toEqual([expect.stringMatching(/sign-in=rejected$/), '']);
  expect(await reasons()).toContain('rejected');
});

test('a callback without the cookie, with that of another browser, or with a changed one is refused before the provider is asked', async () => {
  const [mine, theirs] = [await start(), await start()];
  const before = provider.requests.length;
  for (const [cookie, fault] of [
    ['', 'expired'],
    [theirs.pending, 'wrong-state'],
    [`${mine.pending.slice(0, -4)}AAAA`, 'expired'],
    ['midroll-sign-in=x', 'expired'],
  ] as const)
    expect((await finish(mine.state, cookie)).location).toMatch(new RegExp(`sign-in=${fault}$`));
  for (const state of ['', 'x', `${mine.state}&state=${mine.state}`])
    expect((await finish(state, mine.pending)).location).toMatch(/sign-in=wrong-state$/);
  expect(provider.requests.length).toBe(before);
  // A response that names another provider (RFC 9207) is rejected, too.
  const mixed = await get(`/auth/callback?code=c&state=${mine.state}&iss=https://evil.example`, {
    cookie: mine.pending,
  });
  expect(mixed.location).toMatch(/sign-in=rejected$/);
  expect(provider.requests.length).toBe(before);
});

test('after a sign-in, the browser returns to a page of the console only', async () => {
  for (const page of [
    ...['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', '/x\r\nset-cookie: a=b'],
    ...['/@evil.example', '/%2f%2fevil.example', `/${'x'.repeat(1000)}`, '/?next=//evil.example', ''],
  ]) {
    const { pending, state, nonce } = await start(page);
    Object.assign(provider.next, { signing: 'right', userInfo: { sub: 'u1' }, claims: honest(nonce) });
    const { location, cookies } = await finish(state, pending);
    const { origin, pathname, search } = new URL(location);
    const own = new URL((await get('/auth/callback')).location);
    expect([page, origin, pathname, search]).toEqual([page, own.origin, '/', '']);
    expect(cookies).toHaveLength(2);
  }
});

test('requests of other sites are refused, and get no permission to read', async () => {
  const { pending, state, nonce } = await start();
  Object.assign(provider.next, { signing: 'right', userInfo: { sub: 'u1' }, claims: honest(nonce) });
  const cookie = (await finish(state, pending)).session;
  const client = clientOf(admin.app);
  const evil = { cookie, origin: 'http://evil.example' };
  const header = { 'x-midroll-console': '1' };
  for (const headers of [
    evil,
    { ...evil, 'sec-fetch-site': 'cross-site' },
    { ...evil, ...header },
    { ...evil, ...header, 'sec-fetch-site': 'same-site' },
    { cookie, ...header, origin: 'null' },
    { cookie, ...header, referer: 'http://tv.example/' },
  ])
    for (const [method, path] of [
      ['POST', '/api/v2/keys'],
      ['DELETE', '/api/v2/me/sessions'],
      ['POST', '/auth/logout'],
    ] as const) {
      const reply = await client(method, path, method === 'POST' ? '{}' : undefined, {
        ...headers,
        'content-type': 'text/plain',
      });
      expect([path, reply.status]).toEqual([path, 403]);
    }
  for (const [method, path] of [
    ['GET', '/api/v2/me'],
    ['OPTIONS', '/api/v2/keys'],
  ] as const) {
    const reply = await client(method, path, undefined, {
      ...evil,
      'access-control-request-headers': 'x-midroll-console',
    });
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  }
  expect((await client('GET', '/api/v2/me', undefined, { cookie })).status).toBe(200);
});
