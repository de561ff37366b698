// SPDX-License-Identifier: Apache-2.0
// Hostile requests to the breaks and the origin events of channels: each is a 4xx that names the field, what is expected and what was
// sent, and none changes anything.
import { beforeAll, expect, test } from 'vitest';
import { naming } from '../../naming.ts';
import { clientOf } from '../client.ts';
import { expectError } from '../expectError.ts';
import { onBothStores } from '../onBothStores.ts';
import { attackedStore } from './attackedStore.ts';

const long = 'x'.repeat(9000);
const at = '2026-03-01T20:15:00Z';

onBothStores((on) => {
  const { admin, call } = on;
  attackedStore(on);
  const path = (of: string, channel = 'target') => `/api/v2/channels/${channel}/${of}`;
  const order = (body: unknown, headers?: Record<string, string>, channel?: string) =>
    call('POST', path('breaks', channel), body, headers);
  const listed = async (channel?: string) => (await call('GET', path('breaks', channel))).json;
  beforeAll(async () => {
    for (const id of ['target', 'twin', 'keys', 'many']) await call('POST', '/api/v2/channels', { id, type: 'live' });
  });

  test.each([
    ['/duration', { duration: 1e308 }],
    ['/duration', { duration: 0 }],
    ['/duration', { duration: -1e308 }],
    ['/duration', { duration: 0.9999 }],
    ['/duration', { duration: null }],
    ['/duration', { duration: true }],
    ['/duration', { duration: [30] }],
    ['/duration', { duration: { seconds: 30 } }],
    ['/duration', { duration: 'NaN' }],
    ['/duration', { kind: 'blackout', duration: 604_801 }],
    ['/duration', { kind: 'blackout', duration: -1 }],
    ['/duration', { kind: 'blackout', duration: '' }],
    ['/kind', { kind: 'BLACKOUT' }],
    ['/kind', { kind: null, duration: 30 }],
    ['/kind', { kind: ['ads'], duration: 30 }],
    ['/action', { action: null }],
    ['/action', { action: ['end'] }],
    ['/action', { action: 'toString' }],
    ['/id', { duration: 30, id: '' }],
    ['/id', { duration: 30, id: 'x'.repeat(65) }],
    ['/id', { duration: 30, id: long }],
    ['/id', { duration: 30, id: 'a/b' }],
    ['/id', { duration: 30, id: 'a b' }],
    ['/id', { duration: 30, id: 'a\n' }],
    ['/id', { duration: 30, id: 'a\u0000b' }],
    ['/id', { duration: 30, id: 'pausé' }],
    ['/id', { duration: 30, id: '😀' }],
    ['/id', { duration: 30, id: 7 }],
    ['/id', { duration: 30, id: null }],
    ['/id', { action: 'end', id: {} }],
    ['/id', { action: 'cancel', id: '../../target' }],
    ['/startsAt', { duration: 30, startsAt: 1_772_366_400 }],
    ['/startsAt', { duration: 30, startsAt: '' }],
    ['/startsAt', { duration: 30, startsAt: '2026-02-30T00:00:00Z' }],
    ['/startsAt', { duration: 30, startsAt: '2026-03-01T24:00:00Z' }],
    ['/startsAt', { duration: 30, startsAt: '2026-03-01T20:15:00' }],
    ['/startsAt', { duration: 30, startsAt: '+275760-09-13T00:00:00Z' }],
    ['/startsAt', { duration: 30, startsAt: long }],
    ['/startsAt', { duration: 30, startsAt: '9999-12-31T23:59:59Z' }],
    ['/startsAt', { duration: 30, startsAt: '1970-01-01T00:00:00Z' }],
    ['/startsAt', { action: 'end', startsAt: at }],
    ['/asset', { kind: 'blackout', asset: '' }],
    ['/asset', { kind: 'blackout', asset: 'http://' }],
    ['/asset', { kind: 'blackout', asset: 'javascript:alert(1)' }],
    ['/asset', { kind: 'blackout', asset: `https://media.test/${long}` }],
    ['/asset', { kind: 'blackout', asset: ['https://media.test/a'] }],
    ['/asset', { action: 'cancel', id: 'x', asset: 'https://media.test/a' }],
    ['/durations', { duration: 30, durations: 30 }],
    [`/${'y'.repeat(300)}`, { duration: 30, ['y'.repeat(300)]: 1 }],
  ])('%s: refuses %j', async (dataPath, body) => {
    const reply = await order(body);
    expectError(reply, 422, 'VALIDATION_ERROR');
    const fault = reply.json.data.find((one: { dataPath: string }) => one.dataPath === dataPath);
    expect(fault, reply.text).toBeDefined();
    expect(fault.message).toMatch(/^(must |is not a known field; must )/);
    if (fault.keyword !== 'additionalProperties') expect(fault.message).toContain('; got ');
    expect(reply.text.length).toBeLessThan(5000);
    expect((await listed()).total).toBe(0);
  });

  test.each([
    ['from', 'yesterday'],
    ['from', '-1'],
    ['from', 'NaN'],
    ['from', '1e308'],
    ['from', '9'.repeat(16)],
    ['from', '2026-02-30T00:00:00Z'],
    ['to', '%00'],
    ['to', 'x'.repeat(100)],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '-5'],
    ['limit', '1.5'],
    ['limit', '1e308'],
    ['offset', '-1'],
    ['offset', 'many'],
    ['offset', '9'.repeat(30)],
  ])('refuses the query %s=%s', async (name, value) => {
    for (const of of ['breaks', 'origin-events']) {
      const reply = await call('GET', `${path(of)}?${name}=${value}`);
      expectError(reply, 422, 'VALIDATION_ERROR');
      expect(reply.json.data).toEqual([expect.objectContaining({ dataPath: `/${name}`, message: naming('got') })]);
      const twice = await call('GET', `${path(of)}?${name}=1&${name}=2`);
      expectError(twice, 422, 'VALIDATION_ERROR');
    }
  });

  test.each(['a%2Fb', '%00', '%F0%9F%98%80', '..', '%2e%2e', 'x'.repeat(3000), "'--", '%zz'])(
    'has no channel %s',
    async (id) => {
      for (const reply of [
        await order({ duration: 30 }, {}, id),
        await call('GET', path('breaks', id)),
        await call('GET', path('origin-events', id)),
      ]) {
        expect([400, 404, 405, 414]).toContain(reply.status);
      }
    },
  );

  test('origin events of another tenant are not found', async () => {
    const other = clientOf(admin.app, admin.otherKey);
    expectError(await other('GET', path('origin-events')), 404, 'NOT_FOUND');
  });

  test('of many requests with one key, exactly one inserts a break', async () => {
    const key = { 'idempotency-key': 'Ω/1 "x"' };
    const all = await Promise.all(Array.from({ length: 40 }, () => order({ duration: 30 }, key, 'keys')));
    expect(all.map(({ status }) => status).sort()).toEqual([...Array(39).fill(200), 201]);
    expect(new Set(all.map(({ json }) => json.id)).size).toBe(1);
    expect((await listed('keys')).total).toBe(1);
    const other = { 'idempotency-key': 'other' };
    const mixed = await Promise.all(
      Array.from({ length: 40 }, (_, n) => order({ duration: 30 + (n % 2) }, other, 'keys')),
    );
    expect(mixed.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(mixed.filter(({ status }) => status === 409)).toHaveLength(20);
    expect((await listed('keys')).total).toBe(2);
    // A key belongs to a channel.
    expect((await order({ duration: 30 }, key, 'twin')).status).toBe(201);
    expect((await order({ duration: 30 }, { 'idempotency-key': '' }, 'twin')).status).toBe(400);
  });

  test('concurrent orders for one break agree', async () => {
    for (let n = 0; n < 10; n += 1) {
      const id = `n${n}`;
      const all = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          order(
            [
              { id, kind: 'blackout' },
              { action: 'end', id },
              { action: 'cancel', id },
            ][index % 3],
            {},
            'many',
          ),
        ),
      );
      for (const { status } of all) expect([200, 201, 404, 409]).toContain(status);
      expect(all.filter(({ status }) => status === 201)).toHaveLength(1);
      const last = await order({ action: 'end', id }, {}, 'many');
      expect(last).toMatchObject({ status: 200, json: { state: 'ended' } });
    }
  });
});
