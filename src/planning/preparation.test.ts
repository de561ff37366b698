// SPDX-License-Identifier: Apache-2.0
// The status that operators and viewers get while a channel is being prepared. Stores and planner are real; the test controls when
// assets and slate are ready.
import { expect, test } from 'vitest';
import { deferred } from '../../test/deferred.ts';
import { syntheticAsset, syntheticMedia } from '../../test/laws/syntheticMedia.ts';
import { naming } from '../../test/naming.ts';
import { openedInTest } from '../../test/opened.ts';
import { libraryOf, linearChannel, plannerOf, written } from '../../test/planning.ts';
import { sqlAirings } from '../adapters/sql/channels/sqlAirings.ts';
import { sqlAssets } from '../adapters/sql/channels/sqlAssets.ts';
import { sqlChannels } from '../adapters/sql/channels/sqlChannels.ts';
import { sqlPlaylists } from '../adapters/sql/channels/sqlPlaylists.ts';
import { systemTimers } from '../adapters/systemClock.ts';
import type { CreativeLibrary, CreativeState } from '../ads/creative/creative.ts';
import { openSqlite } from '../database.ts';
import { itemStatus, preparation } from '../http/contract/statusContract.ts';
import { createAiringCache } from '../playback/onAir/airingCache.ts';
import { millis } from '../time/units.ts';
import type { Rendition } from '../timeline/asset/asset.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import type { Planner } from './planner.ts';
import type { Imported } from './ports.ts';
import { describePreparation } from './preparation.ts';
import { createScheduleSource } from './scheduleSource.ts';

const shape = { segments: new Array(5).fill(50) };
const urlOf = (name: string) => `https://media.test/${name}?token=secret`;
const item = (name: string) => ({ sourceType: 'url' as const, url: urlOf(name) });

async function openPlanning() {
  const sql = await openedInTest(openSqlite(':memory:'));
  const [channels, playlists, airings, assets] = [sqlChannels(sql), sqlPlaylists(sql), sqlAirings(sql), sqlAssets(sql)];
  const reads = new Map<string, (imported: Imported) => void>();
  let slate: Ladder | undefined;
  const { promise: preparing, resolve: finish } = deferred<CreativeState>();
  let queued: number | undefined;
  const findMedia = () => slate && syntheticMedia('slate', 0, slate);
  const source = createScheduleSource({ airings, assets, findMedia });
  const cache = createAiringCache({
    channels,
    source,
    findMedia,
    timers: systemTimers,
    offAirReason: (id) => describePreparation(planner.status(id)),
    log: expect.unreachable,
  });
  const now = () => millis(Date.parse('2026-03-01T12:00:00.000Z'));
  const makeSlate: CreativeLibrary['slate'] = (ladder) => {
    slate ??= ladder;
    return preparing;
  };
  const planner: Planner = plannerOf(sql, {
    onAir: source.load,
    assets: { find: (url) => new Promise((resolve) => void reads.set(url, resolve)) },
    library: libraryOf(makeSlate, { slateQueue: () => queued }),
    now,
  });
  const channel = linearChannel('acme');
  await channels.insert(channel);
  await cache.refresh();
  const settled = async (name: string, imported: Imported) => {
    await expect.poll(() => reads.has(urlOf(name))).toBe(true);
    reads.get(urlOf(name))!(imported);
    reads.delete(urlOf(name));
  };
  return {
    playlists,
    reason: () => cache.find(channel)?.reason?.(),
    airing: () => cache.find(channel)?.airing,
    plan: () => void planner.plan(channel).then(() => cache.refresh()),
    status: () => planner.status(channel),
    states: () => planner.status(channel)?.items.map(({ state }) => state),
    fail: (name: string, reason: string) => settled(name, { ok: false, reason }),
    async read(name: string, change: (renditions: readonly Rendition[]) => Rendition[] = (all) => [...all]) {
      const source = syntheticAsset({ name, ...shape });
      const renditions = change(source.renditions);
      const asset = { ...source, renditions, url: urlOf(name), warnings: [`${name} is odd`] };
      await settled(name, { ok: true, key: await assets.put(urlOf(name), asset, millis(0)), asset });
    },
    queue: (jobs: number | undefined) => {
      queued = jobs;
    },
    slateAwaited: () => expect.poll(() => slate).toBeDefined(),
    finishSlate: () => finish({ state: 'ready', media: syntheticMedia('slate', 0, slate!) }),
  };
}

test('the status shows the step, its progress and failed items; viewers learn nothing about the sources', async () => {
  const air = await openPlanning();
  const contents = ['a', 'b', 'c', 'a'].map(item);
  await air.playlists.insert({ id: 'main', tenant: 'acme', status: 'enabled', contents, ...written });
  expect(air.reason()).toBe(describePreparation(undefined));
  air.plan();
  await expect.poll(() => air.status()?.preparation).toEqual({ step: 'assets', assets: 3, assetsRead: 0 });
  expect(air.states()).toEqual(['importing', 'importing', 'importing', 'importing']);

  await air.fail('b', 'the origin returned 404');
  await expect.poll(() => air.status()?.preparation?.assetsRead).toBe(1);
  expect(air.states()).toEqual(['importing', 'failed', 'importing', 'importing']);
  expect(air.status()).toMatchObject({ state: 'enabled', stateReason: naming(1, 3, urlOf('b'), 404) });
  expect(air.status()?.items[1]).toMatchObject({ reason: 'the origin returned 404' });
  expect(air.reason()).toEqual(naming(1, 3));
  expect(air.reason()).not.toMatch(/media\.test|404/);

  await air.read('a');
  await expect.poll(air.states).toEqual(['ready', 'failed', 'importing', 'ready']);
  expect(air.status()?.items[0]).toMatchObject({ duration: 10, warnings: ['a is odd'] });
  // An asset without audio does not fit; this is known before the slate is ready.
  await air.read('c', (all) => all.filter(({ kind }) => kind !== 'audio'));
  await air.slateAwaited();
  await expect.poll(air.states).toEqual(['ready', 'failed', 'leftOut', 'ready']);
  expect(air.status()?.preparation).toEqual({ step: 'slate', assets: 3, assetsRead: 3 });
  air.queue(12);
  expect(air.status()).toMatchObject({ preparation: { step: 'slate', jobsAhead: 12 }, stateReason: naming(12) });
  expect(air.reason()).toEqual(naming(12));
  air.queue(0);
  expect(air.status()?.preparation?.jobsAhead).toBe(0);
  // The status can be stored as JSON for other processes.
  expect(JSON.parse(JSON.stringify(air.status()))).toEqual(air.status());

  air.finishSlate();
  await expect.poll(() => air.airing()).toBeDefined();
  expect(air.status()).not.toHaveProperty('preparation');
  expect(air.states()).toEqual(['ready', 'failed', 'leftOut', 'ready']);
});

test('during a change on air, items that stay keep their state until they are imported again', async () => {
  const air = await openPlanning();
  const playlist = { id: 'main', tenant: 'acme', status: 'enabled' as const, ...written };
  await air.playlists.insert({ ...playlist, contents: ['a', 'b'].map(item) });
  air.plan();
  await air.read('a');
  await air.fail('b', 'it is unavailable');
  await air.slateAwaited();
  air.finishSlate();
  await expect.poll(() => air.airing()).toBeDefined();
  const before = air.status()!;

  // During another attempt, nothing appears to have changed.
  air.plan();
  await air.read('a');
  expect(air.status()).toEqual(before);
  await air.fail('b', 'it is unavailable');
  await air.playlists.replace({ ...playlist, contents: ['c', 'b', 'a'].map(item), version: 0 });
  air.plan();
  await expect.poll(air.states).toEqual(['importing', 'failed', 'ready']);
  expect(air.status()).toMatchObject({
    preparation: { step: 'assets', assets: 3 },
    items: [{ index: 0 }, { index: 1, reason: 'it is unavailable' }, { index: 2, duration: 10 }],
  });
});

test('a channel that has nothing to show is not described as being prepared', () => {
  const nothing = describePreparation({ state: 'failed', items: [] });
  const inProgress = { step: 'assets', assets: 0, assetsRead: 0 } as const;
  const sentences = [undefined, { state: 'enabled', items: [], preparation: inProgress } as const].map(
    describePreparation,
  );
  expect(new Set([nothing, ...sentences]).size).toBe(2);
});

test('the API schema describes every field that the planner reports', async () => {
  const air = await openPlanning();
  const contents = [{ ...item('a'), cuePoints: [{ spliceTime: 4, maxDuration: 10 }] }, item('b')];
  await air.playlists.insert({ id: 'main', tenant: 'acme', status: 'enabled', contents, ...written });
  air.plan();
  await air.read('a');
  await air.fail('b', 'no');
  await air.slateAwaited();
  air.queue(1);
  const fieldsOf = (schema: { properties: object }) => Object.keys(schema.properties);
  expect(fieldsOf(preparation)).toEqual(expect.arrayContaining(Object.keys(air.status()!.preparation!)));
  air.finishSlate();
  await expect.poll(() => air.airing()).toBeDefined();
  const reported = air.status()!.items.flatMap((one) => Object.keys(one));
  expect(reported).toEqual(expect.arrayContaining(['warnings', 'reason', 'cuePoints']));
  expect(fieldsOf(itemStatus)).toEqual(expect.arrayContaining(reported));
});

const inMp3 = (renditions: readonly Rendition[]) =>
  renditions.map((one) => (one.kind === 'audio' ? { ...one, codecs: 'mp4a.40.34' } : one));

test('MP3 items of a playlist that also has AAC are excluded with the reason, whatever their position', async () => {
  const air = await openPlanning();
  const playlist = { id: 'main', tenant: 'acme', status: 'enabled' as const, ...written };
  await air.playlists.insert({ ...playlist, contents: ['mp3', 'aac'].map(item) });
  air.plan();
  await air.read('mp3', inMp3);
  await air.read('aac');
  await air.slateAwaited();
  air.finishSlate();
  await expect.poll(() => air.airing()).toBeDefined();
  expect(air.status()).toMatchObject({
    state: 'enabled',
    items: [{ state: 'leftOut', reason: naming('MP3', 'mp4a.40.34', 'AAC') }, { state: 'ready' }],
  });
  expect(air.airing()!.ladder.rungs.map(({ codecs }) => codecs)).not.toContain('mp4a.40.34');

  // If all items are MP3, the status says why the channel shows slate.
  await air.playlists.replace({ ...playlist, contents: [item('mp3')], version: 0 });
  air.plan();
  await air.read('mp3', inMp3);
  await expect.poll(() => air.status()).toMatchObject({ state: 'failed', stateReason: naming('MP3') });
});
