// SPDX-License-Identifier: Apache-2.0
// Importing the assets of titles: all items of a playlist, few at a time, and what viewers get meanwhile.
import { expect, onTestFinished, test } from 'vitest';
import { syntheticAsset } from '../../../test/laws/syntheticMedia.ts';
import { sqlAssets } from '../../adapters/sql/channels/sqlAssets.ts';
import { sqlPlaylists } from '../../adapters/sql/channels/sqlPlaylists.ts';
import { sqlTitles } from '../../adapters/sql/channels/sqlTitles.ts';
import { systemTimers } from '../../adapters/systemClock.ts';
import type { VodChannel } from '../../channels/channel.ts';
import { openSqlite } from '../../database.ts';
import { millis } from '../../time/units.ts';
import type { Imported } from '../ports.ts';
import { createTitleProgress } from './titleProgress.ts';
import { createTitleSource } from './titleSource.ts';

const now = () => millis(1_000_000);
const channel = { id: 'films', tenant: 'demo', type: 'vod' } as VodChannel;
const shape = { name: 'video', segments: [50, 50] };
const asset = syntheticAsset(shape);
const items = (count: number, prefix = 'item', host = 'origin.test') =>
  Array.from({ length: count }, (_, index) => ({
    sourceType: 'url' as const,
    url: `https://${host}/${prefix}${index}.m3u8`,
  }));

/** Assets are imported when the test says so; the most that were imported at the same time. */
async function openTitles() {
  const sql = await openSqlite(':memory:');
  onTestFinished(() => sql.close());
  const stored = new Map<string, Imported>();
  const waiting: (() => void)[] = [];
  const counts = { running: 0, most: 0, imports: 0 };
  const known = async (url: string) => stored.get(url);
  const titles = createTitleSource({
    assets: {
      known,
      refresh: expect.unreachable,
      async find(url) {
        counts.imports += 1;
        counts.running += 1;
        counts.most = Math.max(counts.most, counts.running);
        await new Promise<void>((resolve) => waiting.push(resolve));
        counts.running -= 1;
        const imported: Imported = { ok: true, key: url, asset: { ...asset, url } };
        stored.set(url, imported);
        return imported;
      },
    },
    store: sqlAssets(sql),
    playlists: sqlPlaylists(sql),
    progress: createTitleProgress({ titles: sqlTitles(sql), now, timers: systemTimers, log: expect.unreachable }),
    now,
    timers: systemTimers,
  });
  const release = () => {
    for (const resolve of waiting.splice(0)) resolve();
  };
  return { titles, counts, stored, release };
}

test('a title contains all items of a long playlist', async () => {
  const { titles, counts, release } = await openTitles();
  const preparing = titles.prepare(channel, items(40), 60_000);
  const poll = setInterval(release, 1);
  const prepared = await preparing;
  clearInterval(poll);
  expect(prepared).toMatchObject({ state: 'ready' });
  expect(prepared.state === 'ready' && prepared.title.items).toHaveLength(40);
  expect(counts).toMatchObject({ running: 0, imports: 40 });
  expect(counts.most).toBeLessThanOrEqual(16);
});

test('titles that are imported already do not wait for imports of others', async () => {
  const { titles, counts, stored, release } = await openTitles();
  const [ready] = items(1, 'ready');
  stored.set(ready!.url, { ok: true, key: ready!.url, asset: { ...asset, url: ready!.url } });
  const others = items(30).map((item) => titles.prepare(channel, [item], 60_000));
  await expect.poll(() => counts.running).toBe(16);
  expect(await titles.prepare(channel, [ready!], 60_000)).toMatchObject({ state: 'ready' });
  const poll = setInterval(release, 1);
  expect(new Set((await Promise.all(others)).map(({ state }) => state))).toEqual(new Set(['ready']));
  clearInterval(poll);
});

test('a viewer whose title has to wait is asked to retry, even if too many wait', async () => {
  const { titles, counts } = await openTitles();
  const first = items(2100).map((item) => titles.prepare(channel, [item], 60_000));
  expect(await Promise.race(first)).toEqual({ state: 'importing' });
  expect(await titles.prepare(channel, items(1, 'new'), 20)).toEqual({ state: 'importing' });
  expect(counts.running).toBe(16);
});

test('titles with equal ladders share one, and sessions of the same assets share a title', async () => {
  const { titles, stored } = await openTitles();
  const contents = items(2);
  for (const { url } of contents) stored.set(url, { ok: true, key: url, asset: { ...asset, url } });
  const ready = async (index: number) => {
    const prepared = await titles.prepare(channel, [contents[index]!], 60_000);
    return prepared.state === 'ready' ? prepared.title : expect.unreachable();
  };
  const [one, again, other] = [await ready(0), await ready(0), await ready(1)];
  expect(again).toBe(one);
  expect(other).not.toBe(one);
  expect(other.ladder).toBe(one.ladder);
});

test('a host that does not respond does not delay imports from others', async () => {
  const { titles, counts, release } = await openTitles();
  const slow = items(40).map((item) => titles.prepare(channel, [item], 60_000));
  await expect.poll(() => counts.running).toBe(16);
  const other = titles.prepare(channel, items(1, 'film', 'other.test'), 60_000);
  await expect.poll(() => counts.running).toBe(17);
  const poll = setInterval(release, 1);
  expect(await other).toMatchObject({ state: 'ready' });
  await Promise.all(slow);
  clearInterval(poll);
});
