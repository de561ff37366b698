import { beforeAll, expect, test } from 'vitest';
import { onEachStore } from '../../../../test/servers/sqlStores.ts';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { defaultLadder } from '../../../planning/defaultLadder.ts';
import type { SessionState, SessionStore, StoredDecision } from '../../../sessions/ports.ts';
import { millis } from '../../../time/units.ts';
import { sqlAirings } from '../channels/sqlAirings.ts';
import type { Sql } from '../sql.ts';
import { sqlSessions } from './sqlSessions.ts';

let store: SessionStore;

const fresh = { segments: [0, 0], discontinuities: 0 };
async function open(id: string, tenant = 't'): Promise<SessionState> {
  const session = {
    ...{ id, channelId: 'c', tenant, life: 'l', format: 'hls' as const, openedAt: millis(0) },
    ...{ parameters: {}, viewer: { address: '', userAgent: '' } },
  };
  await store.create(session, fresh);
  return { session, decisions: [], odometer: fresh, foldedBefore: millis(0), isUnwatched: true };
}

const decision = (breakId: string, startsAt: number, mediaId = 'm'): StoredDecision => ({
  ...{ breakId, startsAt, joined: 0, ads: [{ adId: `${breakId}-0`, mediaId, frames: 250 }] },
  shift: { segments: [2, 3], discontinuities: 1 },
});
const story = (id: string): BreakRecord => ({
  ...{ id, startsAt: '', duration: 10, status: 'filled', warnings: [], ads: [], slate: 0 },
});

onEachStore((openStore) => {
  let sql: Sql;
  beforeAll(async () => {
    sql = await openStore();
    store = sqlSessions(sql);
  });

  test('what decide answers is what is stored, decision by decision, folding included', async () => {
    let state = await open('viewer');
    for (let number = 1; number <= 6; number += 1) {
      const startsAt = number * 100_000;
      const before = millis(Math.max(0, startsAt - 150_000));
      const next = await store.decide(state, decision(`1-${number}`, startsAt), story(`1-${number}`), before);
      expect(next).toEqual({ state: await store.find('viewer'), isFirst: true });
      state = next!.state;
    }
    expect(state.decisions.map(({ breakId }) => breakId)).toEqual(['1-5', '1-6']);
    expect(state.odometer).toEqual({ segments: [8, 12], discontinuities: 4 });
  });

  test('who was seen of late is counted by channel', async () => {
    for (const id of ['w1', 'w2', 'w3']) await open(id);
    await store.seen(['w1', 'w2'], millis(5000));
    expect(await store.watching('t', ['c', 'other'], millis(4000))).toEqual(new Map([['c', 2]]));
    expect(await store.watching('t', [], millis(0))).toEqual(new Map());
  });

  test('who reads while others decide and fold finds every decision once', async () => {
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
        state = (await store.decide(state, one, story(`1-${number}`), millis(number - (number % 8))))!.state;
        stored = number;
      }
      isDone = true;
    };
    await Promise.all([write(), read(), read(), read()]);
    expect(counted(state)).toBe(120);
  });

  test('the first writer wins, and both are told so', async () => {
    const state = await open('twice');
    const first = await store.decide(state, decision('1-1', 100, 'first'), story('1-1'), millis(0));
    const second = await store.decide(state, decision('1-1', 100, 'second'), story('other'), millis(0));
    expect([first?.isFirst, second?.isFirst]).toEqual([true, false]);
    expect(second?.state).toEqual(first?.state);
    expect(first?.state.decisions[0]?.ads[0]?.mediaId).toBe('first');
    expect((await store.breaks('twice', 10)).map(({ id }) => id)).toEqual(['1-1']);
  });

  test('two who fold at once fold once', async () => {
    let state = await open('folded');
    state = (await store.decide(state, decision('1-1', 100), story('1-1'), millis(0)))!.state;
    await store.decide(state, decision('1-2', 1000), story('1-2'), millis(500));
    const late = await store.decide(state, decision('1-3', 2000), story('1-3'), millis(500));
    expect(late).toEqual({ state: await store.find('folded'), isFirst: true });
    expect(late?.state.odometer).toEqual({ segments: [2, 3], discontinuities: 1 });
    expect(late?.state.decisions.map(({ breakId }) => breakId)).toEqual(['1-2', '1-3']);
  });

  test('each session ends once, whoever lets it go, and takes its records with it', async () => {
    for (let number = 0; number < 450; number += 1) await open(`old-${number}`);
    const kept = await open('young');
    await store.decide(kept, decision('1-1', 100), story('1-1'), millis(0));
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

  test('viewers of a channel that is switched off are not forgotten, until it has been on for as long as others', async () => {
    const airings = sqlAirings(sql);
    const off = { tenant: 't', id: 'off' };
    const life = { channelId: 'off', tenant: 't', life: 'off-life', startedAt: millis(0), ladder: defaultLadder };
    await airings.begin(life, []);
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
  });

  test('a session that nobody watches is forgotten before one that was watched once', async () => {
    for (const id of ['opened', 'watched', 'later']) await open(id);
    expect((await store.find('opened'))?.isUnwatched).toBe(true);
    await store.seen(['watched'], millis(0));
    expect((await store.find('watched'))?.isUnwatched).toBeUndefined();
    await sql.db.updateTable('sessions').set({ seen_at: 5000 }).where('id', '=', 'later').execute();
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

  test('who had a channel of the same id before has left no viewers to who has it now', async () => {
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
    // Of before there was a column.
    await sql.db.updateTable('sessions').set({ tenant: null }).where('id', '=', 'o3').execute();
    expect(await list('after')).toEqual([2, ['o4', 'o3']]);
  });

  test('one holder at a time has the right to request a break; the next one gets what came back', async () => {
    await open('claimed');
    const at = (now: number) => ({ at: millis(now), until: millis(now + 5000) });
    const claim = (holder: string, now: number) =>
      store.claim({ sessionId: 'claimed', breakId: '1-1', startsAt: 9000, holder, ...at(now) });
    const both = await Promise.all(['a', 'b', 'c'].map((holder) => claim(holder, 1000)));
    expect(both.map(({ isOurs }) => isOurs).sort()).toEqual([false, false, true]);
    const winner = ['a', 'b', 'c'][both.findIndex(({ isOurs }) => isOurs)]!;
    expect(await claim(winner, 2000)).toEqual({ isOurs: true });
    await store.keepAnswer({ sessionId: 'claimed', breakId: '1-1', holder: 'late' }, 'not theirs');
    await store.keepAnswer({ sessionId: 'claimed', breakId: '1-1', holder: winner }, 'what came');
    expect(await claim('d', 6999)).toEqual({ isOurs: false });
    expect(await claim('d', 7000)).toEqual({ isOurs: true, answer: 'what came' });
    expect(await claim(winner, 7001)).toEqual({ isOurs: false });
    const nobody = { sessionId: 'gone long ago', breakId: '1-1', startsAt: 9000, holder: 'a', ...at(1000) };
    expect(await store.claim(nobody)).toEqual({ isOurs: false });
  });

  test('what was shown while the store was away takes the place of what was stored', async () => {
    const state = await open('shown');
    await store.decide(state, decision('1-1', 100), story('1-1'), millis(0));
    const slate = (breakId: string, startsAt: number) => ({
      sessionId: 'shown',
      decision: { ...decision(breakId, startsAt), ads: [], isShown: true },
      record: { ...story(breakId), status: 'empty' as const },
    });
    const gone = { ...slate('1-1', 100), sessionId: 'gone long ago' };
    expect(await store.recordShown([slate('1-1', 100), slate('1-2', 200), gone])).toEqual([true, true, false]);
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

  test('an id that no session can have is nobody', async () => {
    expect(await store.find('a\0b')).toBeUndefined();
  });

  test('nothing is written of a session that is gone', async () => {
    const state = await open('gone');
    await store.expire(millis(1));
    expect(await store.decide(state, decision('1-1', 100), story('1-1'), millis(0))).toBeUndefined();
    expect(await store.breaks('gone', 10)).toEqual([]);
  });

  test('the stories of a session are bounded, in time and in number', async () => {
    const state = await open('long');
    for (let number = 0; number < 70; number += 1) {
      await store.decide(state, decision(`1-${number}`, 1_000_000 + number), story(`1-${number}`), millis(0));
    }
    const kept = await store.breaks('long', 500);
    expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([60, '1-10', '1-69']);
    await store.decide(state, decision('1-99', 8 * 3_600_000), story('1-99'), millis(0));
    expect((await store.breaks('long', 500)).map(({ id }) => id)).toEqual(['1-99']);
  });
});
