// SPDX-License-Identifier: Apache-2.0
// The whole path, on a virtual clock: an ad server fails, alerts fire, a receiver verifies the events, the stream shows them, and
// they resolve.
import { expect, test } from 'vitest';
import { apiKey } from '../live/midroll.ts';
import { adSource, item } from '../live/stage.ts';
import { naming } from '../naming.ts';
import { opened } from '../opened.ts';
import { openAlertStage } from './alertStage.ts';

const { stage, api, until, addReceiver, delivered } = await opened(openAlertStage());

test('alerts fire and resolve, with signed events and what to look at', async () => {
  await addReceiver({ id: 'ops' });
  const url = await stage.spot(10);
  stage.adHost.on('/ads', (response) => void response.writeHead(500).end());
  const offer = () => stage.adHost.offer('/ads', () => [{ id: 'spot', seconds: 10, url }]);
  const video = await stage.video({ seconds: 40 });
  await stage.air('news', [item(video, { spliceTime: 20, maxDuration: 10 })], {
    name: 'News',
    adSource: adSource(stage.adHost, '/ads'),
  });
  const rule = await api('POST', '/alert-rules', { kind: 'fill', webhooks: ['ops'], forMinutes: 2 });
  expect(rule).toMatchObject({ enabled: true, belowPercent: 80, channels: [], name: naming('80', '2') });
  await api('POST', '/alert-rules', {
    id: 'server',
    kind: 'ad-server',
    minRequests: 1,
    forMinutes: 2,
    channels: ['news'],
  });
  await stage.watch('news');
  await until('an event arrives', () => delivered('ops').length > 0);
  const [firing] = delivered('ops');
  expect(firing).toMatchObject({ isVerified: true, message: { type: 'alert.firing' } });
  const { data } = firing!.message;
  expect(data).toMatchObject({
    ...{ state: 'firing', value: 0, threshold: 80, unit: '%', channel: { id: 'news', name: 'News' } },
    rule: { id: rule.id, kind: 'fill' },
    text: naming('News', '80', '0'),
    reason: naming('ad requests'),
  });
  expect(data).not.toHaveProperty('link');
  await until(
    'both alerts fire',
    async () => (await api('GET', '/alerts')).filter((one: { state: string }) => one.state === 'firing').length === 2,
  );
  expect((await api('GET', '/alerts')).map((one: { event: object }) => one.event)).toContainEqual(data);

  offer();
  await until('both alerts resolve', async () => (await api('GET', '/alerts')).length === 0);
  await until('the webhook is called', () => delivered('ops').length > 1);
  expect(delivered('ops').at(-1)).toMatchObject({
    isVerified: true,
    message: { type: 'alert.resolved', data: { alert: data.id, state: 'resolved' } },
  });
  const events = await api('GET', '/events');
  expect(events.map(({ state }: { state: string }) => state).toSorted()).toEqual([
    'firing',
    'firing',
    'resolved',
    'resolved',
  ]);
  expect(await api('GET', `/events?rule=server&state=resolved`)).toHaveLength(1);

  const headers = { 'x-api-key': apiKey, 'last-event-id': '0' };
  const response = await fetch(`${stage.midroll.adminUrl}/api/v2/events/stream?seconds=1`, { headers });
  expect(response.headers.get('content-type')).toContain('text/event-stream');
  expect([response.headers.get('cache-control'), response.headers.get('x-accel-buffering')]).toEqual([
    'no-cache',
    'no',
  ]);
  const streamed = [...(await response.text()).matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!));
  expect(streamed).toEqual(events.toReversed());
  expect(stage.midroll.bugs()).toEqual([]);
});

test('a channel that does not come on air is reported, and ends with its rule', async () => {
  await addReceiver({ id: 'air' });
  await stage.air('broken', [item(`${stage.origin.url}/none/master.m3u8`)]);
  await api('POST', '/alert-rules', { id: 'air', kind: 'off-air', webhooks: ['air'], repeatMinutes: 5 });
  await until('a reminder arrives', () => delivered('air').length > 1);
  expect(delivered('air').slice(0, 2)).toMatchObject([
    {
      isVerified: true,
      message: { type: 'alert.firing', data: { channel: { id: 'broken' }, reason: expect.any(String) } },
    },
    { isVerified: true, message: { type: 'alert.reminder' } },
  ]);
  await api('DELETE', '/alert-rules/air');
  await until('the alert ends', async () => (await api('GET', '/events?rule=air&state=resolved')).length === 1);
  await until('its receiver gets the end', () => delivered('air').at(-1)?.message.type === 'alert.resolved');
});

test('a test event is delivered and logged, and can be sent again', async () => {
  await addReceiver({ id: 'tested' });
  const { id, state } = await api('POST', '/webhooks/tested/test');
  expect(state).toBe('pending');
  const log = async () => (await api('GET', '/webhooks/tested/deliveries'))[0];
  await until('it is delivered', async () => (await log()).state === 'delivered');
  await api('POST', `/webhooks/tested/deliveries/${id}/retry`);
  await until('it is delivered again', async () => (await log()).attempts === 2 && (await log()).state === 'delivered');
  expect(delivered('tested').map((one) => [one.id, one.isVerified])).toEqual([
    [id, true],
    [id, true],
  ]);
  const metrics = await (await fetch(`${stage.midroll.adminUrl}/metrics`)).text();
  expect(metrics).toMatch(/^midroll_webhook_attempts_total\{outcome="delivered"\} \d+$/m);
  expect(metrics).toMatch(/^midroll_webhook_deliveries\{state="due"\} \d+$/m);
  const rotated = await api('POST', '/webhooks/tested/rotate', { overlapSeconds: 60 });
  expect(rotated).toMatchObject({ secrets: 2, secret: expect.stringMatching(/^whsec_/) });
  expect(await api('GET', '/webhooks/tested')).not.toHaveProperty('secret');
  await api('PATCH', '/webhooks/tested', { enabled: false });
  expect((await stage.midroll.api('POST', '/webhooks/tested/test')).status).toBe(409);
});
