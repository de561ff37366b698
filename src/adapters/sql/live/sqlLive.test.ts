// SPDX-License-Identifier: Apache-2.0
// The stores of live feeds and their timelines, on both databases.
import { sql as query } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { channelOf, liveFeedOf } from '../../../../test/stores/records.ts';
import type { LiveEntry } from '../../../live/slot.ts';
import { sqlTenants } from '../../../platform/access/store/sqlTenants.ts';
import { sqlSystems } from '../../../platform/systems/store/sqlSystems.ts';
import { flicks, millis } from '../../../time/units.ts';
import { sqlChannels } from '../channels/sqlChannels.ts';
import { jsonRows } from '../jsonRows.ts';
import { createSecretBox } from '../secrets/secretBox.ts';
import { sqlLiveFeeds } from './sqlLiveFeeds.ts';
import { removalOfOld, sqlLiveLog } from './sqlLiveLog.ts';

const START = 1_772_366_400_000;
/** An entry with one slot, which starts `number` seconds after START. */
const entryOf = (number: number, by = 'a'): LiveEntry => ({
  number,
  readAt: millis(START + number),
  visibleAt: millis(START + number + 1000),
  signals: [],
  anchor: { start: { millis: millis(START), rest: flicks(7) }, lag: 10_000 },
  rules: { fill: 'slate', maxBreak: flicks(127_008_000_000) },
  slots: [
    {
      number,
      start: { millis: millis(START + 1000 * number), rest: flicks(7) },
      duration: flicks(705_600_000),
      isNewStretch: number === 0,
      segments: [
        [{ number, duration: flicks(705_600_000), media: { url: `https://origin.test/\0\ud800${by}/${number}` } }],
      ],
    },
  ],
});
const signalOnly = (number: number): LiveEntry => ({ ...entryOf(number), slots: [] });
const chain = (from: number, to: number, by?: string) =>
  Array.from({ length: to - from + 1 }, (_, index) => entryOf(from + index, by));
const of = (life: string, entries: readonly LiveEntry[]) => entries.map((entry) => ({ life, entry }));
const numbersOf = (entries: readonly LiveEntry[] | undefined) => entries?.map(({ number }) => number);

onEachOpenStore((sql, { open }) => {
  const feeds = sqlLiveFeeds(sql);
  const log = sqlLiveLog(sql);
  beforeEach(async () => {
    for (const table of ['live_feeds', 'channels', 'tenants'] as const) await sql.db.deleteFrom(table).execute();
  });
  const rowsLeft = async () => (await sql.db.selectFrom('live_entries').select('life').execute()).length;

  test('a channel has one feed of each format; feeds are read back as stored, and each change changes its version', async () => {
    const channel = { tenant: 'acme', id: 'one' };
    const versions: (string | undefined)[] = [];
    const note = async () =>
      versions.push((await feeds.versions()).find(({ channel: { tenant } }) => tenant === 'acme')?.version);
    await note();
    expect(await feeds.begin(liveFeedOf('one', 'l1'))).toBe(true);
    await note();
    expect(await feeds.begin(liveFeedOf('one', 'd1', 'dash'))).toBe(true);
    expect(await feeds.begin(liveFeedOf('one', 'other'))).toBe(false);
    expect(await feeds.begin(liveFeedOf('one', 'other'), 'unknown')).toBe(false);
    expect(await feeds.begin(liveFeedOf('one', 'theirs', 'hls', 'globex'))).toBe(true);
    await note();
    expect(await feeds.current(channel)).toEqual([liveFeedOf('one', 'l1'), liveFeedOf('one', 'd1', 'dash')]);
    expect(await feeds.begin(liveFeedOf('one', 'l2'), 'l1')).toBe(true);
    await note();
    await feeds.endLife('d1');
    await note();
    expect(await feeds.current(channel)).toEqual([liveFeedOf('one', 'l2')]);
    await feeds.end(channel);
    await note();
    expect(new Set(versions).size).toBe(5);
    expect(await feeds.versions()).toEqual([{ channel: { tenant: 'globex', id: 'one' }, version: 'theirs' }]);
  });

  test('feeds of a channel that is switched off continue, and end only if it has been off for long enough', async () => {
    const channel = { tenant: 'acme', id: 'c' };
    for (const format of ['hls', 'dash'] as const) await feeds.begin(liveFeedOf('c', format, format));
    await feeds.end(channel, millis(1000));
    await feeds.switchOff(channel, millis(100));
    await feeds.switchOff(channel, millis(200));
    expect(await feeds.offSince(millis(101))).toEqual([channel]);
    expect(await feeds.offSince(millis(100))).toEqual([]);
    await feeds.switchOn(channel, millis(300));
    await feeds.end(channel, millis(1000));
    expect(await feeds.current(channel)).toHaveLength(2);
    await feeds.switchOff(channel, millis(400));
    await feeds.end(channel, millis(400));
    expect(await feeds.current(channel)).toHaveLength(2);
    await feeds.end(channel, millis(401));
    expect(await feeds.current(channel)).toEqual([]);
  });

  test('of two processes that begin a feed at once, one succeeds', async () => {
    const other = sqlLiveFeeds(await open());
    const both = await Promise.all([feeds.begin(liveFeedOf('c', 'x')), other.begin(liveFeedOf('c', 'y'))]);
    expect(both.sort()).toEqual([false, true]);
  });

  test('entries of several lives are stored in one call and read back as written', async () => {
    for (const life of ['l', 'm']) await feeds.begin(liveFeedOf(life, life));
    expect(await log.append([...of('m', [entryOf(0, 'm')]), ...of('l', chain(0, 2))])).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await log.read('l', 1)).toEqual(chain(1, 2));
    expect(await log.append([...of('l', [entryOf(2, 'b')]), ...of('m', [signalOnly(1)])])).toEqual([false, true]);
    expect(
      await log.readAll([
        { life: 'l', from: 2 },
        { life: 'm', from: 0 },
        { life: 'n', from: 0 },
      ]),
    ).toEqual(
      new Map([
        ['l', [entryOf(2)]],
        ['m', [entryOf(0, 'm'), signalOnly(1)]],
      ]),
    );
    expect(await log.readAll([])).toEqual(new Map());
    expect(await log.append([])).toEqual([]);
  });

  test('of concurrent writers of a chain, one stores all of its entries, also if the other has more', async () => {
    const logs = [log, sqlLiveLog(await open())];
    for (let round = 0; round < 10; round += 1) {
      const life = `race-${round}`;
      await feeds.begin(liveFeedOf(life, life));
      await log.append(of(life, [entryOf(0)]));
      const lengths = [5, 9];
      const results = await Promise.all(
        logs.map((one, index) => one.append(of(life, chain(1, lengths[index]!, `${index}`)))),
      );
      const winner = results.findIndex(([isFirst]) => isFirst);
      expect(results[winner]).toEqual(new Array(lengths[winner]).fill(true));
      expect(results[1 - winner]).toEqual(new Array(lengths[1 - winner]).fill(false));
      expect(await log.read(life, 1)).toEqual(chain(1, lengths[winner]!, `${winner}`));
    }
  });

  test('concurrent writers of many lives do not block each other', async () => {
    const lives = Array.from({ length: 40 }, (_, index) => `many-${index}`);
    for (const life of lives) await feeds.begin(liveFeedOf(life, life));
    const logs = [log, sqlLiveLog(await open())];
    for (let number = 0; number < 5; number += 1) {
      const [one, two] = await Promise.all(
        logs.map((writer, index) =>
          writer.append((index === 0 ? lives : lives.toReversed()).flatMap((life) => of(life, [entryOf(number)]))),
        ),
      );
      expect(one!.map((isStored, index) => isStored !== two!.toReversed()[index])).toEqual(lives.map(() => true));
    }
  });

  test('the end of a timeline is measured from its newest slot', async () => {
    await feeds.begin(liveFeedOf('l', 'l'));
    expect(await log.tail('l', 1000)).toEqual([]);
    await log.append(of('l', [...chain(0, 7), signalOnly(8), ...chain(9, 9), signalOnly(10)]));
    expect(numbersOf(await log.tail('l', 2000))).toEqual([7, 8, 9, 10]);
    expect(numbersOf(await log.tail('l', 1000))).toEqual([7, 8, 9, 10]);
    expect(numbersOf(await log.tail('l', 0))).toEqual([9, 10]);
    expect(numbersOf(await log.tail('l', 60_000))).toEqual(numbersOf(chain(0, 10)));
  });

  test('old entries are removed; what the end of a timeline contains stays', async () => {
    for (const life of ['l', 'm', 'n']) {
      await feeds.begin(liveFeedOf(life, life));
      await log.append(of(life, chain(0, 9)));
    }
    await log.removeBefore([
      { life: 'l', millis: 3000 },
      { life: 'm', millis: 60_000 },
    ]);
    expect(numbersOf(await log.read('l', 0))).toEqual([6, 7, 8, 9]);
    expect(numbersOf(await log.tail('l', 3000))).toEqual([6, 7, 8, 9]);
    expect(await log.read('m', 0)).toHaveLength(10);
    expect(await log.read('n', 0)).toHaveLength(10);
    await log.removeBefore([]);
  });

  test('old entries are found by their feed', async () => {
    if (sql.kind !== 'sqlite') return;
    const kept = jsonRows(sql.kind, 'life text, value bigint')([['l', 3000]]);
    const { rows } = await query<{ detail: string }>`explain query plan ${removalOfOld(kept)}`.execute(sql.db);
    const details = rows.map(({ detail }) => detail);
    expect(details.filter((detail) => /SEARCH old .*\(life=\? AND number<\?\)/.test(detail))).toHaveLength(1);
    expect(details.filter((detail) => /SCAN (live_entries|old|newest)/.test(detail))).toEqual([]);
  });

  test('entries end with their feed, their channel and their tenant', async () => {
    const channels = sqlChannels(sql);
    const tenants = sqlTenants(sql, sqlSystems(sql, createSecretBox('a secret of the test')));
    await channels.insert(channelOf('c'));
    const begin = async (life: string, format?: 'hls' | 'dash', tenant?: string) => {
      await feeds.begin(liveFeedOf('c', life, format, tenant));
      expect(await log.append(of(life, chain(0, 1)))).toEqual([true, true]);
    };
    await begin('l');
    await begin('d', 'dash');
    await begin('theirs', 'hls', 'globex');
    await feeds.endLife('d');
    expect(await rowsLeft()).toBe(4);
    expect(await log.append(of('d', [entryOf(2)]))).toEqual([false]);
    await feeds.begin(liveFeedOf('c', 'l2'), 'l');
    expect(await rowsLeft()).toBe(2);
    await begin('d2', 'dash');
    expect(await channels.remove('acme', 'c', 9)).toBe(false);
    expect(await rowsLeft()).toBe(4);
    expect(await channels.remove('acme', 'c')).toBe(true);
    expect(await rowsLeft()).toBe(2);
    expect(await feeds.current({ tenant: 'acme', id: 'c' })).toEqual([]);
    await tenants.remove('globex');
    expect(await rowsLeft()).toBe(0);
  });
}, 'file');
