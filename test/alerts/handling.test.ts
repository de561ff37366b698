// SPDX-License-Identifier: Apache-2.0
// What a team does about alerts, on a virtual clock: twelve channels are one message, an acknowledged alert is not repeated, and
// what is silenced is sent when the silence ends.
import { afterEach, expect, test, vi } from 'vitest';
import { opened } from '../opened.ts';
import { openAlertStage } from './alertStage.ts';

vi.setConfig({ testTimeout: 120_000 });

const alerts = await opened(openAlertStage());
afterEach(() => expect(alerts.stage.midroll.bugs()).toEqual([]));

const { stringify } = JSON;
// biome-ignore lint/suspicious/noExplicitAny: responses
const list = (query: string): Promise<any[]> => alerts.api('GET', `/alerts?${query}`);

/** Channels that do not come on air: they have no content. */
async function addDead(label: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, (_, nth) => `${label}-${nth + 1}`);
  for (const id of ids) await alerts.stage.midroll.create('channels', { id, state: 'enabled', labels: [label] });
  return ids;
}
async function removeDead(ids: readonly string[]): Promise<void> {
  for (const id of ids) await alerts.api('PATCH', `/channels/${id}`, { state: 'disabled' });
}
const types = (rule: string) => alerts.delivered(rule).map(({ message }) => message.type);

test('twelve channels with a label become one message for a receiver that groups, and one each for others', async () => {
  const ids = await addDead('sports', 12);
  await addDead('quiet', 1);
  await alerts.addReceiver({ id: 'grouped', type: 'webhook', grouped: true });
  await alerts.addRule({
    id: 'group',
    kind: 'off-air',
    forMinutes: 1,
    labels: ['SPORTS'],
    webhooks: ['grouped', 'group'],
  });
  await alerts.until('the group is sent', () => alerts.delivered('grouped').length > 0);
  await alerts.until('each event is sent', () => alerts.delivered('group').length === 12);
  expect(types('grouped')).toEqual(['alerts.firing']);
  const { data } = alerts.delivered('grouped')[0]!.message;
  expect(data).toMatchObject({ count: 12, severity: 'critical', rule: { id: 'group' }, text: expect.any(String) });
  // biome-ignore lint/suspicious/noExplicitAny: events
  expect(data.events.map(({ channel }: any) => channel.id).toSorted()).toEqual(ids.toSorted());
  expect(await list('rule=group&state=firing&severity=critical')).toHaveLength(12);
  expect(await list('rule=group&severity=info')).toEqual([]);
  await removeDead(ids);
  await alerts.until('the end is sent', () => alerts.delivered('grouped').length > 1);
  expect(types('grouped')).toEqual(['alerts.firing', 'alerts.resolved']);
});

test('an acknowledged alert is not repeated, and its end is sent', async () => {
  const ids = await addDead('taken', 1);
  await alerts.addRule({ id: 'ack', kind: 'off-air', forMinutes: 1, channels: ids, repeatMinutes: 5 });
  await alerts.until('a reminder arrives', () => types('ack').length === 2);
  const [alert] = await list(`channel=${ids[0]}&state=firing`);
  const taken = { id: alert.id, acknowledged: { by: expect.stringContaining('@'), at: expect.any(String) } };
  for (const _ of ['once', 'twice'])
    expect(await alerts.api('POST', `/alerts/${alert.id}/acknowledge`)).toMatchObject(taken);
  expect((await list(`channel=${ids[0]}`))[0]).toMatchObject(taken);
  await alerts.stage.clock.sleep(20 * 60_000);
  expect(types('ack')).toEqual(['alert.firing', 'alert.reminder']);
  const audited = await alerts.api('GET', '/audit?operation=acknowledgeAlert');
  expect(audited.map(({ outcome, record }: { outcome: string; record: object }) => [outcome, record])).toMatchObject([
    ['unchanged', { kind: 'alert', id: alert.id }],
    ['done', { kind: 'alert', id: alert.id }],
  ]);
  await removeDead(ids);
  await alerts.until('its end is sent', () => types('ack').length === 3);
  expect(types('ack')[2]).toBe('alert.resolved');
  expect((await alerts.stage.midroll.api('POST', `/alerts/${alert.id}/acknowledge`)).status).toBe(404);
});

test('an alert that starts during a silence is sent when the silence ends, and one that ends in it is not sent', async () => {
  const [kept, gone] = (await addDead('works', 2)) as [string, string];
  const { id } = await alerts.api('POST', '/silences', { label: 'Works', minutes: 10, reason: 'Maintenance' });
  await alerts.addRule({ id: 'works', kind: 'off-air', forMinutes: 1, channels: [kept, gone] });
  await alerts.until('both fire', async () => (await list('rule=works&state=firing')).length === 2);
  for (const alert of await list('rule=works'))
    expect(alert).toMatchObject({ silenced: { id }, event: { silenced: true } });
  await removeDead([gone]);
  await alerts.until('one ends', async () => (await list('rule=works')).length === 1);
  expect(await alerts.api('GET', '/events?rule=works&state=resolved')).toMatchObject([{ silenced: true }]);
  expect(types('works')).toEqual([]);
  await alerts.until('the silence ends', async () => (await alerts.api('GET', '/silences')).length === 0);
  await alerts.until('it is sent', () => types('works').length > 0);
  const [{ message }] = alerts.delivered('works') as never as [{ message: { data: { alert: string } } }];
  expect(message).toMatchObject({ type: 'alert.firing', data: { channel: { id: kept } } });
  expect(message.data.alert).toBe((await list('rule=works'))[0].id);
  await removeDead([kept]);
  await alerts.until('its end is sent', () => types('works').length === 2);
});

test('one alert is silenced and unsilenced, with its end sent, and both are in the audit log', async () => {
  const [id] = (await addDead('one', 1)) as [string];
  await alerts.addRule({ id: 'one', kind: 'off-air', forMinutes: 1, channels: [id], repeatMinutes: 5 });
  await alerts.until('it is sent', () => types('one').length === 1);
  const [alert] = await list('rule=one');
  const until = new Date(alerts.stage.clock.now() + 3_600_000).toISOString();
  const silence = await alerts.api('POST', `/alerts/${alert.id}/silence`, { until });
  expect(silence).toMatchObject({ rule: 'one', channel: id, until });
  await alerts.stage.clock.sleep(15 * 60_000);
  expect(types('one')).toHaveLength(1);
  await alerts.api('DELETE', `/alerts/${alert.id}/silence`);
  expect((await list('rule=one'))[0]).not.toHaveProperty('silenced');
  await alerts.until('the reminder is sent', () => types('one').length === 2);
  await alerts.api('POST', `/alerts/${alert.id}/silence`, { minutes: 600 });
  await removeDead([id]);
  await alerts.until('its end is sent', () => types('one').length === 3);
  expect(types('one')).toEqual(['alert.firing', 'alert.reminder', 'alert.resolved']);
  const entries = await alerts.api('GET', '/audit?q=silence');
  // biome-ignore lint/suspicious/noExplicitAny: entries
  expect(entries.map(({ operation, outcome }: any) => [operation, outcome])).toEqual(
    expect.arrayContaining([
      ['silenceAlert', 'created'],
      ['unsilenceAlert', 'deleted'],
      ['createSilence', 'created'],
    ]),
  );
  expect(stringify(entries)).toContain('Maintenance');
});
