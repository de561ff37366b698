// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { naming } from '../../../../test/naming.ts';
import { millis } from '../../../time/units.ts';
import type { AlertEventResponse } from '../contract/alertContract.ts';
import { outgoingOf, shownBody } from './compose.ts';
import { ACKNOWLEDGED, messageOf } from './delivery.ts';
import type { Receiver, Webhook } from './webhook.ts';

const at = '2026-03-01T20:20:10.000Z';
const event = (channel: string, more: Partial<AlertEventResponse> = {}): AlertEventResponse => ({
  id: `evt_${channel}`,
  at,
  state: 'firing',
  alert: `evt_${channel}`,
  since: '2026-03-01T20:15:00.000Z',
  rule: { id: 'low', name: 'Fill below 80% for 5 minutes', kind: 'fill' },
  channel: { id: channel, name: channel.toUpperCase() },
  severity: 'critical',
  value: 12,
  valueAtStart: 12,
  threshold: 80,
  unit: '%',
  text: `Low fill on ${channel}.`,
  link: `https://admin.test/#/${channel}`,
  runbook: 'https://admin.test/runbooks/x.html',
  ...more,
});
const written = { tenant: 't', id: 'w', createdBy: '', createdAt: '', enabled: true };
const slack: Receiver = { type: 'slack', secrets: { url: 'https://chat.test/T0/secret' } };
const email: Receiver = { type: 'email', to: ['ann@example.com'], secrets: {} };
const paging: Receiver = { type: 'pagerduty', secrets: { routingKey: 'R0UT1NG' } };
const signed: Receiver = { type: 'webhook', url: 'https://a.test/', secrets: [{ secret: 'whsec_c2VjcmV0' }] };
const webhook = (receiver: Receiver, grouped = true): Webhook => ({ ...written, ...receiver, grouped });

const base = { id: 'msg_1', tenant: 't', webhookId: 'w', createdAt: millis(Date.parse(at)) };
const group = (events: readonly AlertEventResponse[]) => ({
  ...base,
  type: `alert.${events[0]!.state}`,
  group: 'g',
  body: events.map((one) => JSON.stringify(one)).join(','),
});
const facts = { now: millis(Date.parse(at)), adminUrl: 'https://admin.test/', firing: undefined };
// biome-ignore lint/suspicious/noExplicitAny: bodies of every format
type Sent = any;
function sent(
  delivery: ReturnType<typeof group>,
  to: Webhook,
  more: Partial<Parameters<typeof outgoingOf>[2]> = {},
): Sent {
  const outgoing = outgoingOf(delivery, to, { ...facts, ...more });
  return outgoing.kind === 'http' ? { ...outgoing, json: JSON.parse(outgoing.body) } : outgoing;
}
const many = (count: number, more: Partial<AlertEventResponse> = {}) =>
  group(Array.from({ length: count }, (_, nth) => event(`c${nth + 1}`, more)));

test('a group names how many channels it is about, and where to look', () => {
  const { subject, text, isUrgent } = sent(many(12), webhook(email));
  expect(subject).toEqual(naming('critical', '12 channels', 'C1', 'C2', '10 more'));
  expect(text).toEqual(naming('C12: now 12%', 'https://admin.test/#/alerts', 'runbooks/x.html', '2026-03-01 20:15'));
  expect(isUrgent).toBe(true);
  expect(sent(many(50), webhook(email)).text).toEqual(naming('and 30 more'));
});

test('one event is its sentence, with values now and at the start', () => {
  const reminder = group([event('news', { state: 'reminder', value: 40 })]);
  const { subject, text } = sent(reminder, webhook(email));
  expect(subject).toEqual(naming('Low fill on news.'));
  expect(text).toEqual(naming('12% at the start, now 40%', 'threshold 80%', 'https://admin.test/#/news'));
});

test('a channel that fired twice within a group is counted once', () => {
  const twice = group([event('a'), event('b'), event('a', { id: 'evt_again', value: 3 })]);
  expect(sent(twice, webhook(email)).text).toEqual(naming('2 channels', 'A: now 3%'));
});

test('chats get text without markup of names, with links, a color and fields', () => {
  const { url, json } = sent(group([event('<!channel>', { text: 'Low on <!channel> & <@U1>.' })]), webhook(slack));
  expect(url).toBe('https://chat.test/T0/secret');
  expect(json.text).toBe('*[critical]* Low on &lt;!channel&gt; &amp; &lt;@\u200bU1&gt;.');
  expect(json.attachments[0].text).toContain('<https://admin.test/runbooks/x.html|Runbook>');
  expect(json.attachments[0].fields).toContainEqual({ title: 'Severity', value: 'critical', short: true });
});

test('names and URLs of every kind are sent as they are, on one line and whole', () => {
  const runbook = 'https://wiki.test/100%/a%2Fb|c?<d>';
  const hostile = { channel: { id: 'a', name: 'News\r\nBcc: eve@x.test' }, text: 'Low on News\r\nBcc: all.', runbook };
  const { subject, text } = sent(group([event('a', hostile)]), webhook(email));
  expect([subject, text]).toEqual([naming('Low on News Bcc: all.'), naming('Low on News Bcc: all.', runbook)]);
  expect(sent(group([event('a', hostile), event('b')]), webhook(email)).text).toContain(
    '\n- News Bcc: eve@x.test: now',
  );
  const { json } = sent(group([event('a', hostile)]), webhook(slack));
  expect(json.attachments[0].text).toContain('<https://wiki.test/100%/a%2Fb%7Cc?%3Cd%3E|Runbook>');
  expect(JSON.stringify(sent(many(1, { text: '@all' }), webhook(slack)).json)).not.toContain('@all');
  const long = group([event('a', { text: `${'x'.repeat(1023)}😀` })]);
  expect(sent(long, webhook(paging)).json.payload.summary).toBe('x'.repeat(1023));
});

test('paging services get one incident for each rule or alert, with severity and links', () => {
  const { url, json } = sent(many(12), webhook(paging));
  expect(url).toBe('https://events.pagerduty.com/v2/enqueue');
  expect(json).toMatchObject({
    routing_key: 'R0UT1NG',
    event_action: 'trigger',
    dedup_key: 'midroll/t/low',
    client: 'Midroll',
    payload: { severity: 'critical', summary: naming('12 channels'), source: naming('c12') },
    links: [{ text: naming('console') }, { href: 'https://admin.test/runbooks/x.html' }],
  });
  expect(sent(group([event('a')]), webhook(paging, false)).json.dedup_key).toBe('midroll/t/evt_a');
});

const open = (alert: string, isAcknowledged = false) => ({ alert, isAcknowledged });
const acknowledged = { ...base, type: ACKNOWLEDGED, body: messageOf(ACKNOWLEDGED, facts.now, event('a')) };
test.each([
  ['ends with the last channel', [event('a', { state: 'resolved' })], [], 'resolve'],
  ['remains while a channel fires', [event('a', { state: 'resolved' })], [open('evt_b')], undefined],
  ['is not opened late', [event('a')], [], undefined],
  ['is opened while a channel fires', [event('a')], [open('evt_a')], 'trigger'],
] as const)('an incident %s', (_, events, firing, action) => {
  const outgoing = sent(group(events), webhook(paging), { firing });
  expect(outgoing.json?.event_action).toBe(action);
  if (action === undefined) expect(outgoing).toMatchObject({ kind: 'obsolete', reason: expect.any(String) });
});

test('an incident is acknowledged with the last alert of its rule', () => {
  const action = (firing: readonly ReturnType<typeof open>[], grouped = true) =>
    sent(acknowledged as never, webhook(paging, grouped), { firing }).json?.event_action;
  expect(action([open('evt_a', true), open('evt_b')])).toBeUndefined();
  expect(action([open('evt_a', true), open('evt_b', true)])).toBe('acknowledge');
  expect(action([open('evt_a', true), open('evt_b')], false)).toBe('acknowledge');
});

test('a signed webhook gets one event, or a group as one message', () => {
  const message = messageOf('alert.firing', facts.now, event('a'));
  const single = outgoingOf({ ...base, type: 'alert.firing', body: message }, webhook(signed, false), facts);
  expect(single).toMatchObject({ body: message, headers: { 'webhook-id': 'msg_1' } });
  const { json } = sent(many(3), webhook(signed));
  expect(json).toMatchObject({ type: 'alerts.firing', data: { count: 3, severity: 'critical', rule: { id: 'low' } } });
  expect(json.data.events.map(({ id }: { id: string }) => id)).toEqual(['evt_c1', 'evt_c2', 'evt_c3']);
});

test('what is shown of a delivery contains no secret', () => {
  for (const receiver of [slack, email, paging, signed]) {
    const shown = shownBody(many(2), webhook(receiver), facts);
    expect(shown).toEqual(naming('C1'));
    expect(shown).not.toMatch(/secret|R0UT1NG/);
  }
  expect(shownBody(group([event('a', { state: 'resolved' })]), webhook(paging), facts)).toContain('resolve');
});

test('a test message can be sent to every type', () => {
  const body = messageOf('test', facts.now, { text: 'This is a test.' });
  for (const receiver of [slack, email, paging, signed])
    expect(shownBody({ ...base, type: 'test', body }, webhook(receiver), facts)).toEqual(naming('This is a test.'));
});
