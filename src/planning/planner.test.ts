// SPDX-License-Identifier: Apache-2.0
// What the planner puts on air, with a real store: channels of two tenants with the same id, and lives left by dead processes.
import { afterAll, expect, test } from 'vitest';
import { syntheticAsset, syntheticMedia } from '../../test/laws/syntheticMedia.ts';
import { naming } from '../../test/naming.ts';
import { linearChannel as channelOf, GRACE, libraryOf, plannerOf, written } from '../../test/planning.ts';
import { sqlAirings } from '../adapters/sql/channels/sqlAirings.ts';
import { sqlAssets } from '../adapters/sql/channels/sqlAssets.ts';
import { sqlChannels } from '../adapters/sql/channels/sqlChannels.ts';
import { sqlPlaylists } from '../adapters/sql/channels/sqlPlaylists.ts';
import { systemTimers } from '../adapters/systemClock.ts';
import type { Channel } from '../channels/channel.ts';
import type { ChannelRef } from '../channels/channelKey.ts';
import type { ContentItem, CuePoint } from '../channels/playlist.ts';
import { openSqlite } from '../database.ts';
import { sqlDeletedRecords } from '../platform/deleted/store/sqlDeletedRecords.ts';
import { createAiringCache } from '../playback/onAir/airingCache.ts';
import { millis } from '../time/units.ts';
import type { Ladder } from '../timeline/ladder/ladder.ts';
import { defaultLadder } from './airChannel.ts';
import { createScheduleSource } from './scheduleSource.ts';
import { createWatch } from './watch.ts';

const shape = { segments: new Array(5).fill(50) };

let now = millis(Date.parse('2026-03-01T12:00:00.000Z'));
const pass = (ms: number) => {
  now = millis(now + ms);
};

const sql = await openSqlite(':memory:');
afterAll(() => sql.close());

/** @param hasMedia whether media are on disk @param slateFault why the slate of a URL, or the built-in one, fails */
function openAir(
  hasMedia: (id: string) => boolean = () => true,
  slateFault: (url?: string) => string | undefined = () => undefined,
) {
  const [channels, playlists, airings, stored] = [sqlChannels(sql), sqlPlaylists(sql), sqlAirings(sql), sqlAssets(sql)];
  let slateLadder: Ladder = defaultLadder;
  const slateOf = (ladder: Ladder) => syntheticMedia('slate', 0, ladder);
  const library = libraryOf(async (ladder, source) => {
    const reason = slateFault(source?.url);
    if (reason !== undefined) return { state: 'failed', fault: 'NOT_MADE', reason, retryAt: millis(now + 30_000) };
    slateLadder = ladder;
    return { state: 'ready', media: syntheticMedia(source ? 'own' : 'slate', 0, ladder) };
  });
  const logged: unknown[] = [];
  const log = (message: string, facts: object) => void logged.push([message, facts]);
  const offAirReason = () => 'it is being prepared';
  const findMedia = (id: string) => (hasMedia(id) ? slateOf(slateLadder) : undefined);
  const source = createScheduleSource({ airings, assets: stored, findMedia });
  const cache = createAiringCache({ channels, source, findMedia, offAirReason, timers: systemTimers, log });
  const find = async (url: string) => {
    const asset = { ...syntheticAsset({ name: new URL(url).pathname.slice(1), ...shape }), url };
    return { ok: true as const, key: await stored.put(url, asset, millis(0)), asset };
  };
  const planner = plannerOf(sql, { assets: { find }, library, onAir: source.load, now: () => now, log });
  /** By tenant: the plannings that `watch` has caused. */
  const planned = new Map<string, Promise<void>>();
  const plan = (channel: ChannelRef) => {
    const planning = planner.plan(channel);
    planned.set(channel.tenant, planning);
    return planning;
  };
  const assets = { find, known: find, refresh: find, probe: async () => undefined, exclude: async () => {} };
  const watch = createWatch({
    assets: { ...assets, dueForRetry: async () => [] },
    planner: { ...planner, plan },
    enabled: channels.enabled,
    programmeOf: () => undefined,
    now: () => now,
  });
  return { channels, playlists, airings, cache, planner, watch, planned, logged };
}

const item = (name: string, cuePoints: readonly CuePoint[] = []): ContentItem => {
  return { sourceType: 'url', url: `https://media.test/${name}`, cuePoints };
};
const playlistOf = (tenant: string, ...contents: ContentItem[]) => {
  return { id: 'main', tenant, status: 'enabled' as const, contents, ...written };
};
const of = (tenant: string) => ({ tenant, id: 'one' });

test('channels of two tenants with the same id are on air at once, each with the assets of its own tenant', async () => {
  const { channels, playlists, airings, cache, planner, logged } = openAir();
  const shown = (tenant: string) =>
    cache
      .find({ tenant, id: 'one' })
      ?.airing?.programme.spansBetween(now, millis(now + 1))
      .map(({ placed }) => placed.clip.asset.url);

  await playlists.insert(playlistOf('acme', item('secret')));
  await channels.insert(channelOf('acme'));
  await planner.plan(of('acme'));
  await playlists.insert(playlistOf('globex', item('own')));
  await channels.insert(channelOf('globex'));
  await cache.refresh();
  expect(shown('acme')).toEqual(['https://media.test/secret']);
  expect(cache.find(of('globex'))).toMatchObject({ reason: expect.any(Function) });
  await planner.plan(of('globex'));
  await cache.refresh();
  expect(shown('globex')).toEqual(['https://media.test/own']);
  expect(cache.named('one').map(({ channel }) => channel.tenant)).toEqual(['acme', 'globex']);

  // One channel is deleted for good: the other's life continues.
  const { life } = cache.find(of('globex'))!.airing!;
  await channels.remove('acme', 'one');
  const restarted = openAir();
  await restarted.cache.refresh();
  expect(restarted.cache.named('one').map(({ airing }) => airing?.life)).toEqual([life]);
  for (const channel of await restarted.planner.channelsToPlan()) await restarted.planner.plan(channel);
  await restarted.cache.refresh();
  expect(restarted.cache.find(of('globex'))?.airing?.life).toBe(life);
  expect(await airings.current(of('acme'))).toBeUndefined();
  expect([...logged, ...restarted.logged]).toEqual([]);
});

test('the lives of deleted and disabled channels are ended, even if a process was killed meanwhile', async () => {
  const { channels, airings, planner } = openAir();
  for (const id of ['off', 'gone', 'on']) {
    await channels.insert({ ...channelOf('acme'), id });
    await planner.plan({ tenant: 'acme', id });
  }
  await channels.replace({ ...channelOf('acme'), id: 'off', state: 'disabled', version: 0 });
  const gone = { ref: 'gone', kind: 'channel', tenant: 'acme', id: 'gone' } as const;
  expect(await sqlDeletedRecords(sql).discard({ ...gone, deletedAt: now, deletedBy: 'ann' })).toBe(true);
  // Killed here.
  const restarted = openAir().planner;
  const due = await restarted.channelsToPlan();
  const ids = (some: readonly { id: string }[]) => new Set(some.map(({ id }) => id));
  expect(ids(due)).toEqual(new Set(['one', 'on', 'off', 'gone']));
  for (const channel of due) await restarted.plan(channel);
  const lives = async () => ids((await airings.versions()).map(({ channel }) => channel));
  pass(GRACE);
  await restarted.endSwitchedOff();
  expect(await lives()).toEqual(new Set(['one', 'on', 'off', 'gone']));
  pass(1);
  await openAir().planner.endSwitchedOff();
  expect(await lives()).toEqual(new Set(['one', 'on']));
  expect(ids(await restarted.channelsToPlan())).toEqual(new Set(['one', 'on']));
});

test('a channel that is disabled for less than the grace period continues its life, on every node and after a restart', async () => {
  const { channels, airings, planner } = openAir();
  const channel = { tenant: 'acme', id: 'pausing' };
  const set = async (state: Channel['state']) =>
    channels.replace({
      ...channelOf('acme'),
      ...channel,
      state,
      version: (await channels.find('acme', channel.id))!.version,
    });
  await channels.insert({ ...channelOf('acme'), ...channel });
  await planner.plan(channel);
  const before = await airings.current(channel);
  for (const disabledFor of [1000, GRACE - 1000, GRACE]) {
    await set('disabled');
    await planner.plan(channel);
    pass(disabledFor / 2);
    // A second node plans it later, again.
    await openAir().planner.plan(channel);
    pass(disabledFor / 2);
    await openAir().planner.endSwitchedOff();
    await set('enabled');
    const other = openAir();
    await other.planner.plan(channel);
    await other.cache.refresh();
    expect(other.cache.find(channel)?.airing?.life).toBe(before!.airing.life);
    expect(await airings.current(channel)).toEqual(before);
  }
});

test('the life of an enabled channel is never ended, in whatever order two nodes record the changes', async () => {
  const { channels, airings, planner } = openAir();
  const channel = { tenant: 'acme', id: 'overtaken' };
  await channels.insert({ ...channelOf('acme'), ...channel });
  await planner.plan(channel);
  const before = await airings.current(channel);
  // Recorded too late by another node.
  await airings.switchOff(channel, now);
  pass(GRACE + 1);
  await planner.endSwitchedOff();
  await planner.endSwitchedOff();
  expect(await airings.current(channel)).toEqual(before);
  expect(await airings.offSince(now)).not.toContainEqual(channel);
});

test('all nodes return the status written by the node that planned the channel', async () => {
  const { channels, playlists, planner } = openAir();
  const shared = item('shared');
  await playlists.insert(playlistOf('initech', shared));
  await channels.insert(channelOf('initech'));
  const other = openAir().planner;
  expect(await other.sharedStatus(of('initech'))).toBeUndefined();
  await planner.plan(of('initech'));
  const status = await planner.sharedStatus(of('initech'));
  expect(status).toMatchObject({ state: 'enabled', items: [{ index: 0, state: 'ready', duration: 10 }] });
  expect(await other.sharedStatus(of('initech'))).toEqual(status);
  const { items: _, ...state } = status!;
  expect(await other.sharedState(of('initech'))).toMatchObject(state);
  // After an edit planned by the other node, the first one returns the new status.
  const playlist = (await playlists.find('initech', 'main'))!;
  await playlists.replace({ ...playlist, contents: [shared, shared] });
  await other.plan(of('initech'), { fresh: true });
  expect((await planner.sharedStatus(of('initech')))?.items).toHaveLength(2);
  const channel = (await channels.find('initech', 'one'))!;
  await channels.replace({ ...channel, state: 'disabled' });
  await other.plan(of('initech'));
  expect(await planner.sharedStatus(of('initech'))).toBeUndefined();
});

test('a life whose slate is lost continues once it is made again; if the slate differs, a new life begins', async () => {
  const { channels, airings, planner } = openAir();
  const channel = { tenant: 'acme', id: 'lost' };
  await channels.insert({ ...channelOf('acme'), id: 'lost', playlistId: 'absent' });
  await planner.plan(channel);
  const lifeOf = async () => (await airings.current(channel))!.airing.life;
  const life = await lifeOf();

  let reads = 0;
  const remade = openAir(() => reads++ > 0);
  await remade.planner.plan(channel);
  expect(reads).toBeGreaterThan(1);
  expect(await lifeOf()).toBe(life);
  const other = openAir(() => false);
  await other.planner.plan(channel);
  expect(await lifeOf()).not.toBe(life);
  expect([...remade.logged, ...other.logged]).toEqual([]);
});

test.each([
  ['no slate can be made', { 'slate.mp4': 'full', 'built-in': 'full' }, [], ['full']],
  ['the own slate cannot be fetched', { 'slate.mp4': '503' }, ['slate'], ['503']],
])(
  'a channel is planned again when its slate failed, until that is made: %s',
  async (name, failing, during, reasons) => {
    const faults = new Map<string, string>(Object.entries(failing));
    const slateFault = (url?: string) => faults.get(url === undefined ? 'built-in' : url.replace(/.*\//, ''));
    const { channels, playlists, airings, planner, watch, planned, logged } = openAir(undefined, slateFault);
    const channel = { tenant: name, id: 'one' };
    await playlists.insert(playlistOf(name, item('retried', [{ spliceTime: 4 }])));
    await channels.insert({ ...channelOf(name), adSlateManifestUrl: 'https://media.test/slate.mp4' });
    const slates = async () => {
      const { slots } = (await airings.current(channel))!.editions.at(-1)!;
      return slots.flatMap((slot) => (slot.kind === 'break' ? [slot.slateId] : []));
    };
    await planner.plan(channel);
    expect(await slates()).toEqual(during);
    expect((await planner.sharedStatus(channel))?.stateReason).toEqual(naming(...reasons));
    const { life } = (await airings.current(channel))!.airing;
    pass(20_000);
    await watch();
    expect(planned.get(name)).toBeUndefined();
    faults.clear();
    pass(20_000);
    await watch();
    await planned.get(name);
    expect(await slates()).toEqual(['own']);
    const status = (await planner.sharedStatus(channel))!;
    expect([status.stateReason, status.retryAt]).toEqual([undefined, undefined]);
    expect((await airings.current(channel))!.airing.life).toBe(life);
    expect(logged).toEqual([]);
    await channels.remove(name, 'one');
  },
);

test('a change of the break duration changes the breaks on air whose cue points state none', async () => {
  const { channels, playlists, airings, planner } = openAir();
  const channel = { tenant: 'hooli', id: 'one' };
  const cuePoints = [{ spliceTime: 4 }, { spliceTime: -1, maxDuration: 5 }];
  await playlists.insert(playlistOf('hooli', item('open-ended', cuePoints)));
  await channels.insert(channelOf('hooli'));
  const breaks = async () => {
    await planner.plan(channel);
    const { slots } = (await airings.current(channel))!.editions.at(-1)!;
    return slots.flatMap((slot) => (slot.kind === 'break' ? [slot.frames] : []));
  };
  expect(await breaks()).toEqual([750, 125]);
  await channels.replace({ ...(await channels.find('hooli', 'one'))!, breakDuration: 12 });
  expect(await breaks()).toEqual([300, 125]);
});
