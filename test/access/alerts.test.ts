// SPDX-License-Identifier: Apache-2.0
// Alerts for keys that are restricted to channels, and for those that may only read.
import { beforeAll, expect, test } from 'vitest';
import type { AlertEvent } from '../../src/platform/alerts/rules/event.ts';
import { sqlAlerts } from '../../src/platform/alerts/store/sqlAlerts.ts';
import { millis } from '../../src/time/units.ts';
import { type Client, clientOf } from '../admin/client.ts';
import { onBothStores } from '../admin/onBothStores.ts';

onBothStores(({ admin, call }) => {
  const keyOf = async (body: object): Promise<Client> =>
    clientOf(admin.app, (await call('POST', '/api/v2/keys', body)).json.key);
  const idsOf = async (by: Client, query = '') =>
    (await by('GET', `/api/v2/alerts${query}`)).json.map(({ id }: { id: string }) => id);

  beforeAll(async () => {
    const alerts = sqlAlerts(admin.store);
    const at = millis(Date.now());
    await alerts.lead('test', at, millis(at + 60_000));
    for (const channel of ['own', 'other']) {
      await call('POST', '/api/v2/channels', { id: channel });
      const id = `evt_${channel}`;
      const event: AlertEvent = {
        ...{ id, alert: id, tenant: 'acme', at, since: at, state: 'firing', severity: 'critical', text: 'Low' },
        ...{ rule: { id: 'low', name: 'Low', kind: 'fill' }, channel: { id: channel } },
      };
      const next = { state: { phase: 'firing', reportedAt: at, since: at, seenAt: at }, event } as const;
      await alerts.commit('test', { tenant: 'acme', ruleId: 'low', channelId: channel, next, event, deliveries: [] });
    }
  });

  test('a key that is restricted to a channel reads and handles its alerts, and no others', async () => {
    const operator = await keyOf({ channels: ['own'], scope: 'operate' });
    expect(await idsOf(operator)).toEqual(['evt_own']);
    expect(await idsOf(operator, '?channel=other')).toEqual([]);
    for (const path of ['acknowledge', 'silence']) {
      const body = path === 'silence' ? { minutes: 5 } : undefined;
      expect((await operator('POST', `/api/v2/alerts/evt_other/${path}`, body)).status).toBe(404);
      expect((await operator('POST', `/api/v2/alerts/evt_own/${path}`, body)).status).toBeLessThan(300);
    }
    expect((await operator('DELETE', '/api/v2/alerts/evt_own/silence')).status).toBe(204);
    expect((await operator('POST', '/api/v2/silences', { rule: 'low', minutes: 5 })).status).toBe(403);
    expect((await operator('GET', '/api/v2/silences')).status).toBe(403);
    expect((await call('GET', '/api/v2/alerts?channel=own')).json).toMatchObject([{ acknowledged: {} }]);
    expect((await call('GET', '/api/v2/alerts?channel=other')).json[0]).not.toHaveProperty('acknowledged');
  });

  test('who may read cannot acknowledge or silence, and other tenants see nothing', async () => {
    const reader = await keyOf({ scope: 'read' });
    expect((await idsOf(reader)).toSorted()).toEqual(['evt_other', 'evt_own']);
    for (const path of ['acknowledge', 'silence'])
      expect((await reader('POST', `/api/v2/alerts/evt_own/${path}`, { minutes: 5 })).status).toBe(403);
    const stranger = clientOf(admin.app, admin.otherKey);
    expect(await idsOf(stranger)).toEqual([]);
    expect((await stranger('POST', '/api/v2/alerts/evt_own/acknowledge')).status).toBe(404);
  });

  test('a wide silence is not ended through one of its alerts', async () => {
    await call('POST', '/api/v2/silences', { id: 'wide', channel: 'other', minutes: 5 });
    const { status, json } = await call('DELETE', '/api/v2/alerts/evt_other/silence');
    expect([status, json.message]).toEqual([409, expect.stringContaining('wide')]);
    expect((await call('GET', '/api/v2/alerts?channel=other')).json).toMatchObject([{ silenced: { id: 'wide' } }]);
    await call('DELETE', '/api/v2/silences/wide');
    expect((await call('GET', '/api/v2/alerts?channel=other')).json[0]).not.toHaveProperty('silenced');
  });
});
