// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { beaconOf, fresh, sessionOf } from '../../../../test/stores/records.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { BeaconFilter, Settlement } from '../../../tracking/beacons/beacon.ts';
import { sqlSessions } from '../sessions/sqlSessions.ts';
import { sqlBeacons } from './sqlBeacons.ts';

const at = (value: number): Millis => millis(value);
const all: BeaconFilter = { tenant: 't', from: at(0), to: at(1e12) };

onEachOpenStore((sql, { name }) => {
  const store = sqlBeacons(sql);
  beforeEach(() => sql.db.deleteFrom('beacons').execute());
  const rows = (filter: Partial<BeaconFilter> = {}) => store.list({ ...all, ...filter }, undefined, 1000);

  test('a beacon is recorded once, also if another process records it with other data', async () => {
    const other = sqlBeacons(sql);
    await Promise.all([
      store.record([beaconOf(0), beaconOf(1)]),
      other.record([beaconOf(1, { url: 'https://b.test/x' })]),
    ]);
    await other.record([beaconOf(0, { url: 'https://b.test/other' })]);
    expect((await rows()).map(({ url }) => url)[0]).toBe('https://a.test/0');
    expect(await rows()).toHaveLength(2);
  });

  test('an impossibly long host name does not affect other beacons', async () => {
    const long = Array.from({ length: 600 }, (_, index) => Math.imul(index + 1, 2654435761).toString(36)).join('');
    await store.record([beaconOf(0), beaconOf(1, { url: `https://${long}.test/` })]);
    expect((await rows()).map(({ host }) => host)).toEqual(['a.test', '']);
  });

  test('a beacon is claimed by one process, the longest due first, and not before it is due', async () => {
    const beacons = Array.from({ length: 200 }, (_, nth) => beaconOf(nth, { dueAt: at(1000 - nth) }));
    await store.record([...beacons, beaconOf(999, { dueAt: at(5000) })]);
    expect(await store.dueHosts(at(800))).toEqual([]);
    expect(await store.dueHosts(at(801))).toEqual(['a.test']);
    const [first] = await store.claim('a.test', 1, at(2000), at(9000));
    expect(first).toMatchObject({ url: 'https://a.test/199', attempts: 1, host: 'a.test' });
    expect(first!.viewer).toEqual({ address: '192.0.2.7', userAgent: expect.stringContaining('Ünï "TV"') });
    const processes = [store, sqlBeacons(sql), sqlBeacons(sql)];
    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, index) => processes[index % 3]!.claim('a.test', 10, at(2000), at(9000))),
    );
    const seqs = claims.flat().map(({ seq }) => seq);
    expect(new Set(seqs).size).toBe(seqs.length);
    // A process may have found all of the first rows claimed; the rest remains for the next claim.
    const rest = await store.claim('a.test', 300, at(2000), at(9000));
    expect(seqs.length + rest.length).toBe(199);
    expect(await store.dueHosts(at(2000))).toEqual([]);
  });

  test('an expired claim is taken over, and its attempt counts as unsure', async () => {
    await store.record([beaconOf(0)]);
    await store.claim('a.test', 9, at(1000), at(2000));
    expect(await store.claim('a.test', 9, at(1999), at(3000))).toEqual([]);
    const [again] = await store.claim('a.test', 9, at(2000), at(3000));
    expect(again).toMatchObject({ attempts: 2 });
    await store.settle({ seq: again!.seq, at: at(2100), outcome: 'sent', status: 204 });
    expect((await rows())[0]).toMatchObject({ outcome: 'sent', unsure: 1, attempts: 2, status: 204, settledAt: 2100 });
  });

  test('a failed attempt is retried later, an unsure one is counted, and a final outcome stays', async () => {
    await store.record([beaconOf(0), beaconOf(1), beaconOf(2)]);
    const claimed = await store.claim('a.test', 9, at(1000), at(2000));
    // The order of beacons that are due at the same time is undefined.
    const bySeq = (a: { seq: number }, b: { seq: number }) => a.seq - b.seq;
    const [one, two, three] = claimed.sort(bySeq).map(({ seq }) => seq) as [number, number, number];
    const later = { at: at(1100), outcome: 'later', dueAt: at(4000), attempts: 1 } as const;
    const settlements: Settlement[] = [
      { ...later, seq: one, error: 'returned status 500', status: 500, isUnsure: false },
      { ...later, seq: two, error: 'reset the connection', isUnsure: true },
      { seq: three, at: at(1100), outcome: 'failed', status: 404, error: 'returned status 404' },
    ];
    await Promise.all(settlements.map(store.settle));
    expect(await store.dueHosts(at(3999))).toEqual([]);
    const again = await store.claim('a.test', 9, at(4000), at(5000));
    expect(again.sort(bySeq).map(({ seq, attempts }) => [seq, attempts])).toEqual([one, two].map((seq) => [seq, 2]));
    // Late settlements of an expired claim: the time of a retry is ignored, a success is recorded.
    await store.settle({ ...later, seq: one, error: 'late', isUnsure: true });
    await store.settle({ seq: two, at: at(4100), outcome: 'sent', status: 200 });
    await store.settle({ seq: two, at: at(4200), outcome: 'failed', error: 'late' });
    const found = await rows();
    expect(found.map(({ outcome, unsure, attempts }) => [outcome, unsure, attempts])).toEqual([
      ['pending', 0, 2],
      ['sent', 1, 2],
      ['failed', 0, 1],
    ]);
    expect(found[0]!.error).toBe('returned status 500');
  });

  test('a beacon keeps its due time through claims, retries and settlement', async () => {
    await store.record([beaconOf(0, { dueAt: at(1000) }), beaconOf(1, { dueAt: at(1500) })]);
    const dues = async () => (await rows()).map(({ dueAt }) => dueAt);
    const claimed = await store.claim('a.test', 9, at(2000), at(32_000));
    expect(await dues()).toEqual([1000, 1500]);
    for (const { seq } of claimed) {
      await store.settle({ seq, at: at(2100), outcome: 'later', dueAt: at(4000), isUnsure: false, attempts: 1 });
    }
    expect(await dues()).toEqual([1000, 1500]);
    expect(await store.dueHosts(at(3999))).toEqual([]);
    for (const { seq } of await store.claim('a.test', 9, at(4000), at(34_000))) {
      await store.settle({ seq, at: at(4100), outcome: 'sent', status: 204 });
    }
    expect((await rows()).map(({ dueAt, settledAt }) => [dueAt, settledAt])).toEqual([
      [1000, 4100],
      [1500, 4100],
    ]);
  });

  test('reading many rows leaves turns for other work, and returns each row once', async () => {
    const isRare = (nth: number) => nth % 1000 === 999;
    const many = Array.from({ length: 12_000 }, (_, nth) =>
      beaconOf(nth, { url: `https://${isRare(nth) ? 'b' : 'a'}.test/`, recordedAt: at(100 + Math.floor(nth / 7)) }),
    );
    await store.record(many);
    let turns = 0;
    let ticking = setImmediate(function tick() {
      turns += 1;
      ticking = setImmediate(tick);
    });
    const found = await rows({ host: 'b.test' });
    const hosts = await store.hosts('t', at(0), at(1e12));
    clearImmediate(ticking);
    expect(found.map(({ event, url }) => [event, url])).toEqual(new Array(12).fill(['start', 'https://b.test/']));
    expect(new Set(found.map(({ seq }) => seq)).size).toBe(12);
    expect(hosts.map(({ host, pending }) => [host, pending])).toEqual([
      ['a.test', 11_988],
      ['b.test', 12],
    ]);
    // PostgreSQL returns each of the two results in one turn, from another process.
    expect(turns).toBeGreaterThanOrEqual(name === 'SQLite' ? 4 : 2);
    expect(await store.list(all, undefined, 20_000)).toHaveLength(12_000);
  });

  test('lists contain one tenant’s beacons, filtered, in pages without gaps', async () => {
    const many = Array.from({ length: 25 }, (_, nth) =>
      beaconOf(nth, { recordedAt: at(100 + Math.floor(nth / 7)), url: `https://${nth % 2 ? 'a' : 'b'}.test/${nth}` }),
    );
    await store.record([...many, beaconOf(0, { tenant: 'other', sessionId: 'x' })]);
    const seen: number[] = [];
    let after: { recordedAt: number; seq: number } | undefined;
    for (;;) {
      const page = await store.list(all, after, 4);
      seen.push(...page.map(({ seq }) => seq));
      if (page.length < 4) break;
      after = page.at(-1);
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
    expect(await rows({ host: 'a.test' })).toHaveLength(12);
    expect(await rows({ outcome: 'sent' })).toHaveLength(0);
    expect(await rows({ outcome: 'pending', sessionId: 's', channelId: 'c' })).toHaveLength(25);
    expect(await rows({ from: at(101), to: at(102) })).toHaveLength(7);
    expect(await store.hosts('t', at(0), at(1e9))).toEqual([
      { host: 'a.test', pending: 12, sent: 0, recovered: 0, failed: 0, unsure: 0 },
      { host: 'b.test', pending: 13, sent: 0, recovered: 0, failed: 0, unsure: 0 },
    ]);
  });

  test('old rows are removed, recent ones stay', async () => {
    await store.record([beaconOf(0), beaconOf(1, { recordedAt: at(9000) })]);
    expect(await store.forget(at(5000))).toBe(1);
    expect((await rows()).map(({ url }) => url)).toEqual(['https://a.test/1']);
  });

  test('old rows of a VoD session stay as long as it exists, and do not keep those of others', async () => {
    const sessions = sqlSessions(sql);
    await sessions.create(sessionOf('vod', at(0), { assets: [], keepUntil: at(9000) }), fresh);
    await sessions.create(sessionOf('live'), fresh);
    await store.record([beaconOf(0, { sessionId: 'vod' }), beaconOf(1, { sessionId: 'live' })]);
    expect(await store.forget(at(5000))).toBe(1);
    expect((await rows()).map(({ sessionId }) => sessionId)).toEqual(['vod']);
    await sessions.expire(at(1), at(1), { now: at(9001), unwatchedBefore: at(1) });
    expect(await store.forget(at(5000))).toBe(1);
  });
});
