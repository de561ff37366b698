// SPDX-License-Identifier: Apache-2.0
// Sessions of users over time: the role is checked with the provider, and sessions end. The clock is advanced by the test.
import { expect, test } from 'vitest';
import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import { ROLE_CHECK_MS } from '../../src/platform/access/rules/consoleSession.ts';
import type { SignIn } from '../../src/platform/access/rules/ports.ts';
import { createOpenIdProvider } from '../../src/platform/access/store/openIdProvider.ts';
import { millis } from '../../src/time/units.ts';
import { connectChromium } from '../browser/connectChromium.ts';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { client, startOpenIdProvider } from '../servers/startOpenIdProvider.ts';
import { signInAt } from './signInSteps.ts';

const HOUR = 3_600_000;
let ahead = 0;
const now = () => millis(Date.now() + ahead);
const warnings: object[] = [];

const [provider, browser] = await Promise.all([opened(startOpenIdProvider()), opened(connectChromium())]);
const box = createSecretBox('another secret for tests');
const rolesSignIn: SignIn = {
  provider: createOpenIdProvider(
    {
      ...{ issuer: provider.issuer, clientId: client.id, clientSecret: client.secret },
      scopes: 'openid email profile offline_access',
    },
    { now, warn: (message, facts) => void warnings.push({ message, ...facts }) },
  ),
  name: 'SSO',
  rules: {
    ...{ roleClaims: ['roles'], tenant: 'acme', emailClaim: 'email' },
    roleMap: [
      { role: 'admins', scope: 'manage' },
      { role: 'viewers', scope: 'read' },
    ],
  },
  limits: { lifetime: 12 * HOUR, idle: 2 * HOUR },
  hasTenant: async () => true,
  seal: (text) => box.seal(text, 'x'),
  open: (sealed) => box.open(sealed, 'x'),
};
const admin = await opened(startAdmin({ now, signIn: rolesSignIn }));
const base = await admin.app.listen({ port: 0, host: '127.0.0.1' });
provider.register([base]);

/** @returns the cookie of the session */
async function signIn(user: string): Promise<string> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${base}/auth/login`);
  await signInAt(page, provider.issuer, user);
  await page.waitForURL(`${base}/**`);
  const cookie = (await context.cookies(base)).find(({ name }) => name === 'midroll-console');
  await context.close();
  return `midroll-console=${cookie!.value}`;
}
const me = async (cookie: string) => {
  const response = await admin.app.inject({ method: 'GET', url: '/api/v2/me', headers: { cookie } });
  return response.statusCode === 200 ? response.json().scope : response.statusCode;
};
const toNextCheck = () => {
  ahead += ROLE_CHECK_MS;
};

test('a role that changes at the provider changes the session, and a role that is removed ends it', async () => {
  provider.accounts.set('ann', { email: 'ann@example.com', name: 'Ann', roles: ['admins'] });
  const cookie = await signIn('ann');
  expect(await me(cookie)).toBe('manage');
  provider.accounts.set('ann', { email: 'ann@example.com', roles: ['viewers'] });
  expect(await me(cookie)).toBe('manage');
  toNextCheck();
  await expect.poll(() => me(cookie)).toBe('read');
  // Refresh tokens are replaced: the next check uses the new one.
  provider.accounts.set('ann', { email: 'ann@example.com', roles: ['admins'] });
  toNextCheck();
  await expect.poll(() => me(cookie)).toBe('manage');
  provider.accounts.set('ann', { email: 'ann@example.com', roles: [] });
  toNextCheck();
  await expect.poll(() => me(cookie)).toBe(401);
});

test('while the provider is unavailable, sessions continue with their roles, and end without requests', async () => {
  provider.accounts.set('bob', { email: 'bob@example.com', roles: ['viewers'] });
  const cookie = await signIn('bob');
  await provider.stop();
  const before = warnings.length;
  toNextCheck();
  expect(await me(cookie)).toBe('read');
  await expect.poll(() => warnings.length).toBeGreaterThan(before);
  expect(await me(cookie)).toBe('read');
  await provider.start();
  ahead += HOUR;
  expect(await me(cookie)).toBe('read');
  await expect
    .poll(async () => (await admin.deps.consoleSessions.list('acme'))[0]?.lastSeenAt)
    .toBeGreaterThan(now() - HOUR);
  ahead += 2 * HOUR;
  expect(await me(cookie)).toBe(401);
});

test('a session ends after its lifetime, however often it is used', async () => {
  provider.accounts.set('eve', { email: 'eve@example.com', roles: ['viewers'] });
  const cookie = await signIn('eve');
  for (let hours = 0; hours < 11; hours += 1) {
    ahead += HOUR;
    expect([hours, await me(cookie)]).toEqual([hours, 'read']);
    await expect
      .poll(async () => (await admin.deps.consoleSessions.list('acme'))[0]!.lastSeenAt)
      .toBeGreaterThan(now() - HOUR / 2);
  }
  ahead += HOUR;
  expect(await me(cookie)).toBe(401);
  expect(admin.logged.join('') + JSON.stringify(warnings)).not.toContain(client.secret);
});
