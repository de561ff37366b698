// SPDX-License-Identifier: Apache-2.0
// Refused sign-ins in the audit log, their bounds, and sessions that are ended there. On both stores.

import { expect, test } from 'vitest';
import { withoutUndefined } from '../../src/invariant.ts';
import { startConsoleSession } from '../../src/platform/access/rules/consoleSession.ts';
import { millis } from '../../src/time/units.ts';
import { clientOf } from '../admin/client.ts';
import { opened } from '../opened.ts';
import { startAdmin } from '../servers/adminServer.ts';
import { onEachDatabase } from '../servers/sqlStores.ts';
import { unreachableSignIn } from './unreachableSignIn.ts';

const own = { 'x-midroll-console': '1', 'sec-fetch-site': 'same-origin' };

onEachDatabase(async (databaseUrl) => {
  let ahead = 0;
  const admin = await opened(
    startAdmin({
      ...withoutUndefined({ databaseUrl }),
      signIn: unreachableSignIn,
      now: () => millis(Date.now() + ahead),
    }),
  );
  const call = clientOf(admin.app, admin.key);

  const visit = async (query: string, address: string, cookie = '') => {
    const headers = { 'x-forwarded-for': address, cookie, 'user-agent': 'curl/8' };
    const response = await admin.app.inject({ method: 'GET', url: `/auth/callback?${query}`, headers });
    return response.headers.location;
  };
  const entries = async (filter = 'kind=session&limit=100') => (await call('GET', `/api/v2/audit?${filter}`)).json;
  const hour = () => {
    ahead += 3_600_000;
  };
  const pending = (state: string) =>
    `midroll-sign-in=${unreachableSignIn.seal(
      JSON.stringify({ state, nonce: 'n', verifier: 'v'.repeat(43), until: Date.now() + ahead + 60_000, page: '/' }),
    )}`;

  test('a refused sign-in is recorded with its reason and address, and without codes', async () => {
    expect(await visit('code=secret-code&state=secret-state', '203.0.113.9')).toMatch(/sign-in=expired$/);
    expect(await visit('code=secret-code&state=other', '203.0.113.9', pending('secret-state'))).toMatch(/wrong-state$/);
    expect(await visit('error=access_denied&state=s', '203.0.113.9', pending('s'))).toMatch(/denied$/);
    expect(await visit('code=secret-code&state=s', '203.0.113.9', pending('s'))).toMatch(/unavailable$/);
    const found = await entries();
    expect(found.map(({ details }: { details: object }) => details)).toEqual(
      ['unavailable', 'denied', 'wrong-state', 'expired'].map((reason) => ({ reason, attempts: 1 })),
    );
    expect(found[0]).toMatchObject({
      ...{ operation: 'signIn', outcome: 'refused', record: { kind: 'session' }, actor: { kind: 'unknown', id: '' } },
      source: { address: '203.0.113.9', userAgent: 'curl/8', requestId: expect.any(String) },
    });
    expect(JSON.stringify(found) + admin.logged.join('')).not.toMatch(/secret-|midroll-sign-in/);
    expect((await clientOf(admin.app, admin.otherKey)('GET', '/api/v2/audit?kind=session')).json).toEqual([]);
  });

  test('repetitions from one network are counted, and many networks do not fill the log', async () => {
    hour();
    for (let count = 0; count < 250; count += 1) await visit('', `2001:db8:1:2:${count.toString(16)}::1`);
    const attempts = (await entries('text=2001:db8:1:2:')).map(
      ({ details }: { details: { attempts: number } }) => details.attempts,
    );
    expect(attempts).toEqual([100, 10, 1]);
    const before = (await entries()).length;
    hour();
    for (let count = 0; count < 300; count += 1) await visit('', `198.51.${count >> 8}.${count & 255}`);
    const added = (await entries()).slice(0, -before);
    expect(added).toHaveLength(53);
    expect(added[0].details).toEqual({ reason: 'expired', attempts: 100, addresses: 'several' });
  });

  test('the end of a session is recorded with the user, also if an administrator ends it', async () => {
    const start = async () => {
      const identity = {
        tenant: 'acme',
        subject: 'u1',
        email: 'olga@example.com',
        name: 'Olga',
        scope: 'read',
      } as const;
      const { token, hash, session } = startConsoleSession(
        identity,
        millis(Date.now() + ahead),
        unreachableSignIn.limits,
      );
      await admin.deps.consoleSessions.insert(session, hash, {});
      return { session, headers: { ...own, cookie: `midroll-console=${token}` } };
    };
    const [first, second, third] = [await start(), await start(), await start()];
    expect((await clientOf(admin.app)('POST', '/auth/logout', undefined, first.headers)).status).toBe(200);
    expect((await call('DELETE', `/api/v2/console-sessions/${second.session.id}`)).status).toBe(204);
    expect((await call('DELETE', `/api/v2/console-sessions/${second.session.id}`)).status).toBe(404);
    expect((await clientOf(admin.app)('DELETE', '/api/v2/me/sessions', undefined, third.headers)).status).toBe(204);
    const olga = { kind: 'user', id: 'u1', email: 'olga@example.com', name: 'Olga' };
    expect((await entries()).slice(0, 3)).toMatchObject([
      { operation: 'signOutEverywhere', outcome: 'done', actor: olga, record: { kind: 'session', name: olga.email } },
      {
        ...{ operation: 'endConsoleSession', actor: { kind: 'key' } },
        record: { kind: 'session', id: second.session.id, name: olga.email },
      },
      { operation: 'signOut', outcome: 'done', actor: olga, record: { kind: 'session', id: first.session.id } },
    ]);
    expect((await entries('actor=u1')).length).toBe(2);
    const [last, { consoleSessions }] = [await start(), admin.deps];
    const ids = async () => (await consoleSessions.list('acme')).map(({ id }) => id);
    await consoleSessions.removeExpired(millis(last.session.expiresAt - 1));
    expect(await ids()).toContain(last.session.id);
    await consoleSessions.removeExpired(last.session.expiresAt);
    expect(await ids()).toEqual([]);
  });
});
