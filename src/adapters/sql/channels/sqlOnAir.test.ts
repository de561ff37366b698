// SPDX-License-Identifier: Apache-2.0
// The stores of lives, editions and assets, on both databases.
import { beforeEach, describe, expect, test } from 'vitest';
import { syntheticAsset } from '../../../../test/laws/syntheticMedia.ts';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { airingOf, editionOf, fresh, sessionOf } from '../../../../test/stores/records.ts';
import type { AssetStore } from '../../../channels/ports.ts';
import type { EditionRecord } from '../../../channels/schedule/airing.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { sqlSessions } from '../sessions/sqlSessions.ts';
import { sqlAirings } from './sqlAirings.ts';
import { sqlAssets } from './sqlAssets.ts';

const of = (id: string) => ({ tenant: 'acme', id });
const video = (name: string, count = 5) =>
  syntheticAsset({
    name,
    rate: { n: 30000, d: 1001 },
    sampleRate: 44_100,
    segments: new Array(count).fill(60),
    qualities: 2,
  });

onEachOpenStore((sql) => {
  const airings = sqlAirings(sql);
  const numbers = async (channelId: string) =>
    (await airings.current(of(channelId)))?.editions.map(({ number }) => number);

  test('a life is read back as stored, and every change gives it a new version', async () => {
    const versions: (string | undefined)[] = [];
    const note = async () =>
      versions.push((await airings.versions()).find(({ channel }) => channel.id === 'one')?.version);
    await note();
    await airings.begin(airingOf('one', 'l1'), [editionOf('l1', 0)]);
    expect(await airings.current(of('one'))).toEqual({ airing: airingOf('one', 'l1'), editions: [editionOf('l1', 0)] });
    await note();
    expect(await airings.append([editionOf('l1', 1), editionOf('l1', 2)], [])).toBe(true);
    await note();
    await airings.begin(airingOf('one', 'l2'), [editionOf('l2', 0)], 'l1');
    await note();
    await airings.end(of('one'));
    expect(await airings.current(of('one'))).toBeUndefined();
    await note();
    expect(new Set(versions).size).toBe(4);
    expect([versions[0], versions[4]]).toEqual([undefined, undefined]);
  });

  test('an edition number is used once; an edition and the removal of those it replaces are one transaction', async () => {
    await airings.begin(airingOf('two', 'm'), [editionOf('m', 0)]);
    expect(await airings.append([editionOf('m', 1), editionOf('m', 2)], [])).toBe(true);
    expect(await airings.append([editionOf('m', 3), editionOf('m', 4)], [1, 2])).toBe(true);
    expect(await numbers('two')).toEqual([0, 3, 4]);
    expect(await airings.append([editionOf('m', 4), editionOf('m', 5)], [0])).toBe(false);
    expect(await numbers('two')).toEqual([0, 3, 4]);
    const both = await Promise.all([5, 5].map((number) => airings.append([editionOf('m', number)], [])));
    expect(both.sort()).toEqual([false, true]);
  });

  test('an edition that is in use is read once, and is stored without what is not played of it', async () => {
    const slot = { kind: 'slate', frames: 50, slateId: 's' } as const;
    const first = { ...editionOf('h', 0), slots: [slot, slot, slot, slot] };
    const next = { ...editionOf('h', 1), after: { position: 0, to: 1 } };
    await airings.begin(airingOf('held', 'h'), [first, editionOf('h', 5)]);
    const before = await airings.current(of('held'));
    expect(before?.editions).toEqual([first, editionOf('h', 5)]);
    await airings.append([{ ...next, number: 6 }, editionOf('h', 7)], [5]);
    const after = await airings.current(of('held'));
    expect(after?.editions.map(({ number, slots }) => [number, slots.length])).toEqual([
      [0, 2],
      [6, next.slots.length],
      [7, next.slots.length],
    ]);
    expect((await sqlAirings(sql).current(of('held')))?.editions).toEqual(after?.editions);
    await airings.append([editionOf('h', 8)], []);
    expect((await airings.current(of('held')))?.editions[1]).toBe(after?.editions[1]);
  });

  test('of two processes that begin a life at once one succeeds, and a life is replaced only by its id', async () => {
    const both = await Promise.all(
      ['x', 'y'].map((life) => airings.begin(airingOf('three', life), [editionOf(life, 0)])),
    );
    expect(both.sort()).toEqual([false, true]);
    const { life } = (await airings.current(of('three')))!.airing;
    expect(await airings.begin(airingOf('three', 'z'), [editionOf('z', 0)], 'another')).toBe(false);
    expect(await airings.begin(airingOf('three', 'z'), [editionOf('z', 0)], life)).toBe(true);
    expect(await numbers('three')).toEqual([0]);
    expect((await airings.current(of('three')))!.airing.life).toBe('z');
  });

  test('two tenants may have channels with the same id on air, and neither ends the other’s life', async () => {
    const lives = ['acme', 'globex'].map((tenant) => airingOf('same', `of ${tenant}`, tenant));
    for (const life of lives) expect(await airings.begin(life, [editionOf(life.life, 0)])).toBe(true);
    for (const life of lives)
      expect((await airings.current({ tenant: life.tenant, id: 'same' }))?.airing).toEqual(life);
    await airings.end(of('same'));
    expect(await airings.current(of('same'))).toBeUndefined();
    expect((await airings.current({ tenant: 'globex', id: 'same' }))?.editions).toHaveLength(1);
  });

  test('a life that is switched off ends only if it has been off for long enough', async () => {
    const five = of('five');
    await airings.begin(airingOf('five', 'o'), [editionOf('o', 0)]);
    const isThere = async () => (await numbers('five')) !== undefined;
    await airings.end(five, millis(1000));
    expect(await isThere()).toBe(true);
    await airings.switchOff(five, millis(100));
    await airings.switchOff(five, millis(200));
    expect(await airings.offSince(millis(101))).toContainEqual(five);
    expect(await airings.offSince(millis(100))).not.toContainEqual(five);
    expect(await airings.current(five)).toEqual({ airing: airingOf('five', 'o'), editions: [editionOf('o', 0)] });
    await airings.switchOn(five, millis(300));
    await airings.end(five, millis(1000));
    expect(await numbers('five')).toEqual([0]);
    await airings.switchOff(five, millis(400));
    await airings.end(five, millis(401));
    expect(await isThere()).toBe(false);
    expect(await airings.append([editionOf('o', 0)], [])).toBe(true);
  });

  test('an asset is stored by its content, and a URL refers to its latest import', async () => {
    const assets = sqlAssets(sql);
    const url = 'https://origin.test/video';
    expect(await assets.latest(url, millis(5))).toBeUndefined();
    const first = await assets.put(url, video('video'), millis(10));
    const second = await assets.put(url, video('video', 6), millis(20));
    expect(second).not.toBe(first);
    expect(await assets.put(url, video('video', 6), millis(30))).toBe(second);
    expect(await assets.latest(url, millis(40))).toEqual({ key: second, asset: video('video', 6), importedAt: 30 });
    const elsewhere = sqlAssets(sql);
    expect(await elsewhere.find(first)).toEqual(video('video'));
    expect(await elsewhere.find(first)).toBe(await elsewhere.find(first));
    expect(await elsewhere.find('0'.repeat(32))).toBeUndefined();
  });

  test('assets that are on air are unpacked once, however many there are', async () => {
    const keys: string[] = [];
    const source = sqlAssets(sql);
    for (let index = 0; index < 150; index += 1)
      keys.push(await source.put(`https://o.test/${index}`, video(`f${index}`), millis(1)));
    const assets = sqlAssets(sql);
    const onAir = await Promise.all(keys.map((key) => assets.find(key)));
    const again = await Promise.all(keys.map((key) => assets.find(key)));
    expect(again.every((asset, index) => asset === onAir[index])).toBe(true);
  });

  describe('unused imports', () => {
    const DAY = 24 * 3_600_000;
    const now = millis(100 * DAY);
    const daysAgo = (days: number) => millis(now - days * DAY);
    let assets: AssetStore;
    const put = (name: string, days: number) => assets.put(`https://o.test/${name}`, video(name), daysAgo(days));
    /** Names of the stored imports. */
    const left = async () =>
      (await sql.db.selectFrom('sources').select('url').orderBy('url').execute()).map(({ url }) => url.slice(15));
    const isThere = async (key: string) => (await sqlAssets(sql).find(key)) !== undefined;
    const slotOf = (asset: string) => ({ kind: 'content', asset }) as unknown as EditionRecord['slots'][number];
    beforeEach(async () => {
      assets = sqlAssets(sql);
      for (const table of ['editions', 'airings', 'sources', 'assets'] as const)
        await sql.db.deleteFrom(table).execute();
    });

    test('are removed if they are old and no channel on air uses them', async () => {
      const keys = Object.fromEntries(
        await Promise.all(
          Object.entries({ old: 8, shown: 8, used: 8, young: 6 }).map(
            async ([name, days]) => [name, await put(name, days)] as const,
          ),
        ),
      ) as Record<string, string>;
      const shown = editionOf('l', 0);
      const slate = { kind: 'slate' } as unknown as EditionRecord['slots'][number];
      // PostgreSQL must not parse this JSON, which it would reject.
      const items = ['https://o.test/\0\ud800', null];
      await airings.begin(airingOf('air', 'l'), [{ ...shown, items, slots: [slate, slotOf(keys.shown!)] }]);
      await assets.latest('https://o.test/used', daysAgo(1));
      await assets.forgetUnused(daysAgo(7), 100, now);
      expect(await left()).toEqual(['shown', 'used', 'young']);
      const kept = await Promise.all(['old', 'shown', 'used', 'young'].map((name) => isThere(keys[name]!)));
      expect(kept).toEqual([false, true, true, true]);
      expect(await sqlAssets(sql).latest('https://o.test/old', now)).toBeUndefined();
      // Once the channel is off air, its asset is unused too.
      await airings.end(of('air'));
      await assets.forgetUnused(daysAgo(7), 100, now);
      expect(await left()).toEqual(['used', 'young']);
      expect(await isThere(keys.shown!)).toBe(false);
    });

    test('are removed beyond a number, the longest unused first', async () => {
      for (let days = 1; days <= 6; days += 1) await put(`f${days}`, days);
      const shown = await put('shown', 6);
      await airings.begin(airingOf('air', 'l'), [{ ...editionOf('l', 0), slots: [slotOf(shown)] }]);
      await assets.forgetUnused(daysAgo(7), 4, now);
      expect(await left()).toEqual(['f1', 'f2', 'f3', 'f4', 'shown']);
    });

    test('do not include an earlier import of a URL that a channel uses or may be about to use', async () => {
      const url = 'https://o.test/video';
      const [first, second] = [
        await assets.put(url, video('one'), daysAgo(9)),
        await assets.put(url, video('two'), daysAgo(8)),
      ];
      const planned = await assets.put(url, video('three'), millis(now - 3_600_000));
      await assets.put(url, video('four'), now);
      await airings.begin(airingOf('air', 'l'), [{ ...editionOf('l', 0), slots: [slotOf(second)] }]);
      await assets.forgetUnused(daysAgo(7), 100, now);
      expect(await Promise.all([first, second, planned].map(isThere))).toEqual([false, true, true]);
    });

    test('keep the assets that VoD sessions may need', async () => {
      const sessions = sqlSessions(sql);
      const url = 'https://o.test/title';
      const keys = [await assets.put(url, video('cut'), daysAgo(9)), await assets.put(url, video('new'), daysAgo(8))];
      const open = (id: string, keepUntil: Millis) =>
        sessions.create(sessionOf(id, daysAgo(8), { assets: [keys[0]!, keys[0]!], keepUntil }), fresh);
      const isKeptAt = async (at: Millis) => {
        await assets.forgetUnused(millis(at - 7 * DAY), 0, at);
        return Promise.all(keys.map(isThere));
      };
      // Two sessions at once, then one that does not shorten what the others need.
      await Promise.all([open('v1', now), open('v2', millis(now + 1000))]);
      await open('v3', daysAgo(7));
      expect(await isKeptAt(millis(now + DAY + 1000))).toEqual([true, false]);
      await open('v4', millis(now + 2 * DAY));
      expect(await isKeptAt(millis(now + 3 * DAY))).toEqual([true, false]);
      // The session was removed at the latest a day after its time.
      expect(await isKeptAt(millis(now + 3 * DAY + 2 * 3_600_000))).toEqual([false, false]);
    });
  });
});
