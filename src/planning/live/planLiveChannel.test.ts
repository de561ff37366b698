// SPDX-License-Identifier: Apache-2.0
// What the planner puts on air for a live channel, with a real store. The analysis of origins is given.

import { afterAll, beforeEach, expect, test } from 'vitest';
import { deferred } from '../../../test/deferred.ts';
import { syntheticAsset, syntheticMedia } from '../../../test/laws/syntheticMedia.ts';
import { naming } from '../../../test/naming.ts';
import { GRACE, libraryOf, plannerOf } from '../../../test/planning.ts';
import { channelOf } from '../../../test/stores/records.ts';
import { sqlChannels } from '../../adapters/sql/channels/sqlChannels.ts';
import { sqlLiveFeeds } from '../../adapters/sql/live/sqlLiveFeeds.ts';
import type { LiveChannel } from '../../channels/channel.ts';
import type { Versioned } from '../../channels/ports.ts';
import { openSqlite } from '../../database.ts';
import type { OriginAnalysis } from '../../ingest/live/originAnalysis.ts';
import { millis } from '../../time/units.ts';
import type { Asset } from '../../timeline/asset/asset.ts';

const [HLS, DASH] = ['https://origin.test/master.m3u8', 'https://origin.test/live.mpd'];
const shape = { segments: [50, 50, 50], qualities: 2 };
const asset: Asset = syntheticAsset({ name: 'live', ...shape });
const ref = { tenant: 'acme', id: 'news' };

let now = millis(Date.parse('2026-03-01T12:00:00.000Z'));
const sql = await openSqlite(':memory:');
afterAll(() => sql.close());

const failing = new Set<string>();
const BACKUP = 'https://backup.test/master.m3u8';
let backupResponds: Promise<void> = Promise.resolve();
const analysed: string[] = [];
let found: Asset = asset;
async function analyse(url: string): Promise<OriginAnalysis> {
  analysed.push(url);
  if (url === BACKUP) await backupResponds;
  const format = url.includes('.mpd') ? 'dash' : 'hls';
  const known = { url, format, breaks: [], warnings: [{ line: 4, text: 'odd' }] } as const;
  if (failing.has(url)) return { ...known, problems: ['it returned 503'] };
  return { ...known, problems: [], playable: { format, serves: format, targetDuration: 7, asset: found } };
}

const feeds = () => sqlLiveFeeds(sql).current(ref);
const lives = async () => (await feeds()).map(({ life }) => life);

const openPlanner = () =>
  plannerOf(sql, {
    analyse,
    library: libraryOf(async (ladder) => ({ state: 'ready', media: syntheticMedia('slate', 0, ladder) })),
    now: () => now,
  });

async function stored(): Promise<Versioned<LiveChannel> | undefined> {
  const channel = await sqlChannels(sql).find(ref.tenant, ref.id);
  return channel?.type === 'live' ? channel : undefined;
}

async function store(changes: Partial<LiveChannel>): Promise<void> {
  const channels = sqlChannels(sql);
  const previous = await stored();
  const created = { ...channelOf(ref.id, { tenant: ref.tenant }), ...previous, ...changes } as LiveChannel;
  if (previous === undefined) await channels.insert(created);
  else await channels.replace({ ...created, version: previous.version });
}

/** Stores a change and plans it, as an edit does. */
async function edit(changes: Partial<LiveChannel>) {
  await store(changes);
  const planner = openPlanner();
  await planner.plan(ref, { fresh: true });
  return (await planner.sharedStatus(ref))!;
}

beforeEach(async () => {
  await sqlChannels(sql).remove(ref.tenant, ref.id);
  await openPlanner().plan(ref);
  failing.clear();
  analysed.length = 0;
  found = asset;
});

test('a channel with two origins has a feed of each format, which a restart continues', async () => {
  const status = await edit({ sourceManifestUrl: HLS, sourceDashUrl: DASH });
  expect(status).toMatchObject({
    state: 'enabled',
    live: { hls: { url: HLS, targetDuration: 7 }, dash: { url: DASH } },
  });
  expect(status.live?.hls?.warnings).toEqual([naming('4', 'odd')]);
  const [hls, dash] = await feeds();
  expect([hls, dash]).toMatchObject([
    { format: 'hls', serves: 'hls', slateId: 'slate', startedAt: now },
    { format: 'dash', serves: 'dash' },
  ]);
  expect(hls!.rungs.map(({ key }) => key)).toEqual(hls!.ladder.rungs.map((_, index) => asset.renditions[index]!.id));
  analysed.length = 0;
  await openPlanner().plan(ref);
  expect(await lives()).toEqual([hls!.life, dash!.life]);
  expect(analysed).toEqual([]);
});

test('an edit of another field checks the origins, and keeps the feeds', async () => {
  await edit({ sourceManifestUrl: HLS });
  const before = await lives();
  expect((await edit({ name: 'News' })).stateReason).toBeUndefined();
  found = { ...asset, renditions: asset.renditions.slice(1) };
  expect((await edit({ name: 'More news' })).stateReason).toEqual(naming(HLS, asset.renditions[0]!.id));
  expect(await lives()).toEqual(before);
});

test('an origin on air that could not be analysed is analysed again, until its problems are over', async () => {
  await edit({ sourceManifestUrl: HLS });
  failing.add(HLS);
  const { stateReason, retryAt } = await edit({ name: 'News' });
  expect(stateReason).toEqual(naming('503'));
  expect(retryAt).toBeGreaterThan(now);
  const planner = openPlanner();
  const planned = async () => {
    await planner.plan(ref);
    return (await planner.sharedStatus(ref))!;
  };
  expect((await planned()).stateReason).toEqual(naming('503'));
  failing.clear();
  const recovered = await planned();
  expect([recovered.stateReason, recovered.retryAt]).toEqual([undefined, undefined]);
});

test('what is left out of an origin is named, also after an edit of another field', async () => {
  const audio = asset.renditions.find(({ kind }) => kind === 'audio')!;
  found = { ...asset, renditions: [...asset.renditions, { ...audio, id: 'more' }] };
  const named = { live: { hls: { warnings: ['line 4: odd', naming('more', 'left out')] } } };
  expect(await edit({ sourceManifestUrl: HLS })).toMatchObject(named);
  expect(await edit({ playlistSize: 30 })).toMatchObject(named);
});

test('a DASH origin has a warning as long as its markers are to be passed on', async () => {
  const warnings = async (markers: 'pass' | 'strip') => {
    const { live } = await edit({ sourceManifestUrl: HLS, sourceDashUrl: DASH, markers });
    return [live?.hls?.warnings?.length, live?.dash?.warnings?.length];
  };
  const before = await warnings('strip');
  const [hls, dash = 0] = before;
  expect(await warnings('pass')).toEqual([hls, dash + 1]);
  expect(await warnings('pass')).toEqual([hls, dash + 1]);
  expect(await warnings('strip')).toEqual(before);
});

test('another URL starts a new life; until it can be used, the previous origin stays on air', async () => {
  await edit({ sourceManifestUrl: HLS });
  const [before] = await lives();
  const other = 'https://other.test/master.m3u8';
  failing.add(other);
  const waiting = await edit({ sourceManifestUrl: other });
  expect(waiting).toMatchObject({ state: 'enabled', live: { hls: { url: HLS } } });
  expect(waiting.stateReason).toEqual(naming('origin', '503'));
  expect(await lives()).toEqual([before]);
  const { failing: due } = await openPlanner().survey([ref]);
  expect(due).toEqual([ref]);
  expect(waiting.retryAt).toBeGreaterThan(now);
  failing.clear();
  const planner = openPlanner();
  await planner.plan(ref);
  expect(await planner.sharedStatus(ref)).toMatchObject({ state: 'enabled', live: { hls: { url: other } } });
  expect(await lives()).toEqual([expect.not.stringContaining(before!)]);
});

test('an origin of the other format replaces the feed, and a DASH origin that is removed ends', async () => {
  await edit({ sourceManifestUrl: HLS, sourceDashUrl: DASH });
  const both = await edit({ sourceManifestUrl: 'https://other.test/live.mpd' });
  expect(both.stateReason).toEqual(naming('DASH origin'));
  expect((await feeds()).map(({ url }) => url)).toEqual(['https://other.test/live.mpd']);
  await edit({ sourceManifestUrl: HLS });
  expect((await feeds()).map(({ url }) => url)).toEqual([HLS, DASH]);
  const { sourceDashUrl: _, ...without } = (await stored())!;
  await sqlChannels(sql).replace(without);
  await openPlanner().plan(ref);
  expect((await feeds()).map(({ url }) => url)).toEqual([HLS]);
});

test('a channel without an origin, or with an HLS playlist as DASH origin, states the reason', async () => {
  expect(await edit({})).toMatchObject({ state: 'failed', stateReason: naming('no origin') });
  failing.add(HLS);
  expect(await edit({ sourceManifestUrl: HLS })).toMatchObject({ state: 'failed', stateReason: naming('503') });
  failing.clear();
  const status = await edit({ sourceDashUrl: 'https://origin.test/other.m3u8' });
  expect(status).toMatchObject({ state: 'enabled', stateReason: naming('DASH origin', 'MPD') });
  expect((await feeds()).map(({ url }) => url)).toEqual([HLS]);
});

test('a disabled channel keeps its feeds for the grace period; one of another type does not', async () => {
  await edit({ sourceManifestUrl: HLS });
  const before = await lives();
  await edit({ state: 'disabled' });
  expect(await lives()).toEqual(before);
  await edit({ state: 'enabled' });
  expect(await lives()).toEqual(before);
  await store({ state: 'disabled' });
  await openPlanner().plan(ref);
  now = millis(now + GRACE + 1000);
  await openPlanner().endSwitchedOff();
  expect(await lives()).toEqual([]);
  await edit({ state: 'enabled' });
  expect(await lives()).toHaveLength(1);
  await sqlChannels(sql).replace({ ...(await stored())!, type: 'vod' });
  await openPlanner().plan(ref);
  expect(await lives()).toEqual([]);
});

test('a backup that does not respond delays no origin, and one in another format is named', async () => {
  const { promise, resolve: respond } = deferred();
  backupResponds = promise;
  const planner = openPlanner();
  const backupManifestUrls = [BACKUP, 'https://backup.test/live.mpd'];
  await store({ sourceManifestUrl: HLS, sourceDashUrl: DASH, backupManifestUrls });
  const planned = planner.plan(ref);
  await expect.poll(async () => (await feeds()).map(({ url }) => url).sort()).toEqual([DASH, HLS].sort());
  await expect.poll(() => planner.status(ref)?.live?.dash?.url).toBe(DASH);
  expect(planner.status(ref)).toMatchObject({ state: 'enabled', live: { hls: { url: HLS } } });
  respond();
  await planned;
  expect((await planner.sharedStatus(ref))?.live?.hls?.warnings).toEqual(['line 4: odd']);
  const { sourceDashUrl: _, ...without } = (await stored())!;
  await sqlChannels(sql).replace(without);
  await planner.plan(ref);
  const warning = naming('backupManifestUrls[1]', HLS, 'DASH', 'HLS');
  expect((await planner.sharedStatus(ref))?.live?.hls?.warnings).toEqual(['line 4: odd', warning]);
});
