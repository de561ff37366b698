// SPDX-License-Identifier: Apache-2.0
import { beforeEach, expect, test } from 'vitest';
import { onEachOpenStore } from '../../../../test/servers/sqlStores.ts';
import { channelOf } from '../../../../test/stores/records.ts';
import type { TitleImport } from '../../../planning/ports.ts';
import { flicks, millis } from '../../../time/units.ts';
import { sqlChannels } from './sqlChannels.ts';
import { sqlTitles } from './sqlTitles.ts';

const of = (id: string, tenant = 'acme') => ({ tenant, id });
const title = (url: string, at: number, more: Partial<TitleImport> = {}): TitleImport => ({
  url,
  state: 'importing',
  startedAt: millis(at),
  updatedAt: millis(at),
  ...more,
});
const url = (name: string | number) => `https://o.test/${name}`;

onEachOpenStore((sql) => {
  const channels = sqlChannels(sql);
  const titles = sqlTitles(sql);
  beforeEach(async () => {
    for (const table of ['titles', 'channels'] as const) await sql.db.deleteFrom(table).execute();
    await channels.insert(channelOf('c'));
  });

  test('an import is listed with its latest state, newest first', async () => {
    const failed = title(url('a'), 10, { state: 'failed', reason: '404', updatedAt: millis(15) });
    const ready = title(url('b'), 20, {
      state: 'ready',
      asset: 'abc',
      duration: flicks(705_600_000 * 7200),
      updatedAt: millis(60),
    });
    await titles.put(of('c'), title(url('a'), 10));
    await titles.put(of('c'), title(url('b'), 20));
    await titles.put(of('c'), ready);
    await titles.put(of('c'), failed);
    // Another process reports late.
    await titles.put(of('c'), title(url('b'), 20));
    expect(await titles.list(of('c'), 10)).toEqual([ready, failed]);
    expect(await titles.list(of('c'), 1)).toEqual([ready]);
    const again = title(url('a'), 70);
    await titles.put(of('c'), again);
    expect(await titles.list(of('c'), 10)).toEqual([again, ready]);
  });

  test('URLs of 8 KB are distinct', async () => {
    const long = url('x'.repeat(8100));
    for (const end of ['1', '2']) await titles.put(of('c'), title(long + end, 1));
    expect((await titles.list(of('c'), 10)).map((one) => one.url).sort()).toEqual([`${long}1`, `${long}2`]);
  });

  test('the newest imports of each channel are kept', async () => {
    await channels.insert(channelOf('other'));
    await titles.put(of('other'), title(url('old'), 0));
    for (let n = 1; n <= 110; n += 1) await titles.put(of('c'), title(url(n), n));
    const kept = await titles.list(of('c'), 1000);
    expect([kept.length, kept[0]?.url, kept.at(-1)?.url]).toEqual([100, url(110), url(11)]);
    expect(await titles.list(of('other'), 10)).toHaveLength(1);
  });

  test('imports are removed with their channel, and not stored without it', async () => {
    await channels.insert(channelOf('c', { tenant: 'globex', apiKey: 'theirs' }));
    for (const tenant of ['acme', 'globex']) await titles.put(of('c', tenant), title(url('a'), 1));
    expect(await channels.remove('acme', 'c', 7)).toBe(false);
    expect(await titles.list(of('c'), 10)).toHaveLength(1);
    expect(await channels.remove('acme', 'c')).toBe(true);
    expect(await channels.remove('acme', 'c')).toBe(false);
    await titles.put(of('c'), title(url('late'), 2));
    expect(await titles.list(of('c'), 10)).toEqual([]);
    expect(await titles.list(of('c', 'globex'), 10)).toHaveLength(1);
  });
});
