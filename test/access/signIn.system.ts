// SPDX-License-Identifier: Apache-2.0
// Users who sign in to the console at a provider, through Chromium, on two nodes as processes that share each kind of database.

import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { withoutUndefined } from '../../src/invariant.ts';
import { connectChromium } from '../browser/connectChromium.ts';
import { errorNotice } from '../console/locators.ts';
import { apiKey, startMidroll } from '../live/midroll.ts';
import { opened, scratchFolder } from '../opened.ts';
import { onEachDatabase } from '../servers/sqlStores.ts';
import { client, startOpenIdProvider } from '../servers/startOpenIdProvider.ts';
import { confirmSignOut, signInAt } from './signInSteps.ts';

onEachDatabase(async (postgresUrl) => {
  const folder = scratchFolder();
  const startedAt = Date.now();
  const [provider, browser] = await Promise.all([opened(startOpenIdProvider()), opened(connectChromium())]);
  const settings = {
    ...withoutUndefined({ DATABASE_URL: postgresUrl }),
    ...{ DATA_DIR: folder, ADMIN_RATE_LIMIT: '0', SECRET_KEY: 'a secret of both nodes' },
    ...{ OIDC_ISSUER: provider.issuer, OIDC_CLIENT_ID: client.id, OIDC_CLIENT_SECRET: client.secret },
    OIDC_ROLE_MAP: 'midroll-admins=manage,midroll-ops=operate,midroll-readers=read',
  };
  const first = await opened(startMidroll(settings));
  const nodes = [first, await opened(startMidroll(settings))] as const;
  beforeAll(async () => {
    provider.accounts
      .set('olga', { email: 'olga@example.com', name: 'Olga Operator', roles: ['midroll-ops'] })
      .set('rita', { email: 'rita@example.com', roles: ['midroll-readers'] })
      .set('adam', { email: 'adam@example.com', roles: ['midroll-readers', 'midroll-admins'] })
      .set('nora', { email: 'nora@example.com', roles: ['others'] })
      .set('una', { email: 'una@example.com', roles: ['midroll-ops'], email_verified: false });
    provider.register(nodes.map(({ adminUrl }) => adminUrl));
    await first.create('channels', { id: 'one', name: 'One', state: 'disabled' });
  });

  const newPage = (): Promise<Page> => browser.newPage({ viewport: { width: 1280, height: 900 } });
  const ssoLink = (page: Page) => page.getByRole('link', { name: 'Sign in with SSO' });
  async function signIn(user: string, page: Page): Promise<Page> {
    await page.goto(nodes[0].adminUrl);
    await ssoLink(page).click();
    await signInAt(page, provider.issuer, user);
    await page.waitForURL(`${nodes[0].adminUrl}/**`);
    return page;
  }
  const signedIn = async (user: string): Promise<Page> => {
    const page = await signIn(user, await newPage());
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    return page;
  };
  const cookieOf = async (page: Page): Promise<string> => {
    const cookies = await page.context().cookies(nodes[0].adminUrl);
    return cookies.map((one) => `${one.name}=${one.value}`).join('; ');
  };
  const own = { 'x-midroll-console': '1', 'sec-fetch-site': 'same-origin' };
  const send = (cookie: string, method: string, path: string, headers = {}, node = nodes[0]) =>
    fetch(`${node.adminUrl}${path}`, { method, headers: { cookie, ...headers } });

  test('signs in, shows who is signed in, and acts with the role on every node', async () => {
    const page = await signedIn('olga');
    const account = page.locator('.account');
    for (const text of ['Olga Operator', 'olga@example.com', 'operate'])
      expect(await account.textContent()).toContain(text);
    const cookie = await cookieOf(page);
    for (const node of nodes)
      expect(await (await send(cookie, 'GET', '/api/v2/me', {}, node)).json()).toMatchObject({
        ...{ kind: 'user', tenant: 'default', email: 'olga@example.com', name: 'Olga Operator', scope: 'operate' },
        expiresAt: expect.any(String),
      });
    // The browser sends the cookie to the second node, too, because cookies disregard ports.
    await page.goto(`${nodes[1].adminUrl}/#/channels/one`);
    await page.getByLabel('On air').click();
    await expect
      .poll(async () => (await nodes[0].api('GET', '/channels/one')).json)
      .toMatchObject({ modifiedBy: 'olga@example.com' });
    // What the role does not allow is disabled, with a hint.
    await page.goto(`${nodes[1].adminUrl}/#/keys`);
    const create = page.getByRole('button', { name: 'Create key' });
    await create.waitFor();
    expect(await create.isDisabled()).toBe(true);
    await create.focus();
    await page.locator('.hint-tip:popover-open', { hasText: 'manage' }).waitFor();
    const refused = await send(cookie, 'POST', '/api/v2/playlists', own);
    expect([refused.status, ((await refused.json()) as { data: { keyword: string }[] }).data[0]!.keyword]).toEqual([
      403,
      'scope',
    ]);
    await page.context().close();
  });

  test('the highest of several roles counts; users without a role or a verified address are turned away', async () => {
    const page = await signedIn('adam');
    expect(await page.locator('.account').textContent()).toContain('manage');
    await page.context().close();
    for (const user of ['nora', 'una']) {
      const other = await signIn(user, await newPage());
      await errorNotice(other).waitFor();
      expect(await other.context().cookies(nodes[0].adminUrl)).not.toContainEqual(
        expect.objectContaining({ name: 'midroll-console' }),
      );
      await other.context().close();
    }
  });

  test('requests with the cookie that change something need the header and the origin of the console', async () => {
    const page = await signedIn('olga');
    const cookie = await cookieOf(page);
    const retry = (headers: object) => send(cookie, 'DELETE', '/api/v2/me/sessions', headers);
    const header = { 'x-midroll-console': '1' };
    for (const headers of [
      {},
      { 'sec-fetch-site': 'same-origin' },
      header,
      { ...header, 'sec-fetch-site': 'cross-site' },
      { ...header, 'sec-fetch-site': 'same-site', origin: nodes[0].adminUrl },
      { ...header, origin: 'http://evil.example' },
    ])
      expect([headers, (await retry(headers)).status]).toEqual([headers, 403]);
    const [session] = (await page.context().cookies(nodes[0].adminUrl)).filter(
      ({ name: one }) => one === 'midroll-console',
    );
    expect(session).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
    expect((await retry({ ...header, origin: nodes[0].adminUrl })).status).toBe(204);
    expect((await send(cookie, 'GET', '/api/v2/me', {}, nodes[1])).status).toBe(401);
    await page.context().close();
  });

  test('a wrong state and a code that was used before are rejected', async () => {
    const page = await newPage();
    const callbacks: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/auth/callback?')) callbacks.push(request.url());
    });
    await page.goto(nodes[0].adminUrl);
    await ssoLink(page).click();
    await page.waitForURL(`${provider.issuer}/**`);
    const cookies = await page.context().cookies(`${nodes[0].adminUrl}/auth/callback`);
    const cookie = cookies.map((one) => `${one.name}=${one.value}`).join('; ');
    await signInAt(page, provider.issuer, 'rita');
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const visit = async (url: string, headers: Record<string, string> = { cookie }) =>
      (await fetch(url, { headers, redirect: 'manual' })).headers.get('location');
    const [url] = callbacks as [string];
    const wrong = new URL(url);
    wrong.searchParams.set('state', 'x');
    expect(await visit(wrong.href)).toBe(`${nodes[0].adminUrl}/?sign-in=wrong-state`);
    expect(await visit(url, {})).toBe(`${nodes[0].adminUrl}/?sign-in=expired`);
    expect(await visit(url)).toBe(`${nodes[0].adminUrl}/?sign-in=expired`);
    const other = await newPage();
    await other.goto(`${nodes[0].adminUrl}/?sign-in=wrong-state`);
    await errorNotice(other).waitFor();
    await other.context().close();
    await page.context().close();
  });

  test('signs out here, on every node, and at the provider', async () => {
    const page = await signedIn('rita');
    const cookie = await cookieOf(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${provider.issuer}/**`);
    await confirmSignOut(page);
    await page.waitForURL(`${nodes[0].adminUrl}/**`);
    await ssoLink(page).waitFor();
    for (const node of nodes) expect((await send(cookie, 'GET', '/api/v2/me', {}, node)).status).toBe(401);
    await page.context().close();
  });

  test('sign-ins, refusals of confirmed users and signing out are in the audit log, without tokens', async () => {
    const page = await signedIn('adam');
    const cookie = await cookieOf(page);
    await page.goto(`${nodes[0].adminUrl}/#/audit?kind=session`);
    await page.getByText('Signed in', { exact: false }).first().waitFor();
    await page.getByText('Sign-in refused (no-role)').first().waitFor();
    await page.context().close();
    const found = (await nodes[0].api('GET', '/audit?kind=session&limit=100')).json as Record<string, unknown>[];
    const by = (actor: object, entry: object) =>
      expect.objectContaining({ ...entry, actor: expect.objectContaining(actor), source: expect.anything() });
    const adam = { kind: 'user', email: 'adam@example.com', id: 'adam' };
    expect(found).toEqual(
      expect.arrayContaining([
        by(adam, { operation: 'signIn', outcome: 'done', details: { scope: 'manage' } }),
        by({ email: 'rita@example.com' }, { operation: 'signOut', outcome: 'done' }),
        by(
          { id: 'nora', email: 'nora@example.com' },
          { outcome: 'refused', details: { reason: 'no-role', attempts: 1 } },
        ),
        by({ kind: 'unknown' }, { outcome: 'refused', details: { reason: 'wrong-state', attempts: 1 } }),
      ]),
    );
    const una = found.find(({ actor }) => (actor as { id: string }).id === 'una')!;
    // An address that is not verified could be that of another user.
    expect(una.actor).toEqual({ kind: 'user', id: 'una' });
    const text = JSON.stringify(found);
    for (const secret of [client.secret, cookie.split('midroll-console=')[1]!.split(';')[0]!, 'eyJ', 'code='])
      expect(text).not.toContain(secret);
  });

  test('an administrator ends the session of another user', async () => {
    const [admin, user] = [await signedIn('adam'), await signedIn('rita')];
    await admin.goto(`${nodes[0].adminUrl}/#/keys`);
    const row = admin.getByRole('row').filter({ hasText: 'rita@example.com' });
    await row.first().getByRole('button', { name: 'End' }).click();
    await admin.getByRole('dialog').getByRole('button', { name: 'End' }).click();
    await admin.getByRole('dialog').waitFor({ state: 'detached' });
    const left = (await nodes[0].api('GET', '/console-sessions')).json as { email: string; id: string }[];
    for (const { id } of left.filter(({ email }) => email === 'rita@example.com'))
      await nodes[0].api('DELETE', `/console-sessions/${id}`);
    await user.reload();
    await ssoLink(user).waitFor();
    await Promise.all([admin.context().close(), user.context().close()]);
  });

  test('without the provider, keys and sessions work, and a sign-in reports it', async () => {
    const page = await signedIn('olga');
    await provider.stop();
    expect((await nodes[0].api('GET', '/me')).json).toMatchObject({ kind: 'key', scope: 'manage' });
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    const other = await newPage();
    // The provider has responded a moment ago.
    await expect
      .poll(async () => {
        const response = await fetch(`${nodes[0].adminUrl}/auth/login`, { redirect: 'manual' });
        return response.headers.get('location');
      })
      .toBe(`${nodes[0].adminUrl}/?sign-in=unavailable`);
    await other.goto(nodes[0].adminUrl);
    await ssoLink(other).click();
    await errorNotice(other).waitFor();
    await other.getByLabel('API key').fill(apiKey);
    await other.getByRole('button', { name: 'Sign in' }).click();
    await other.getByRole('button', { name: 'Sign out' }).waitFor();
    await Promise.all([page.context().close(), other.context().close()]);
    const logged = JSON.stringify(nodes.map((node) => node.lines(startedAt, Date.now())));
    expect(logged).toContain('OpenID Connect');
    for (const secret of [client.secret, apiKey]) expect(logged).not.toContain(secret);
  });
});
