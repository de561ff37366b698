// SPDX-License-Identifier: Apache-2.0
// Hostile requests to alert rules, webhooks and events: each is a 4xx that names the field, costs little, and changes nothing.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { naming } from '../../naming.ts';
import { clientOf } from '../client.ts';
import { expectError } from '../expectError.ts';
import { onBothStores } from '../onBothStores.ts';
import { attackedStore } from './attackedStore.ts';

const long = 'x'.repeat(9000);
const rule = (fields: object) => ['/api/v2/alert-rules', { kind: 'fill', ...fields }] as const;
const receiver = (fields: object) => ['/api/v2/webhooks', fields] as const;
const silence = (fields: object) => ['/api/v2/silences', { rule: 'p', minutes: 5, ...fields }] as const;
const webhook = (fields: object) => ['/api/v2/webhooks', { url: 'https://example.com/', ...fields }] as const;

onBothStores((on) => {
  const { call } = on;
  const { stored } = attackedStore(on);

  test.each([
    ['/kind', rule({ kind: '__proto__' })],
    ['/kind', rule({ kind: ['fill'] })],
    ['/kind', rule({ kind: null })],
    ['/name', rule({ name: { text: 'x' } })],
    ['/name', rule({ name: long })],
    ['/enabled', rule({ enabled: 'false' })],
    ['/channels', rule({ channels: 'c' })],
    ['/channels', rule({ channels: { length: 1e9 } })],
    ['/channels', rule({ channels: ['c', 'c'] })],
    ['/channels/0', rule({ channels: [{}] })],
    ['/channels/0', rule({ channels: ['none'] })],
    ['/channels/0', rule({ channels: ["c' or '1'='1"] })],
    ['/webhooks', rule({ webhooks: Array.from({ length: 21 }, (_, nth) => `w${nth}`) })],
    ['/webhooks/0', rule({ webhooks: ['\u0000'] })],
    ['/forMinutes', rule({ forMinutes: 0 })],
    ['/forMinutes', rule({ forMinutes: 1e308 })],
    ['/forMinutes', rule({ forMinutes: 1.5 })],
    ['/repeatMinutes', rule({ repeatMinutes: 1 })],
    ['/belowPercent', rule({ belowPercent: -1 })],
    ['/belowPercent', rule({ belowPercent: '80' })],
    ['/abovePercent', rule({ abovePercent: 20 })],
    ['/minFailures', rule({ kind: 'creative', minFailures: 2 ** 53 })],
    ['/constructor', rule({ constructor: 1 })],
    ['/id', rule({ id: '../p' })],
    ['/url', webhook({ url: '' })],
    ['/url', webhook({ url: 'javascript:alert(1)' })],
    ['/url', webhook({ url: 'file:///etc/passwd' })],
    ['/url', webhook({ url: 'http://exa mple.com/' })],
    ['/url', webhook({ url: 'https://example.com/\r\nx-evil: 1' })],
    ['/url', webhook({ url: ['https://example.com/'] })],
    ['/url', webhook({ url: `https://example.com/${long}` })],
    ['/description', webhook({ description: long })],
    ['/secret', webhook({ secret: 'whsec_AAAA' })],
    ['/type', webhook({ type: 'smtp' })],
    ['/to', webhook({ to: ['ann@example.com'] })],
    ['/routingKey', webhook({ routingKey: 'x' })],
    ['/grouped', webhook({ grouped: 'yes' })],
    ['/url', receiver({ type: 'slack' })],
    ['/url', receiver({ type: 'slack', url: 'file:///etc/passwd' })],
    ['/to', receiver({ type: 'email' })],
    ['/to', receiver({ type: 'email', to: [] })],
    ['/to/0', receiver({ type: 'email', to: ['ann@example.com\r\nBcc: all@example.com'] })],
    ['/to/0', receiver({ type: 'email', to: ['Ann <ann@example.com>'] })],
    ['/to/0', receiver({ type: 'email', to: ['a@b,c@d'] })],
    ['/to/0', receiver({ type: 'email', to: ['ann@example.com\u0000'] })],
    ['/to', receiver({ type: 'email', to: Array.from({ length: 21 }, (_, nth) => `a${nth}@example.com`) })],
    ['/url', receiver({ type: 'email', to: ['ann@example.com'], url: 'https://example.com/' })],
    ['/routingKey', receiver({ type: 'pagerduty' })],
    ['/routingKey', receiver({ type: 'pagerduty', routingKey: 'a\nb' })],
    ['/routingKey', receiver({ type: 'pagerduty', routingKey: long })],
    ['/severity', rule({ severity: 'fatal' })],
    ['/runbook', rule({ runbook: 'javascript:alert(1)' })],
    ['/labels/0', rule({ labels: ['a,b'] })],
    ['/labels/1', rule({ labels: ['a', 'A'] })],
    ['/labels', rule({ labels: 'a' })],
    ['/rule', silence({ rule: 'none' })],
    ['/rule', silence({ rule: undefined })],
    ['/channel', silence({ channel: 'none' })],
    ['/channel', silence({ channel: '\u0000' })],
    ['/label', silence({ label: '' })],
    ['/minutes', silence({ minutes: 0 })],
    ['/minutes', silence({ minutes: 1e9 })],
    ['/minutes', silence({ minutes: undefined })],
    ['/minutes', silence({ until: '2999-01-01T00:00:00Z' })],
    ['/until', silence({ minutes: undefined, until: '2999-01-01T00:00:00Z' })],
    ['/until', silence({ minutes: undefined, until: '2020-01-01T00:00:00Z' })],
    ['/until', silence({ minutes: undefined, until: 'tomorrow' })],
    ['/until', silence({ minutes: undefined, until: 7 })],
    ['/reason', silence({ reason: long })],
    ['/tenant2', silence({ tenant2: 'globex' })],
    ['/overlapSeconds', ['/api/v2/webhooks/p/rotate', { overlapSeconds: -1 }]],
    ['/overlapSeconds', ['/api/v2/webhooks/p/rotate', { overlapSeconds: 1e12 }]],
    ['/secret', ['/api/v2/webhooks/p/rotate', { secret: 'mine' }]],
  ] as const)('%s: refuses %j', async (dataPath, [path, body]) => {
    const before = await stored();
    const reply = await call('POST', path, body);
    expectError(reply, 422, 'VALIDATION_ERROR');
    expect(reply.json.data.map((one: { dataPath: string }) => one.dataPath)).toContain(dataPath);
    expect(reply.text.length).toBeLessThan(4000);
    expect(await stored()).toEqual(before);
  });

  test.each([null, [], '"text"', 7, [{ kind: 'fill' }]])('refuses the body %j', async (body) => {
    const before = await stored();
    for (const path of ['alert-rules', 'webhooks', 'webhooks/p/rotate'])
      expectError(await call('POST', `/api/v2/${path}`, body), 422, 'VALIDATION_ERROR');
    expect(await stored()).toEqual(before);
  });

  test('a list of ids that is too long is not looked up', async () => {
    const { channels } = on.admin.deps;
    let reads = 0;
    const find = channels.find;
    Object.assign(channels, {
      find: (...of: Parameters<typeof find>) => {
        reads += 1;
        return find(...of);
      },
    });
    const ids = Array.from({ length: 100_000 }, (_, nth) => `c${nth}`);
    const reply = await call('POST', ...rule({ channels: ids }));
    Object.assign(channels, { find });
    expectError(reply, 422, 'VALIDATION_ERROR');
    expect(reply.json.data).toMatchObject([{ dataPath: '/channels', message: naming('500', '100000') }]);
    expect(reads).toBe(0);
  });

  test('a body of more than a megabyte', async () => {
    const reply = await call('POST', ...webhook({ description: 'x'.repeat(2_000_000) }));
    expect(reply.status).toBe(413);
  });

  test.each([
    ['/cursor', 'events?cursor=-1'],
    ['/cursor', 'events?cursor=1e5'],
    ['/cursor', "events?cursor=1'--"],
    ['/cursor', 'events?cursor=%00'],
    ['/limit', 'events?limit=0'],
    ['/limit', 'events?limit=1001'],
    ['/limit', 'events?limit=1&limit=2'],
    ['/state', 'events?state=pending'],
    ['/state', 'events?state='],
    ['/rule', 'events?rule=%00'],
    ['/rule', `events?rule=${long}`],
    ['/from', 'events?from=yesterday'],
    ['/to', 'events?from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z'],
    ['/state', 'alerts?state=resolved'],
    ['/severity', 'alerts?severity=fatal'],
    ['/channel', `alerts?channel=${long}`],
    ['/seconds', 'events/stream?seconds=0'],
    ['/seconds', 'events/stream?seconds=1e9'],
    ['/limit', 'webhooks/p/deliveries?limit=201'],
    ['/cursor', 'webhooks/p/deliveries?cursor=x'],
    ['/state', 'webhooks/p/deliveries?state=sent'],
  ])('%s: refuses GET %s', async (dataPath, path) => {
    const reply = await call('GET', `/api/v2/${path}`);
    expectError(reply, 422, 'VALIDATION_ERROR');
    expect(reply.json.data.map((one: { dataPath: string }) => one.dataPath)).toContain(dataPath);
  });

  test.each([
    'events?cursor=999999999999999',
    'events?from=0&to=8640000000000000',
    'events?from=-271821-04-20T00:00:00Z',
    'webhooks/p/deliveries?cursor=0',
  ])('the limits of numbers are read: GET %s', async (path) => {
    const { status } = await call('GET', `/api/v2/${path}`);
    expect([200, 422]).toContain(status);
  });

  test.each([
    ['POST', 'alerts/none/acknowledge'],
    ['POST', 'alerts/evt_%00/silence', { minutes: 5 }],
    ['DELETE', 'alerts/none/silence'],
    ['DELETE', 'silences/none'],
    ['POST', 'webhooks/none/test'],
    ['POST', 'webhooks/p/deliveries/none/retry'],
    ['POST', "webhooks/p/deliveries/msg_'or'1'='1'--aaaaaaaaaaa/retry"],
    ['POST', 'webhooks/%00/test'],
    ['GET', 'webhooks/%2e%2e%2fp'],
    ['DELETE', 'alert-rules/__proto__'],
  ])('%s %s is not found', async (method, path, body?: object) => {
    expect((await call(method as 'GET', `/api/v2/${path}`, body)).status).toBe(404);
  });

  test('secrets of receivers are shown to those who manage, are kept by edits, and are nowhere else', async () => {
    const [path, key] = ['https://chat.example.com/services/T0/B0/tokenOfTheChat', 'tokenOfThePager'];
    await call('POST', '/api/v2/webhooks', { id: 'chat', type: 'slack', url: path });
    await call('POST', '/api/v2/webhooks', { id: 'pager', type: 'pagerduty', routingKey: key });
    await call('PATCH', '/api/v2/webhooks/chat', { description: 'Ads' });
    await call('PUT', '/api/v2/webhooks/pager', { type: 'pagerduty', description: 'On call' });
    expect((await call('GET', '/api/v2/webhooks/chat')).json).toMatchObject({ url: path, grouped: true, secrets: 0 });
    expect((await call('GET', '/api/v2/webhooks/pager')).json).toMatchObject({
      routingKey: key,
      description: 'On call',
    });
    expectError(await call('POST', '/api/v2/webhooks/chat/rotate', {}), 409, 'CONFLICT');
    for (const id of ['chat', 'pager']) await call('POST', `/api/v2/webhooks/${id}/test`);
    const reader = clientOf(
      on.admin.app,
      (await call('POST', '/api/v2/keys', { email: 'r@example.com', scope: 'read' })).json.key,
    );
    const read = await Promise.all(
      ['webhooks', 'webhooks/chat', 'webhooks/pager', 'webhooks/pager/deliveries', 'webhooks/chat/deliveries'].map(
        async (of) => (await reader('GET', `/api/v2/${of}`)).text,
      ),
    );
    const audit = (await call('GET', '/api/v2/audit?limit=100')).text;
    const { rows } = await sql<{ body: string }>`select body from webhooks`.execute(on.admin.store.db);
    expect(read.join()).toContain('pager');
    for (const text of [...read, audit, on.admin.logged.join(''), ...rows.map(({ body }) => body)])
      expect(text).not.toMatch(/tokenOfThe/);
    expect(
      (await call('PATCH', '/api/v2/webhooks/pager', { type: 'webhook', url: 'https://a.test/' })).json,
    ).toMatchObject({
      ...{ type: 'webhook', secrets: 1 },
    });
    for (const id of ['chat', 'pager']) await call('DELETE', `/api/v2/webhooks/${id}`);
  });

  test('concurrent requests do not exceed the limits of a tenant', async () => {
    const many = (path: string, body: object, count: number) =>
      Promise.all(Array.from({ length: count }, () => call('POST', path, body)));
    await many('/api/v2/webhooks', { url: 'https://example.com/' }, 70);
    await many('/api/v2/alert-rules', { kind: 'off-air' }, 130);
    const count = async (path: string) => (await call('GET', `/api/v2/${path}`)).json.length;
    expect([await count('webhooks'), await count('alert-rules')]).toEqual([50, 100]);
  });

  test('no response and no audit entry contains a secret', async () => {
    const made = await call('POST', '/api/v2/webhooks/p/rotate', {});
    const { secret } = made.json;
    const texts = await Promise.all(
      ['webhooks', 'webhooks/p', 'audit?limit=100', 'webhooks/p/deliveries'].map(
        async (path) => (await call('GET', `/api/v2/${path}`)).text,
      ),
    );
    for (const text of texts) expect(text).not.toContain(secret.slice('whsec_'.length));
    expect(on.admin.logged.join('')).not.toContain(secret.slice('whsec_'.length));
  });
});
