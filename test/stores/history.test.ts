// SPDX-License-Identifier: Apache-2.0
// What sessions leave behind: in the history, once, whichever store they were in and however often it is interrupted.
import { beforeEach, expect, test } from 'vitest';
import { pack, unpack } from '../../src/adapters/packJson.ts';
import { sqlChannels } from '../../src/adapters/sql/channels/sqlChannels.ts';
import { sqlDeliveries } from '../../src/adapters/sql/tracking/sqlDeliveries.ts';
import type { AdRecord, BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { composeHistory } from '../../src/platform/history/composeHistory.ts';
import { type ArchiveDeps, createArchive } from '../../src/platform/history/rules/archive.ts';
import { type SessionSearch, searchSessions } from '../../src/platform/history/rules/searchSessions.ts';
import { sqlHistory } from '../../src/platform/history/store/sqlHistory.ts';
import { findStoredBreak } from '../../src/platform/tries/rules/storedBreak.ts';
import { traceSession } from '../../src/playback/view/trace.ts';
import type { SessionFilter } from '../../src/sessions/history/ports.ts';
import type { SessionState, StoredDecision } from '../../src/sessions/ports.ts';
import type { Session } from '../../src/sessions/session.ts';
import { MAX_BREAKS } from '../../src/sessions/sessionRules.ts';
import { millis } from '../../src/time/units.ts';
import { createVirtualClock } from '../clock/virtualClock.ts';
import { onEachSessionStore } from '../servers/sessionStores.ts';
import { sessionOf } from './records.ts';

const HOUR = 3_600_000;
const START = Date.parse('2026-03-01T12:00:00Z');
const odometer = { segments: [0], discontinuities: 0 };

const ad = (adId: string, duration: number): AdRecord => ({ adId, duration, outcome: 'stitched' });
const record = (id: string, startsAt: number, status: BreakRecord['status'] = 'filled'): BreakRecord => ({
  ...{ id, startsAt: new Date(startsAt).toISOString(), duration: 30, status, warnings: [] },
  response: { bytes: 4000, raw: '<VAST>'.repeat(600) },
  ads: status === 'empty' ? [] : [ad(`${id}-0`, status === 'filled' ? 30 : 10)],
  ...(status === 'empty' ? { slate: 30, reason: { code: 'noAds', text: 'No ads.' } } : { slate: 0 }),
});
const decision = (breakId: string, startsAt: number): StoredDecision => ({
  ...{ breakId, startsAt, joined: 0, ads: [] },
  shift: { segments: [0], discontinuities: 0 },
});

onEachSessionStore(
  ':memory:',
  (stores) => {
    const { sql, aside, confirmations } = stores;
    const clock = createVirtualClock(millis(START));
    const config = { TRACE_RETENTION: 7, TRACE_MAX_MB: 100 };
    const services = { sql, channels: sqlChannels(sql), config, now: clock.now };
    const history = composeHistory(services, stores, sqlDeliveries(sql));
    const effects = { history: sqlHistory(sql), deliveries: sqlDeliveries(sql), compress: pack, keepsTraces: true };
    const deps: ArchiveDeps = { aside, confirmations, ...effects };
    let count = 0;
    let tenant: string;
    beforeEach(async () => {
      count += 1;
      tenant = `tenant-${count}`;
      const { db } = stores.sql;
      await db.insertInto('tenants').values({ name: tenant, created_at: '', created_by: '' }).execute();
      const listed = { name_key: '', kind: '', status: '', changed_at: '' };
      const channel = { tenant, version: 0, body: '{}', state: 'enabled', playlist_id: null, ...listed };
      for (const name of ['c', 'd'])
        await db
          .insertInto('channels')
          .values({ ...channel, id: name, key_hash: `${name} ${tenant}` })
          .execute();
    });

    async function open(
      id: string,
      openedAt = START,
      channelId = 'c',
      guided: Pick<Session, 'guided'> = {},
    ): Promise<SessionState> {
      const session = {
        ...sessionOf(id, millis(openedAt)),
        ...guided,
        channelId,
        tenant,
        parameters: { viewer: `of ${id}`, odd: 'a=b\n&' },
        viewer: { address: '192.0.2.7', userAgent: 'Player/1' },
      };
      await stores.sessions.create(session, odometer);
      await stores.sessions.seen([id], millis(openedAt + 60_000));
      return { session, decisions: [], odometer, foldedBefore: millis(0) };
    }
    const decide = (state: SessionState, one: BreakRecord) => {
      const startsAt = Date.parse(one.startsAt);
      return stores.sessions.decide(state, decision(one.id, startsAt), one, millis(0));
    };
    const expire = (before: number) =>
      stores.sessions.expire(millis(before), millis(before), { now: millis(before), unwatchedBefore: millis(0) });
    const archive = () => createArchive(deps)();
    const trace = (id: string) =>
      traceSession({ ...stores, deliveries: sqlDeliveries(stores.sql), past: history.traces }, id, tenant);
    const all = (): SessionFilter => ({ tenant, from: 0, to: 8e15 });
    const searchPast = (given: SessionSearch) =>
      searchSessions({ living: stores.living, history: sqlHistory(stores.sql) }, given);
    const search = (filter: Partial<SessionFilter> = {}) => searchPast({ filter: { ...all(), ...filter }, limit: 20 });
    const idsOf = async (filter: Partial<SessionFilter>) =>
      (await search(filter)).items.map(({ session }) => session.id);
    const rows = async () => {
      const { db } = stores.sql;
      const of = async (table: 'past_sessions' | 'past_breaks') =>
        Number(
          (
            await db
              .selectFrom(table)
              .select(({ fn }) => fn.countAll().as('n'))
              .where('tenant', '=', tenant)
              .executeTakeFirst()
          )?.n,
        );
      return { sessions: await of('past_sessions'), breaks: await of('past_breaks') };
    };
    const id = (name: string) => `${name}-${tenant}`;

    test('an ended session has the same trace as before, and when it ended', async () => {
      const state = await open(id('ann'), START, 'c', { guided: { keepUntil: millis(START + HOUR / 2) } });
      await decide(state, record('1-0', START + 10_000));
      await decide(state, record('1-1', START + 50_000, 'empty'));
      await stores.confirmations.add(id('ann'), [
        { breakId: '1-0', adId: '1-0-0', event: 'start', at: millis(START + 11_000) },
      ]);
      const before = await trace(id('ann'));
      expect(before).toMatchObject({ insertion: 'guided' });
      expect(before).not.toHaveProperty('endedAt');
      expect(await expire(START + HOUR)).toHaveLength(1);
      await archive();
      expect(await stores.sessions.find(id('ann'))).toBeUndefined();
      expect(await stores.sessions.breaks(id('ann'), 10)).toEqual([]);
      expect(await stores.confirmations.ofSession(id('ann'))).toEqual([]);
      expect(await trace(id('ann'))).toEqual({ ...before, endedAt: new Date(START + 60_000).toISOString() });
      expect(
        await traceSession(
          { ...stores, deliveries: deps.deliveries as never, past: history.traces },
          id('ann'),
          'other',
        ),
      ).toBeUndefined();
    });

    test('a session that lives keeps the breaks that its store removes', async () => {
      let state = await open(id('long'));
      const total = MAX_BREAKS + 5;
      for (let index = 0; index < total; index += 1) {
        const at = START + index * 60_000;
        state = (await decide(state, record(`1-${index}`, at)))!.state;
      }
      await archive();
      expect(await rows()).toEqual({ sessions: 0, breaks: 5 });
      expect(await stores.sessions.breaks(id('long'), 500)).toHaveLength(MAX_BREAKS);
      const traced = await trace(id('long'));
      expect(traced!.breaks.map((one) => one.id)).toEqual(Array.from({ length: total }, (_, index) => `1-${index}`));
      const [found] = (await search()).items;
      expect(found).toMatchObject({ hasEnded: false, session: { id: id('long') } });
      expect(found!.breaks).toHaveLength(total);
      const first = await findStoredBreak(stores.sessions, history.breaks)(id('long'), '1-0', tenant);
      expect(first).toMatchObject({ session: { life: 'l' }, record: { id: '1-0' } });
      await expire(START + 48 * HOUR);
      await archive();
      expect(await rows()).toEqual({ sessions: 1, breaks: total });
      expect(await trace(id('long'))).toMatchObject({ breaks: traced!.breaks });
      // All of it is kept as long as the end of the session.
      const kept = await stores.sql.db
        .selectFrom('past_breaks')
        .select('kept_from')
        .where('tenant', '=', tenant)
        .distinct()
        .execute();
      expect(kept.map(({ kept_from }) => Number(kept_from))).toEqual([START + 48 * HOUR]);
    });

    test('a break can be replayed from its whole record, before its session has ended, while it ends, and after', async () => {
      const shown: AdRecord = {
        ...ad('1-0-a', 30),
        vast: {
          ...{ kind: 'inLine', id: 'a', impressions: [], errors: [], creatives: [], extensions: [] },
        } as unknown as NonNullable<AdRecord['vast']>,
      };
      const whole = { ...record('1-0', START + 10_000), ads: [shown], limits: { duration: 25 } };
      await decide(await open(id('replayed')), whole);
      await stores.confirmations.add(id('replayed'), [
        { breakId: '1-0', adId: '', event: 'breakStart', at: millis(START + 11_000) },
        { breakId: '1-0', adId: '1-0-a', event: 'start', at: millis(START + 11_000) },
      ]);
      const find = (breakId = '1-0', of = tenant) =>
        findStoredBreak(stores.sessions, history.breaks)(id('replayed'), breakId, of);
      expect(await find()).toMatchObject({ record: whole });
      await expire(START + HOUR);
      if (stores.keepsInSql) expect(await find()).toMatchObject({ record: whole });
      await archive();
      expect(await find()).toEqual({
        session: {
          ...{ id: id('replayed'), channelId: 'c', tenant, format: 'hls', openedAt: START },
          ...{ parameters: expect.objectContaining({ odd: 'a=b\n&' }), viewer: expect.anything() },
        },
        record: whole,
      });
      expect((await trace(id('replayed')))!.breaks[0]!.ads[0]).not.toHaveProperty('vast');
      expect([await find('1-1'), await find('1-0', 'other')]).toEqual([undefined, undefined]);
    });

    test('nothing is lost or stored twice if nodes do it at once, or end before they are done', async () => {
      for (let index = 0; index < 30; index += 1) {
        const state = await open(id(`v${index}`), START + index);
        await decide(state, record('1-0', START + 10_000));
      }
      const ended = (await Promise.all([expire(START + HOUR), expire(START + HOUR)])).flat();
      expect(ended).toHaveLength(30);
      // One ends after it has stored a batch.
      const interrupted = {
        ...stores.aside,
        take: async () => {
          const batch = await stores.aside.take();
          return batch && { ...batch, done: () => Promise.reject(new Error('killed')) };
        },
      };
      await expect(createArchive({ ...deps, aside: interrupted })()).rejects.toThrow('killed');
      await Promise.all([archive(), archive()]);
      await archive();
      expect(await rows()).toEqual({ sessions: 30, breaks: 30 });
      expect(await stores.aside.take()).toBeUndefined();
    });

    test('sessions are found by what is known of them, living and ended ones alike', async () => {
      const [early, late, living] = [
        await open(id('early'), START - 3 * HOUR),
        await open(id('late'), START, 'd'),
        await open(id('living'), START + 2 * HOUR),
      ];
      await decide(early, record('1-0', START - 3 * HOUR + 20_000, 'empty'));
      await decide(late, record('1-1', START + 20_000, 'partial'));
      await expire(START + HOUR);
      await archive();
      await decide(living, record('1-2', START + 2 * HOUR + 30_000, 'empty'));
      expect(await idsOf({})).toEqual([id('living'), id('late'), id('early')]);
      expect(await idsOf({ channelId: 'd' })).toEqual([id('late')]);
      expect(await idsOf({ channelIds: ['d', 'none'] })).toEqual([id('late')]);
      expect(await idsOf({ channelIds: ['c', 'd'] })).toEqual([id('living'), id('late'), id('early')]);
      expect(await idsOf({ channelId: 'd', channelIds: ['c'] })).toEqual([]);
      expect(await idsOf({ from: START - HOUR, to: START + HOUR })).toEqual([id('late')]);
      expect(await idsOf({ to: START })).toEqual([id('early')]);
      expect(await idsOf({ from: START + HOUR })).toEqual([id('living')]);
      expect(await idsOf({ breaks: { status: 'empty' } })).toEqual([id('living'), id('early')]);
      expect(await idsOf({ breaks: { reason: 'noAds' }, to: START })).toEqual([id('early')]);
      expect(await idsOf({ breaks: { status: 'partial', reason: 'noAds' } })).toEqual([]);
      expect(await idsOf({ parameter: { name: 'viewer', value: `of ${id('late')}` } })).toEqual([id('late')]);
      expect(await idsOf({ parameter: { name: 'viewer', value: 'of' } })).toEqual([]);
      expect(await idsOf({ parameter: { name: 'odd', value: 'a=b\n&' } })).toHaveLength(3);
      expect(await idsOf({ address: '192.0.2.7', userAgent: 'pLAYER' })).toHaveLength(3);
      expect(await idsOf({ address: '192.0.2.70' })).toEqual([]);
      expect(await idsOf({ userAgent: 'Player%' })).toEqual([]);
      expect(await idsOf({ idPrefix: 'l' })).toEqual([id('living'), id('late')]);
      expect(await idsOf({ idPrefix: id('early') })).toEqual([id('early')]);
      expect(await idsOf({ tenant: 'other' })).toEqual([]);
      const [found] = (await search({ idPrefix: id('late') })).items;
      expect(found).toMatchObject({
        seenAt: START + 60_000,
        hasEnded: true,
        session: { parameters: late.session.parameters },
      });
      expect(found!.breaks).toEqual([
        { id: '1-1', startsAt: START + 20_000, duration: 30, status: 'partial', filled: 10, shown: 1, skipped: 0 },
      ]);
    });

    test('pages contain each session once, also if it ends in between', async () => {
      const names = Array.from({ length: 25 }, (_, index) => id(`p${String(index).padStart(2, '0')}`));
      for (const [index, name] of names.entries()) await open(name, START + Math.floor(index / 3) * HOUR);
      await expire(START + 3 * HOUR);
      await archive();
      const found: string[] = [];
      let cursor = {};
      for (let page = 0; ; page += 1) {
        const { items, next } = await searchPast({ filter: all(), limit: 4, cursor });
        found.push(...items.map(({ session }) => session.id));
        if (next === undefined) break;
        cursor = next;
        if (page === 1) {
          await expire(START + 6 * HOUR);
          await archive();
        }
      }
      expect(found).toHaveLength(25);
      expect(new Set(found)).toEqual(new Set(names));
    });

    test('what is old is removed, then the oldest of what is too large, with everything that belongs to it', async () => {
      const { prune } = sqlHistory(stores.sql);
      await prune(millis(Number.MAX_SAFE_INTEGER), 0);
      for (let day = 0; day < 4; day += 1) {
        const state = await open(id(`day${day}`), START + day * 24 * HOUR);
        await decide(state, record('1-0', START + day * 24 * HOUR + 10_000));
        await expire(START + day * 24 * HOUR + HOUR);
        await archive();
      }
      expect(await prune(millis(START + 24 * HOUR), 1e9)).toBe(false);
      expect(await idsOf({})).toEqual([id('day3'), id('day2'), id('day1')]);
      const size = async () =>
        Number((await stores.sql.db.selectFrom('past_size').select('bytes').executeTakeFirst())!.bytes);
      const full = await size();
      expect(full).toBeGreaterThan(3 * 250);
      expect(await prune(millis(0), full)).toBe(false);
      expect(await rows()).toEqual({ sessions: 3, breaks: 3 });
      await prune(millis(0), full - 1);
      expect(await size()).toBeLessThan(full);
      await prune(millis(0), 0);
      expect([await size(), await rows()]).toEqual([0, { sessions: 0, breaks: 0 }]);
    });

    test('without a retention, what was set aside is removed, and nothing is kept', async () => {
      await decide(await open(id('gone')), record('1-0', START + 10_000));
      await expire(START + HOUR);
      await createArchive({ ...deps, keepsTraces: false })();
      await sqlHistory(stores.sql).prune(millis(Number.MAX_SAFE_INTEGER), 1e9);
      expect(await stores.aside.take()).toBeUndefined();
      expect(await rows()).toEqual({ sessions: 0, breaks: 0 });
      expect(await trace(id('gone'))).toBeUndefined();
    });

    test('nothing is kept of a tenant that was removed meanwhile', async () => {
      await decide(await open(id('orphan')), record('1-0', START + 10_000));
      await stores.sql.db.deleteFrom('tenants').where('name', '=', tenant).execute();
      await expire(START + HOUR);
      await archive();
      expect(await rows()).toEqual({ sessions: 0, breaks: 0 });
      expect(await stores.aside.take()).toBeUndefined();
    });

    test('bodies are compressed', async () => {
      const body = record('1-0', START);
      const packed = await pack(body);
      expect(packed.length).toBeLessThan(JSON.stringify(body).length / 4);
      expect(await unpack(packed)).toEqual(body);
    });
  },
  true,
);
