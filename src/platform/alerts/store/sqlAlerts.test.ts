// SPDX-License-Identifier: Apache-2.0

import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { beaconOf } from '../../../../test/stores/records.ts';
import { sqlBeacons, sqlOldestBeacon } from '../../../adapters/sql/tracking/sqlBeacons.ts';
import { millis } from '../../../time/units.ts';
import type { AlertEvent } from '../rules/event.ts';
import type { AlertChange, EventFilter } from '../rules/ports.ts';
import type { AlertRule } from '../rules/rule.ts';
import { sqlAlertRules, sqlAlerts, sqlEvents } from './sqlAlerts.ts';
import { sqlWebhookDeliveries } from './sqlWebhookDeliveries.ts';

const event = (number: number, more: Partial<AlertEvent> = {}): AlertEvent => ({
  id: `evt_${number}`,
  tenant: 't',
  at: millis(number),
  state: 'firing',
  alert: `evt_${number}`,
  rule: { id: 'r', name: 'Fill \0 "ü"', kind: 'fill' },
  channel: { id: 'c' },
  since: millis(1),
  text: 'x',
  severity: 'warning',
  ...more,
});
const state = { phase: 'firing', reportedAt: millis(0), since: millis(1), seenAt: millis(2) } as const;
const change = (number: number, more: Partial<AlertChange> = {}): AlertChange => ({
  tenant: 't',
  ruleId: 'r',
  channelId: 'c',
  next: { state, event: event(number) },
  event: event(number),
  deliveries: ['a', 'b'].map((webhookId) => {
    const facts = { tenant: 't', type: 'alert.firing', body: '{}', createdAt: millis(number) };
    return { ...facts, id: `msg_${number}${webhookId}`, webhookId };
  }),
  ...more,
});
const all: EventFilter = { tenant: 't', from: millis(0), to: millis(1e12) };

onEachOpenStore((sql) => {
  const alerts = sqlAlerts(sql);
  const events = sqlEvents(sql);
  beforeEach(async () => {
    for (const table of ['alerts', 'alert_lead', 'alert_events', 'webhook_deliveries', 'alert_rules'] as const)
      await sql.db.deleteFrom(table).execute();
  });
  const deliveries = () => sqlWebhookDeliveries(sql);

  test('one process leads until its time is over or it releases', async () => {
    const both = await Promise.all(['one', 'two'].map((holder) => alerts.lead(holder, millis(0), millis(10))));
    expect(both.toSorted()).toEqual([false, true]);
    const [leader, other] = both[0] ? ['one', 'two'] : ['two', 'one'];
    expect(await alerts.lead(leader!, millis(5), millis(15))).toBe(true);
    expect(await alerts.lead(other!, millis(14), millis(24))).toBe(false);
    expect(await alerts.lead(other!, millis(15), millis(25))).toBe(true);
    await alerts.release(leader!);
    expect(await alerts.lead(leader!, millis(16), millis(26))).toBe(false);
    await alerts.release(other!);
    expect(await alerts.lead(leader!, millis(16), millis(26))).toBe(true);
  });

  test('a change, its event and its deliveries are stored together, and only by the process that leads', async () => {
    await alerts.lead('one', millis(0), millis(10));
    expect(await alerts.commit('two', change(1))).toBe(false);
    expect([await alerts.all(), await events.list(all, 9), await deliveries().due(millis(100))]).toEqual([[], [], []]);
    expect(await alerts.commit('one', change(1))).toBe(true);
    expect(await alerts.all()).toEqual([{ tenant: 't', ruleId: 'r', channelId: 'c', state, event: event(1) }]);
    expect(await events.list(all, 9)).toEqual([{ ...event(1), seq: expect.any(Number) }]);
    expect((await deliveries().due(millis(100))).map(({ webhookId }) => webhookId).sort()).toEqual(['a', 'b']);
    const { event: _, ...ended } = change(2, { next: undefined, deliveries: [] });
    await alerts.commit('one', ended);
    expect([await alerts.all(), await alerts.ofTenant('t')]).toEqual([[], []]);
    expect(await events.list(all, 9)).toHaveLength(1);
  });

  test('events are filtered, listed newest first, and found after a number', async () => {
    await alerts.lead('one', millis(0), millis(10));
    for (const number of [1, 2, 3, 4]) await alerts.commit('one', change(number));
    const resolved = event(5, { state: 'resolved' });
    await alerts.commit('one', change(5, { event: resolved, ruleId: 'r2', channelId: 'c2' }));
    const ids = async (filter: Partial<EventFilter>, most = 9) =>
      (await events.list({ ...all, ...filter }, most)).map(({ at }) => Number(at));
    expect(await ids({})).toEqual([5, 4, 3, 2, 1]);
    const found = [await ids({ state: 'resolved' }), await ids({ ruleId: 'r2' }), await ids({ channelId: 'c' }, 2)];
    expect(found).toEqual([[5], [5], [4, 3]]);
    expect([await ids({ from: millis(2), to: millis(4) }), await ids({ tenant: 'other' })]).toEqual([[3, 2], []]);
    const [, second] = await events.list(all, 9);
    expect(await ids({ before: second!.seq })).toEqual([3, 2, 1]);
    expect((await events.after('t', second!.seq, 9)).map(({ id }) => id)).toEqual(['evt_5']);
    expect([await events.newest('t'), await events.newest('other')]).toEqual([second!.seq + 1, 0]);
    await events.removeOld(millis(2), 3);
    expect(await ids({})).toEqual([5, 4, 3]);
  });

  test('only enabled rules are evaluated', async () => {
    const rules = sqlAlertRules(sql);
    const rule = (id: string, enabled: boolean) => ({ tenant: 't', id, enabled, kind: 'off-air' }) as AlertRule;
    await rules.insert(rule('on', true));
    await rules.insert(rule('off', false));
    expect((await rules.enabled()).map(({ id }) => id)).toEqual(['on']);
    expect((await rules.list('t')).map(({ id }) => id)).toEqual(['off', 'on']);
  });

  test('finds when the oldest pending beacon of a channel was due', async () => {
    const beacons = sqlBeacons(sql);
    const beacon = (nth: number, channelId: string) => beaconOf(nth, { channelId, dueAt: millis(100 - nth) });
    await beacons.record([beacon(1, 'c'), beacon(2, 'c'), beacon(3, 'other')]);
    const oldest = sqlOldestBeacon(sql);
    expect(await oldest({ tenant: 't', id: 'c' })).toBe(98);
    expect(await oldest({ tenant: 't', id: 'none' })).toBeUndefined();
    const claimed = await beacons.claim('a.test', 9, millis(1000), millis(2000));
    for (const { seq } of claimed) await beacons.settle({ seq, at: millis(1), outcome: 'sent' });
    expect(await oldest({ tenant: 't', id: 'c' })).toBeUndefined();
  });
});
