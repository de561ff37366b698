// SPDX-License-Identifier: Apache-2.0
// Origins that fail, creatives that cannot be conditioned, and tracking servers that hang or refuse, on a virtual clock: each
// leads to one firing event, and to one resolved event when it is over.
import { afterEach, expect, test } from 'vitest';
import { airLive, startOrigin } from '../live/liveStage.ts';
import { adSource, item } from '../live/stage.ts';
import { naming } from '../naming.ts';
import { opened } from '../opened.ts';
import { startMisbehavingServer } from '../servers/misbehavingServer.ts';
import { openAlertStage, type SeenEvent } from './alertStage.ts';

const alerts = await opened(openAlertStage());
const stage = alerts.stage;
afterEach(() => expect(stage.midroll.bugs()).toEqual([]));

/** Waits until the webhook and the stream have these events of a rule, and no others. @returns the events */
async function expectEvents(rule: string, states: readonly string[]): Promise<SeenEvent[]> {
  const seen = () => alerts.delivered(rule).length;
  await alerts.until(`${states.join(', ')} of "${rule}"`, () => seen() >= states.length, 60);
  await stage.clock.sleep(120_000);
  const delivered = alerts.delivered(rule);
  expect(delivered.map(({ isVerified }) => isVerified)).toEqual(states.map(() => true));
  expect(delivered.map(({ message }) => message.type)).toEqual(states.map((state) => `alert.${state}`));
  expect(new Set(delivered.map(({ id }) => id)).size).toBe(states.length);
  const events = delivered.map(({ message }) => message.data);
  expect(alerts.streamed(rule)).toEqual(events);
  expect(await alerts.api('GET', `/events?rule=${rule}`)).toEqual(events.toReversed());
  expect(events.map(({ alert }) => alert)).toEqual(states.map(() => events[0].id));
  return events;
}

/** A linear channel with a break of 10 s in every 40 s. */
async function airWithAds(id: string): Promise<void> {
  const video = await stage.video({ seconds: 40 });
  const ads = { adSource: adSource(stage.adHost, `/${id}`) };
  await stage.air(id, [item(video, { spliceTime: 20, maxDuration: 10 })], ads);
}

test('an origin that fails', async () => {
  const origin = await startOrigin(stage, { window: 8 });
  await airLive(stage, 'live', { sourceManifestUrl: origin.hlsUrl });
  await alerts.addRule({ id: 'origin', kind: 'origin', channels: ['live'], forMinutes: 1 });
  await alerts.addRule({ id: 'slate', kind: 'origin', channels: ['live'], forMinutes: 1, when: 'slate' });
  const viewer = await stage.watch('live', { dash: false, fetches: 'ours', isTimed: false });
  await stage.clock.sleep(120_000);
  expect(await alerts.api('GET', '/alerts')).toEqual([]);
  const restore = origin.fail(() => ({ does: 'respond', status: 503 }));
  const [firing] = await expectEvents('origin', ['firing']);
  expect(firing).toMatchObject({ channel: { id: 'live' }, reason: expect.stringContaining('503') });
  await expectEvents('slate', ['firing']);
  restore();
  for (const rule of ['origin', 'slate']) await expectEvents(rule, ['firing', 'resolved']);
  await viewer.leave();
});

test('a creative that cannot be conditioned', async () => {
  await airWithAds('creatives');
  await alerts.addRule({ id: 'creative', kind: 'creative', channels: ['creatives'], forMinutes: 3 });
  stage.adHost.offer('/creatives', () => [{ id: 'page', seconds: 10, url: `${stage.adHost.url}/ok` }]);
  const viewer = await stage.watch('creatives', { fetches: 'ours' });
  const [firing] = await expectEvents('creative', ['firing']);
  expect(firing).toMatchObject({ value: 1, threshold: 1, unit: 'creatives', reason: expect.any(String) });
  const [, resolved] = await expectEvents('creative', ['firing', 'resolved']);
  expect(resolved).toMatchObject({ value: 0, since: firing.since });
  await viewer.leave();
});

test('a creative that fails and is tried again, until it is ready', async () => {
  const spot = await stage.spot(10);
  await airWithAds('retried');
  await alerts.addRule({ id: 'retried', kind: 'creative', channels: ['retried'], forMinutes: 1 });
  stage.adHost.offer('/retried', () => [{ id: 'late', seconds: 10, url: `${stage.adHost.url}/late.mp4` }]);
  const viewer = await stage.watch('retried', { fetches: 'ours' });
  const [firing] = await expectEvents('retried', ['firing']);
  expect(firing).toMatchObject({ value: 1, threshold: 1, unit: 'creatives', reason: naming(404) });
  stage.adHost.on('/late.mp4', (response) => void response.writeHead(302, { location: spot }).end());
  const [, resolved] = await expectEvents('retried', ['firing', 'resolved']);
  expect(resolved).toMatchObject({ value: 0, since: firing.since });
  await viewer.leave();
});

test.each(['hangs', 'refuses'] as const)('a tracking server that %s', async (trouble) => {
  const id = `beacons-${trouble}`;
  const url = await stage.spot(10);
  // A host of its own: beacons to a host that fails are held back.
  const host = await startMisbehavingServer();
  stage.onClose(host.close);
  let isBroken = true;
  host.on('/track', (response, { socket }) => {
    if (!isBroken) response.writeHead(204).end();
    else if (trouble === 'refuses') socket.resetAndDestroy();
  });
  const tracking = `${host.url}/track?event=[EVENT]`;
  stage.adHost.offer(`/${id}`, () => [{ id: 'spot', seconds: 10, url, tracking }]);
  await airWithAds(id);
  await alerts.addRule({ id, kind: 'beacons', channels: [id], forMinutes: 1, olderMinutes: 2 });
  const viewer = await stage.watch(id);
  const [firing] = await expectEvents(id, ['firing']);
  expect(firing).toMatchObject({ threshold: 2, unit: 'min', channel: { id }, reason: expect.any(String) });
  expect(firing.value).toBeGreaterThanOrEqual(2);
  isBroken = false;
  await viewer.leave();
  const [, resolved] = await expectEvents(id, ['firing', 'resolved']);
  expect(resolved.reason).toBeUndefined();
});
