// SPDX-License-Identifier: Apache-2.0
// Writes at least one row to each table that servers, users and keys write: by requests where there are routes for it.
import { pack } from '../../src/adapters/packJson.ts';
import { startConsoleSession } from '../../src/platform/access/rules/consoleSession.ts';
import { sqlHistory } from '../../src/platform/history/store/sqlHistory.ts';
import { millis } from '../../src/time/units.ts';
import { clientOf } from '../admin/client.ts';
import type { AdminTest } from '../servers/adminServer.ts';

const HOUR = 3_600_000;

/** The tables that have rows afterwards. */
export const filledTables = [
  ...['tenants', 'api_keys', 'console_sessions', 'systems', 'playlists', 'ad_sources', 'channels', 'deleted_records'],
  ...['alert_rules', 'webhooks', 'alerts', 'alert_silences', 'alert_events', 'webhook_deliveries'],
  ...['past_sessions', 'past_breaks', 'past_size', 'audit_log', 'idempotency_keys', 'facts'],
] as const;

export async function fillTables({ app, key, store, deps }: AdminTest): Promise<void> {
  const client = clientOf(app, key);
  const send = async (method: string, path: string, body?: object, headers = {}) => {
    const reply = await client(method, `/api/v2/${path}`, body, headers);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.text}`);
    return reply.json;
  };
  for (const id of ['list', 'gone']) await send('POST', 'playlists', { id });
  await send('POST', 'ad-sources', { id: 'source', type: 'vast', url: 'https://ads.example.com/' });
  await send('POST', 'channels', { id: 'one', playlistId: 'list', adSteps: [{ sources: ['source'] }] });
  await send('DELETE', 'playlists/gone');
  const [system] = await send('GET', 'systems');
  const second = await send('POST', 'systems', {
    name: 'Second',
    type: 'ssai',
    settings: { searchPassword: 'hunter2' },
  });
  await send('DELETE', `systems/${second.id}`);
  await send('PATCH', `systems/${system.id}`, { settings: { searchPassword: 'hunter2' } });
  await send('POST', 'keys', { channels: ['one'], scope: 'read' }, { 'idempotency-key': 'once' });
  await send('POST', 'webhooks', { id: 'hook', url: 'http://127.0.0.1:1/' });
  await send('POST', 'alert-rules', { id: 'rule', kind: 'off-air', channels: ['one'], webhooks: ['hook'] });
  await send('POST', 'silences', { id: 'silence', rule: 'rule', minutes: 60 });
  await send('POST', 'webhooks/hook/test');

  const now = Date.now();
  const alert = { tenant: 'acme', rule_id: 'rule', channel_id: 'one' };
  const body = JSON.stringify({ state: { phase: 'pending', since: now, seenAt: now } });
  await store.db
    .insertInto('alerts')
    .values({ ...alert, body })
    .execute();
  await store.db
    .insertInto('alert_events')
    .values({ ...alert, at: now, state: 'firing', body: '{}' })
    .execute();
  const identity = { tenant: 'acme', subject: 'u1', email: 'olga@example.com', scope: 'read' } as const;
  const { session, hash } = startConsoleSession(identity, millis(now), { lifetime: 12 * HOUR, idle: HOUR });
  await deps.consoleSessions.insert(session, hash, { refresh: 'a refresh token' });
  const id = '0b7e2c1a-5d1f-4c86-9a3e-2f1f5f0a9c11';
  const owner = { tenant: 'acme', channelId: 'one', keptFrom: millis(now) };
  const past = {
    id,
    channelId: 'one',
    tenant: 'acme',
    format: 'hls',
    openedAt: millis(now),
    parameters: { a: 'b' },
  } as const;
  const viewer = { address: '203.0.113.9', userAgent: 'x' };
  await sqlHistory(store).add(
    [{ session: { ...past, viewer }, seenAt: millis(now), keptFrom: millis(now) }],
    [{ ...owner, sessionId: id, breakId: 'b', startsAt: millis(now), body: await pack({ ads: [] }) }],
  );
}
