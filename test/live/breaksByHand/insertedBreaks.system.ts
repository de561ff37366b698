// SPDX-License-Identifier: Apache-2.0
// Breaks of live channels that an operator inserts, ends and cancels, on a virtual clock.
import { expect, test } from 'vitest';
import { isOurs, sharedMedia } from '../../laws/readBack.ts';
import { fileStage } from '../fileStage.ts';
import { airLive, offerSpots, segmentsOf, startOrigin } from '../liveStage.ts';
import { titlesOf } from '../stage.ts';
import type { Viewer } from '../viewer.ts';
import { edge, ours, passes, rungOf, SEGMENT } from './seenByHand.ts';

const stage = await fileStage();

const NO_BREAKS = { every: 0, seconds: 12 };

async function onAir(id: string, origin: object = {}, channel: object = {}, ads = true): Promise<Viewer> {
  const started = await startOrigin(stage, { breaks: NO_BREAKS, ...origin });
  await airLive(stage, id, { sourceManifestUrl: started.hlsUrl, sourceDashUrl: started.dashUrl }, channel);
  if (ads) await offerSpots(stage, id);
  const viewer = await stage.watch(id, { dash: false });
  await shows(viewer, rungOf(viewer), 0);
  return viewer;
}

/** Waits until the viewer has so many segments. */
const shows = (viewer: Viewer, rung: string, more: number) => {
  const count = segmentsOf(viewer, rung).length + more;
  return viewer.until(`${more} more segments`, () => segmentsOf(viewer, rung).length >= Math.max(6, count));
};

const order = (id: string, body: object) => stage.midroll.api('POST', `/channels/${id}/breaks`, body);

test.concurrent('a break that is inserted now starts with the first segment that is listed afterwards, and has ads', async () => {
  const viewer = await onAir('now');
  const before = edge(viewer);
  const { status, json } = await order('now', { id: 'first', duration: 12 });
  expect(status, JSON.stringify(json)).toBe(201);
  expect(json).toMatchObject({ id: 'first', kind: 'ads', state: 'running', duration: 12 });
  await viewer.until('media of ours', () => ours(viewer).length > 0);
  await passes(viewer, before + 30_000);
  const [shown, ...more] = ours(viewer);
  expect(more).toEqual([]);
  // The viewer may have read the playlist before a segment was listed in it.
  expect(shown!.startsAt - before).toBeLessThanOrEqual(SEGMENT);
  expect(shown!.endsAt - shown!.startsAt).toBe(12_000);
  const [traced] = await stage.breaks(viewer);
  expect(titlesOf(traced!)).toEqual(['Ad four', 'Ad six']);
  expect(viewer.faults).toEqual([]);
  const again = await order('now', { duration: 12, id: 'first' });
  expect([again.status, again.json.id, again.json.state]).toEqual([200, 'first', 'ended']);
  expect((await order('now', { id: 'first', duration: 13 })).status).toBe(409);
  const { json: listed } = await stage.midroll.api('GET', '/channels/now/breaks');
  expect(listed.items.filter(({ source }: { source: string }) => source === 'api').length).toBeGreaterThan(0);
  expect(listed.items.find(({ origin }: { origin: string }) => origin === 'hls')).toMatchObject({
    ...{ kind: 'ads', sourceId: 'first', state: 'ended', duration: 12 },
    viewers: { decided: 1, withAds: 1 },
  });
});

test.concurrent('a break that is inserted ahead starts at its time, and can be cancelled before', async () => {
  const viewer = await onAir('ahead');
  const startsAt = stage.clock.now() + 20_000;
  const { json } = await order('ahead', { id: 'kept', duration: 10, startsAt: new Date(startsAt).toISOString() });
  expect(json).toMatchObject({ state: 'scheduled', startsAt: new Date(startsAt).toISOString() });
  const gone = { id: 'gone', duration: 10, startsAt: new Date(startsAt + 30_000).toISOString() };
  await order('ahead', gone);
  await shows(viewer, rungOf(viewer), 2);
  expect((await order('ahead', { action: 'end', id: 'gone' })).status).toBe(409);
  expect((await order('ahead', { action: 'cancel', id: 'gone' })).json.state).toBe('cancelled');
  expect((await order('ahead', { action: 'cancel', id: 'gone' })).status).toBe(200);
  await viewer.until('the start', () => ours(viewer).length > 0);
  // Dates of pictures are as much earlier than the clock as the origin is late, at most a segment and the interval between readings.
  const late = startsAt - ours(viewer)[0]!.startsAt;
  expect(late).toBeGreaterThan(-SEGMENT);
  expect(late).toBeLessThanOrEqual(3 * SEGMENT);
  expect((await order('ahead', { action: 'cancel', id: 'kept' })).status).toBe(409);
  await passes(viewer, edge(viewer) + 50_000);
  const shown = ours(viewer);
  expect(shown.length).toBe(1);
  expect(shown[0]!.endsAt - shown[0]!.startsAt).toBe(10_000);
  expect(titlesOf((await stage.breaks(viewer))[0]!)).toEqual(['Ad four', 'Ad six']);
  expect(viewer.faults).toEqual([]);
});

test.concurrent('the end of a break by hand cuts its ads', async () => {
  const viewer = await onAir('ended');
  await order('ended', { id: 'long', duration: 60 });
  await viewer.until('media of ours', () => ours(viewer).length > 0);
  await shows(viewer, rungOf(viewer), 3);
  const { status, json } = await order('ended', { action: 'end' });
  expect([status, json.id, json.state]).toEqual([200, 'long', 'ended']);
  const at = edge(viewer);
  await passes(viewer, at + 20_000);
  const [shown, ...more] = ours(viewer);
  expect(more).toEqual([]);
  expect(shown!.endsAt - at).toBeLessThanOrEqual(2 * SEGMENT);
  expect((await order('ended', { action: 'end', id: 'long' })).status).toBe(200);
  expect((await order('ended', { action: 'end' })).status).toBe(409);
  expect((await order('ended', { action: 'end', id: 'other' })).status).toBe(404);
  expect(viewer.faults).toEqual([]);
});

test.concurrent('a break of the origin is ended by hand, whatever its markers go on stating', async () => {
  const breaks = { every: 60, seconds: 24, first: 24, behaviour: 'exact' };
  const viewer = await onAir('marked', { breaks, hlsMarkers: 'daterange' });
  await viewer.until('the break of the origin', () => ours(viewer).length > 0);
  await shows(viewer, rungOf(viewer), 2);
  const ended = await order('marked', { action: 'end' });
  expect([ended.status, ended.json.state], JSON.stringify(ended.json)).toEqual([200, 'ended']);
  const at = edge(viewer);
  await passes(viewer, at + 25_000);
  const shown = ours(viewer).filter(({ startsAt }) => startsAt < at + 20_000);
  expect(shown.at(-1)!.endsAt - at).toBeLessThanOrEqual(2 * SEGMENT);
  expect((await order('marked', { action: 'end', id: ended.json.id })).status).toBe(200);
  expect(viewer.faults).toEqual([]);
});

test.concurrent('a blackout shows no content and no ads until it is ended', async () => {
  const breaks = { every: 40, seconds: 12, first: 30, behaviour: 'exact' };
  const viewer = await onAir('dark', { breaks, hlsMarkers: 'daterange' });
  const { status, json } = await order('dark', { kind: 'blackout', id: 'dark' });
  expect([status, json.state, json.endsAt]).toEqual([201, 'running', undefined]);
  await viewer.until('the blackout', () => ours(viewer).length > 0);
  const from = ours(viewer).at(-1)!.startsAt;
  const requests = stage.adHost.seen.filter(({ path }) => path.startsWith('/dark?')).length;
  await passes(viewer, from + 150_000);
  const late = segmentsOf(viewer, rungOf(viewer)).filter(({ date }) => date >= from);
  expect(late.every(({ uri }) => isOurs(uri))).toBe(true);
  expect(stage.adHost.seen.filter(({ path }) => path.startsWith('/dark?')).length - requests).toBeLessThanOrEqual(1);
  const ended = await order('dark', { action: 'end' });
  expect([ended.json.id, ended.json.state]).toEqual(['dark', 'ended']);
  const at = edge(viewer);
  await passes(viewer, at + 30_000);
  expect(segmentsOf(viewer, rungOf(viewer)).some(({ uri, date }) => date >= at && !isOurs(uri))).toBe(true);
  expect(viewer.faults).toEqual([]);
});

test.concurrent('a blackout with an asset shows slate until it is ready, and then the asset in a loop', async () => {
  const viewer = await onAir('asset', {}, {}, false);
  const [file, release] = stage.adHost.hold('/card.mp4', await stage.spot(4));
  const body = { kind: 'blackout', id: 'card', asset: file };
  const { status, json } = await order('asset', body);
  expect([status, json.asset, json.assetState]).toEqual([201, file, 'preparing']);
  const { items } = (await stage.midroll.api('GET', '/channels/asset/breaks')).json;
  expect(items).toContainEqual(expect.objectContaining({ sourceId: 'card', asset: file, assetState: 'preparing' }));
  await passes(viewer, edge(viewer) + 10_000);
  release();
  while ((await order('asset', body)).json.assetState !== 'ready') await stage.clock.sleep(500);
  const readyAt = edge(viewer);
  await passes(viewer, readyAt + 30_000);
  await order('asset', { action: 'end' });
  await passes(viewer, edge(viewer) + 10_000);
  const shown = segmentsOf(viewer, rungOf(viewer)).filter(({ uri }) => isOurs(uri));
  const mediaOf = ({ uri }: { uri: string }) => sharedMedia(uri).split('/')[0];
  const changed = shown.findIndex((one) => mediaOf(one) !== mediaOf(shown[0]!));
  expect(new Set(shown.slice(changed).map(mediaOf)).size, shown.map(({ uri }) => uri).join('\n')).toBe(1);
  expect(shown[changed]!.date - readyAt).toBeLessThanOrEqual(2 * SEGMENT);
  expect(ours(viewer)).toHaveLength(1);
  expect(viewer.faults).toEqual([]);
});
