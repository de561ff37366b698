// SPDX-License-Identifier: Apache-2.0
// Hostile requests to alert rules, webhooks and events: each is a 4xx that names the field, costs little, and changes nothing.
import { expect, test } from 'vitest';
import { naming } from '../../naming.ts';
import { expectError } from '../expectError.ts';
import { onBothStores } from '../onBothStores.ts';
import { attackedStore } from './attackedStore.ts';

const long = 'x'.repeat(9000);
const rule = (fields: object) => ['/api/v2/alert-rules', { kind: 'fill', ...fields }] as const;
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
    const { channels } = on.admin().deps;
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
    ['POST', 'webhooks/none/test'],
    ['POST', 'webhooks/p/deliveries/none/retry'],
    ['POST', "webhooks/p/deliveries/msg_'or'1'='1'--aaaaaaaaaaa/retry"],
    ['POST', 'webhooks/%00/test'],
    ['GET', 'webhooks/%2e%2e%2fp'],
    ['DELETE', 'alert-rules/__proto__'],
  ])('%s %s is not found', async (method, path) => {
    expect((await call(method as 'GET', `/api/v2/${path}`)).status).toBe(404);
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
    expect(on.admin().logged.join('')).not.toContain(secret.slice('whsec_'.length));
  });
});
