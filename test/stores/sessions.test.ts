// SPDX-License-Identifier: Apache-2.0
import { beforeAll, expect, test } from 'vitest';
import { sqlAirings } from '../../src/adapters/sql/channels/sqlAirings.ts';
import { sqlLiveFeeds } from '../../src/adapters/sql/live/sqlLiveFeeds.ts';
import type { BreakRecord } from '../../src/ads/record/breakRecord.ts';
import { defaultLadder } from '../../src/planning/airChannel.ts';
import type { Recorded, RecordedUntil, SessionState, SessionStore, StoredDecision } from '../../src/sessions/ports.ts';
import { millis } from '../../src/time/units.ts';
import { onEachSessionStore } from '../servers/sessionStores.ts';
import { grantOf, sessionOf } from './records.ts';

let store: SessionStore;

const fresh = { segments: [0, 0], discontinuities: 0 };
async function open(id: string, tenant = 't', openedAt = 0): Promise<SessionState> {
  const session = { ...sessionOf(id, millis(openedAt)), tenant };
  await store.create(session, fresh);
  return { session, decisions: [], odometer: fresh, foldedBefore: millis(0), isUnwatched: true };
}

const decision = (breakId: string, startsAt: number, mediaId = 'm'): StoredDecision => ({
  ...{ breakId, startsAt, joined: 0, ads: [{ adId: `${breakId}-0`, mediaId, frames: 250 }] },
  shift: { segments: [2, 3], discontinuities: 1 },
});
const record = (id: string): BreakRecord => ({
  ...{ id, startsAt: '', duration: 10, status: 'filled', warnings: [], ads: [], slate: 0 },
});

onEachSessionStore(':memory:', ({ sql, sessions }) => {
  beforeAll(() => {
    store = sessions;
  });

  test('decide returns the stored state, also when decisions are folded', async () => {
    let state = await open('viewer');
    for (let number = 1; number <= 6; number += 1) {
      const startsAt = number * 100_000;
      const before = millis(Math.max(0, startsAt - 150_000));
      const next = await store.decide(state, decision(`1-${number}`, startsAt), record(`1-${number}`), before);
      expect(next).toEqual({ state: await store.find('viewer'), isFirst: true });
      state = next!.state;
    }
    expect(state.decisions.map(({ breakId }) => breakId)).toEqual(['1-5', '1-6']);
    expect(state.odometer).toEqual({ segments: [8, 12], discontinuities: 4 });
  });

  test('what was recorded lately is read once more at most, for known sessions', async () => {
    const states = await Promise.all(['near', 'far'].map((id) => open(id)));
    const decide = (state: SessionState | undefined, breakId: string) =>
      store.decide(state!, decision(breakId, 10_000), record(breakId), millis(0));
    const read = async (ids: string[], since: RecordedUntil) => {
      const { decisions, until, isRead } = await store.recorded(new Set(ids), since);
      expect(ids.every(isRead)).toBe(true);
      return { until, found: decisions.map((one) => `${one.sessionId} ${one.decision.breakId}`) };
    };
    for (const state of states) await decide(state, '1');
    const first = await read(['near'], new Map());
    expect(first.found).toEqual(['near 1']);
    await decide(states[0], '2');
    expect((await read(['near', 'far'], first.until)).found).toContain('near 2');
    const later = new Map([...first.until].map(([part, at]) => [part, at + 2000]));
    expect((await read(['near'], later)).found).toEqual([]);
    await store.recordShown([{ sessionId: 'far', life: 'l', decision: decision('3', 10_000), record: record('3') }]);
    expect((await read(['far'], new Map())).found).toEqual(['far 1', 'far 3']);
  });

  test('a claim reports how much is recorded of its session, if it reports that at all', async () => {
    let state = await open('recorded');
    const claim = { sessionId: 'recorded', breakId: 'later', startsAt: 900_000, holder: 'a' };
    const recorded = async (at: number) =>
      ((await store.claim({ ...claim, at: millis(at), until: millis(at + 1) })) as { recorded?: Recorded }).recorded;
    for (const number of [0, 1, 2, 3]) {
      const kept = { decisions: state.decisions.length, foldedBefore: state.foldedBefore };
      expect([undefined, kept]).toContainEqual(await recorded(number));
      const startsAt = (number + 1) * 100_000;
      const before = millis(Math.max(0, startsAt - 150_000));
      const next = await store.decide(state, decision(`1-${number}`, startsAt), record(`1-${number}`), before);
      state = next!.state;
    }
    expect(state.foldedBefore).toBe(250_000);
  });

  test('the response of a claim is taken once, and only within its lease', async () => {
    await open('taking');
    const own = { sessionId: 'taking', breakId: 'prefetch', holder: 'h' };
    const claim = { ...own, startsAt: Number.MAX_SAFE_INTEGER, at: millis(1000), until: millis(2000) };
    expect(grantOf(await store.claim(claim))).toEqual({ isOurs: true });
    const take = (at: number) => store.takeResponse({ ...own, at: millis(at) });
    expect(await take(1500)).toBeUndefined();
    await store.storeResponse({ ...own, until: millis(5000) }, 'ads');
    expect(grantOf(await store.claim({ ...claim, holder: 'other', at: millis(4000) }))).toEqual({ isOurs: false });
    expect(await take(5000)).toBeUndefined();
    expect((await Promise.all([take(4999), take(4999)])).sort()).toEqual(['ads', undefined]);
    expect(grantOf(await store.claim({ ...claim, holder: 'other', at: millis(4999) }))).toEqual({ isOurs: true });
  });

  test('a response that was stored can be removed, and an expired one is returned with the claim', async () => {
    await open('removing');
    const own = { sessionId: 'removing', breakId: 'prefetch', holder: 'h' };
    const claim = { ...own, startsAt: 0, at: millis(1000), until: millis(2000) };
    await store.claim(claim);
    await store.storeResponse(own, 'ads');
    const again = { ...claim, holder: 'other', at: millis(2000), until: millis(3000) };
    expect(grantOf(await store.claim(again))).toEqual({ isOurs: true, response: 'ads' });
    await store.storeResponse({ ...own, holder: 'other' }, undefined);
    expect(grantOf(await store.claim({ ...again, at: millis(3000) }))).toEqual({ isOurs: true });
  });

  test('sessions that were seen recently are counted by channel', async () => {
    for (const id of ['w1', 'w2', 'w3']) await open(id);
    await store.seen(['w1', 'w2'], millis(5000));
    expect(await store.watching('t', ['c', 'other'], millis(4000))).toEqual(new Map([['c', 2]]));
    expect(await store.watching('t', [], millis(0))).toEqual(new Map());
  });

  test('a read during decisions and folds finds every decision once', async () => {
    let state = await open('busy');
    let stored = 0;
    let isDone = false;
    const counted = ({ decisions, odometer }: SessionState) =>
      decisions.reduce((sum, { shift }) => sum + shift.discontinuities, odometer.discontinuities);
    const read = async () => {
      while (!isDone) {
        const before = stored;
        const found = counted((await store.find('busy'))!);
        expect(found).toBeGreaterThanOrEqual(before);
      }
    };
    const write = async () => {
      for (let number = 1; number <= 120; number += 1) {
        const one = decision(`1-${number}`, number);
        state = (await store.decide(state, one, record(`1-${number}`), millis(number - (number % 8))))!.state;
        stored = number;
      }
      isDone = true;
    };
    await Promise.all([write(), read(), read(), read()]);
    expect(counted(state)).toBe(120);
  });

  test('the first of two decisions is stored, and both callers get it', async () => {
    const state = await open('twice');
    const first = await store.decide(state, decision('1-1', 100, 'first'), record('1-1'), millis(0));
    const second = await store.decide(state, decision('1-1', 100, 'second'), record('other'), millis(0));
    expect([first?.isFirst, second?.isFirst]).toEqual([true, false]);
    expect(second?.state).toEqual(first?.state);
    expect(first?.state.decisions[0]?.ads[0]?.mediaId).toBe('first');
    expect((await store.breaks('twice', 10)).map(({ id }) => id)).toEqual(['1-1']);
  });

  test('a decision is stored with its writer, also when it is settled', async () => {
    const state = await open('written');
    const own = { ...decision('1-1', 100), writer: 'w' };
    await store.decide(state, own, record('1-1'), millis(0));
    const other = await store.decide(state, { ...own, writer: 'v' }, record('1-1'), millis(0));
    expect([other?.isFirst, other?.state.decisions]).toEqual([false, [own]]);
    const settled = { ...own, settled: {} };
    await store.settle([{ sessionId: 'written', decision: settled }]);
    expect((await store.find('written'))?.decisions).toEqual([settled]);
  });

  test('concurrent folds fold once', async () => {
    let state = await open('folded');
    state = (await store.decide(state, decision('1-1', 100), record('1-1'), millis(0)))!.state;
    await store.decide(state, decision('1-2', 1000), record('1-2'), millis(500));
    const late = await store.decide(state, decision('1-3', 2000), record('1-3'), millis(500));
    expect(late).toEqual({ state: await store.find('folded'), isFirst: true });
    expect(late?.state.odometer).toEqual({ segments: [2, 3], discontinuities: 1 });
    expect(late?.state.decisions.map(({ breakId }) => breakId)).toEqual(['1-2', '1-3']);
  });

  test('each session expires in one process only, with its records', async () => {
    for (let number = 0; number < 450; number += 1) await open(`old-${number}`);
    const kept = await open('young');
    await store.decide(kept, decision('1-1', 100), record('1-1'), millis(0));
    await store.seen(['young'], millis(9000));
    const ended = (await Promise.all([1, 2, 3].map(() => store.expire(millis(8000))))).flat();
    expect(
      ended.filter(({ channelId, tenant, seenAt }) => channelId === 'c' && tenant === 't' && seenAt < 8000),
    ).toEqual(ended);
    const left = await store.list({ id: 'c', tenant: 't' }, { offset: 0, limit: 1 });
    expect([left.total, left.items[0]?.id]).toEqual([1, 'young']);
    expect(ended.length).toBeGreaterThanOrEqual(450);
    expect(await store.expire(millis(8000))).toEqual([]);
    expect(await store.breaks('young', 10)).toHaveLength(1);
    expect(await store.breaks('viewer', 10)).toEqual([]);
  });

  const life = { channelId: 'off', tenant: 't', life: 'off-life', startedAt: millis(0), ladder: defaultLadder };
  test.each([
    ['vod2live', () => sqlAirings(sql), () => sqlAirings(sql).begin(life, [])],
    [
      'live',
      () => sqlLiveFeeds(sql),
      () =>
        sqlLiveFeeds(sql).begin({
          ...{ ...life, format: 'hls', serves: 'hls', url: 'https://o.test/', rungs: [], slateId: 's' },
        }),
    ],
  ])(
    'sessions of a %s channel that is switched off do not expire until it has been on for the same time as others',
    async (_, lives, begin) => {
      const airings = lives();
      const off = { tenant: 't', id: 'off' };
      await begin();
      const { session } = await open('waiting');
      await store.create({ ...session, id: 'waits-off', channelId: 'off' }, fresh);
      const isKept = async () => (await store.find('waits-off')) !== undefined;
      await airings.switchOff(off, millis(1000));
      await store.expire(millis(5000));
      expect([await isKept(), await store.find('waiting')]).toEqual([true, undefined]);
      await airings.switchOn(off, millis(6000));
      await store.expire(millis(6000));
      expect(await isKept()).toBe(true);
      await store.expire(millis(6001));
      expect(await isKept()).toBe(false);
      await airings.end(off);
    },
  );

  test('an unwatched session expires before one that was watched', async () => {
    for (const id of ['opened', 'watched']) await open(id);
    await open('later', 't', 5000);
    expect((await store.find('opened'))?.isUnwatched).toBe(true);
    await store.seen(['watched'], millis(0));
    expect((await store.find('watched'))?.isUnwatched).toBeUndefined();
    const here = async () => {
      const found = await Promise.all(['opened', 'watched', 'later'].map(store.find));
      return found.map((state) => state !== undefined);
    };
    expect(await store.expire(millis(0), millis(4000))).toHaveLength(1);
    expect(await here()).toEqual([false, true, true]);
    await store.expire(millis(0), millis(6000));
    expect(await here()).toEqual([false, true, false]);
    // A viewer of a session that was removed gets an error.
    expect(await store.seen(['opened', 'watched'], millis(5000))).toBe(1);
    await store.expire(millis(6000));
  });

  test('sessions of an earlier tenant’s channel with the same id are not listed', async () => {
    for (const [id, tenant] of Object.entries({ o1: 'before', o2: 'before', o3: 'after', o4: 'after' })) {
      await open(id, tenant);
      await store.seen([id], millis(5000));
    }
    const list = async (tenant: string) => {
      const { total, items } = await store.list({ id: 'c', tenant }, { offset: 0, limit: 10 });
      return [total, items.map(({ id }) => id)];
    };
    expect([await list('before'), await list('after')]).toEqual([
      [2, ['o2', 'o1']],
      [2, ['o4', 'o3']],
    ]);
    expect(await store.watching('after', ['c'], millis(4000))).toEqual(new Map([['c', 2]]));
  });

  test('every page of a channel’s sessions is found, newest first, and a page beyond the last one is empty', async () => {
    const owner = { id: 'paged', tenant: 't' };
    const ids = Array.from({ length: 450 }, (_, index) => `p-${String(index).padStart(3, '0')}`);
    for (const [index, id] of ids.entries()) {
      // Several were opened in the same millisecond.
      const openedAt = millis(1_000_000 + Math.floor(index / 9) * 7);
      await store.create({ ...sessionOf(id, openedAt), channelId: owner.id, tenant: owner.tenant }, fresh);
    }
    const newestFirst = ids.toReversed();
    const offsets = [0, 1, 390, 400, 401, 402, 404, 405, 406, 440, 449, 450, 451, 999_999_999_999_999];
    for (const offset of offsets) {
      const { total, items } = await store.list(owner, { offset, limit: 20 });
      expect([total, items.map(({ id }) => id)], `${offset}`).toEqual([450, newestFirst.slice(offset, offset + 20)]);
    }
    expect(await store.list({ ...owner, id: 'none' }, { offset: 500, limit: 20 })).toEqual({ total: 0, items: [] });
  });

  test('a break is claimed by one holder at a time; the next one gets the kept response', async () => {
    await open('claimed');
    const at = (now: number) => ({ at: millis(now), until: millis(now + 5000) });
    const claim = (holder: string, now: number) =>
      store.claim({ sessionId: 'claimed', breakId: '1-1', startsAt: 9000, holder, ...at(now) });
    const both = await Promise.all(['a', 'b', 'c'].map((holder) => claim(holder, 1000)));
    expect(both.map(({ isOurs }) => isOurs).sort()).toEqual([false, false, true]);
    const winner = ['a', 'b', 'c'][both.findIndex(({ isOurs }) => isOurs)]!;
    expect(grantOf(await claim(winner, 2000))).toEqual({ isOurs: true });
    await store.storeResponse({ sessionId: 'claimed', breakId: '1-1', holder: 'late' }, 'not theirs');
    await store.storeResponse({ sessionId: 'claimed', breakId: '1-1', holder: winner }, 'what came');
    expect(grantOf(await claim('d', 6999))).toEqual({ isOurs: false });
    expect(grantOf(await claim('d', 7000))).toEqual({ isOurs: true, response: 'what came' });
    expect(grantOf(await claim(winner, 7001))).toEqual({ isOurs: false });
    const removed = { sessionId: 'removed', breakId: '1-1', startsAt: 9000, holder: 'a', ...at(1000) };
    expect(grantOf(await store.claim(removed))).toEqual({ isOurs: false });
  });

  test('a break shown during an outage replaces the stored one', async () => {
    const state = await open('shown');
    await store.decide(state, decision('1-1', 100), record('1-1'), millis(0));
    const slate = (breakId: string, startsAt: number) => ({
      sessionId: 'shown',
      life: 'l',
      decision: { ...decision(breakId, startsAt), ads: [], isShown: true },
      record: { ...record(breakId), status: 'empty' as const },
    });
    const removed = { ...slate('1-1', 100), sessionId: 'removed' };
    expect(await store.recordShown([slate('1-1', 100), slate('1-2', 200), removed])).toEqual([true, true, false]);
    expect(await store.recordShown([slate('1-2', 200)])).toEqual([false]);
    const { decisions } = (await store.find('shown'))!;
    expect(decisions.map(({ breakId, ads, isShown }) => [breakId, ads, isShown])).toEqual([
      ['1-1', [], true],
      ['1-2', [], true],
    ]);
    expect((await store.breaks('shown', 9)).map(({ id, status }) => [id, status])).toEqual([
      ['1-1', 'empty'],
      ['1-2', 'empty'],
    ]);
  });

  test('an impossible id finds no session', async () => {
    expect(await store.find('a\0b')).toBeUndefined();
  });

  test('nothing is stored for a removed session', async () => {
    const state = await open('gone');
    await store.expire(millis(1));
    expect(await store.decide(state, decision('1-1', 100), record('1-1'), millis(0))).toBeUndefined();
    expect(await store.breaks('gone', 10)).toEqual([]);
  });

  test('the break records of a session are limited in age and number', async () => {
    const state = await open('long');
    for (let number = 0; number < 70; number += 1) {
      await store.decide(state, decision(`1-${number}`, 1_000_000 + number), record(`1-${number}`), millis(0));
    }
    const kept = await store.breaks('long', 500);
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([60, '1-10', '1-69']);
    await store.decide(state, decision('1-99', 8 * 3_600_000), record('1-99'), millis(0));
    expect((await store.breaks('long', 500)).map(({ id }) => id)).toEqual(['1-99']);
  });
});
