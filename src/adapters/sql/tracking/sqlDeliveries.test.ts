// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { fresh, sessionOf } from '../../../../test/stores/records.ts';
import { deliveredSegments, isRequested } from '../../../ads/record/delivery.ts';
import { millis } from '../../../time/units.ts';
import type { Mark } from '../../../tracking/deliveries/ports.ts';
import { sqlSessions } from '../sessions/sqlSessions.ts';
import { sqlDeliveries } from './sqlDeliveries.ts';

const grid = (count: number) => Array.from({ length: count }, (_, index) => 2000 * (index + 1));
const mark = (sessionId: string, segments: number[], more: Partial<Mark> = {}): Mark => ({
  sessionId,
  adId: '1-2-0',
  ends: grid(70),
  kind: 'pictures',
  segments,
  at: millis(1000),
  ...more,
});

onEachOpenStore((sql) => {
  const store = sqlDeliveries(sql);

  test('segments are stored across rows, kinds and processes', async () => {
    const other = sqlDeliveries(sql);
    await store.mark(mark('s', [0, 29]));
    await other.mark(mark('s', [30, 61], { at: millis(2000) }));
    const { after, firstAt } = await store.mark(mark('s', [31], { kind: 'sound', at: millis(3000) }));
    expect(after).toEqual({ pictures: [2 ** 29 + 1, 1, 2], sound: [0, 2, 0] });
    expect(firstAt).toBe(1000);
    expect(await store.ofSession('s')).toEqual([{ adId: '1-2-0', ends: grid(70), requested: after }]);
  });

  test('concurrent marks of two processes lose no segment', async () => {
    const processes = [store, sqlDeliveries(sql)];
    const ends = grid(12);
    const marks = Array.from({ length: 240 }, (_, index) => mark('crowd', [index % 12], { ends }));
    const results = await Promise.all(marks.map((one, index) => processes[index % 2]!.mark(one)));
    results.forEach(({ after }, index) => {
      expect(isRequested(after.pictures, index % 12)).toBe(true);
    });
    const [delivered] = await store.ofSession('crowd');
    expect(deliveredSegments(delivered!.ends, delivered!.requested)).toBe(12);
  });

  test('deliveries without a recent request are removed', async () => {
    await store.mark(mark('old', [1], { at: millis(10) }));
    await store.mark(mark('young', [1], { at: millis(9_000_000) }));
    expect(await store.forget(millis(5_000_000), millis(9_000_000))).toBeGreaterThan(0);
    expect(await store.ofSession('old')).toEqual([]);
    expect(await store.ofSession('young')).toHaveLength(1);
  });

  test('deliveries of a VoD session are removed after its time, once the session is removed', async () => {
    const sessions = sqlSessions(sql);
    const keepUntil = millis(100_000);
    await sessions.create(sessionOf('vod', millis(0), { assets: [], keepUntil }), fresh);
    await store.mark(mark('vod', [1], { at: millis(10), keepUntil }));
    const countAt = async (now: number) => {
      await store.forget(millis(50_000), millis(now));
      return (await store.ofSession('vod')).length;
    };
    expect(await countAt(100_000)).toBe(1);
    expect(await countAt(100_001)).toBe(1);
    await sessions.expire(millis(0), millis(0), { now: millis(0), unwatchedBefore: millis(1) });
    expect(await countAt(100_000)).toBe(1);
    expect(await countAt(100_001)).toBe(0);
  });
});
