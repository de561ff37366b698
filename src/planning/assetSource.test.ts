// What is remembered of URLs that fail: believed for a moment, bounded in time and in number.
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { sqlAssets } from '../adapters/sql/channels/sqlAssets.ts';
import { sqlExcludedAssets } from '../adapters/sql/channels/sqlExcludedAssets.ts';
import { openSqlite } from '../adapters/sql/sql.ts';
import type { AssetStore } from '../channels/ports.ts';
import type { Origin } from '../ingest/ports.ts';
import { millis } from '../time/units.ts';
import { createAssetSource } from './assetSource.ts';
import type { ExcludedAssetStore } from './ports.ts';

const clock = { now: millis(1_000_000) };
const pass = (ms: number) => {
  clock.now = millis(clock.now + ms);
};
const asked = new Map<string, number>();
/** An origin that refuses everything. */
const origin: Origin = {
  read: async (url: string) => {
    asked.set(url, (asked.get(url) ?? 0) + 1);
    return { ok: false, reason: 'answered 404', status: 404 };
  },
} as unknown as Origin;
const times = (url: string) => asked.get(url) ?? 0;

let store: AssetStore;
let excluded: ExcludedAssetStore;
beforeEach(async () => {
  const sql = await openSqlite(':memory:');
  onTestFinished(() => sql.close());
  store = sqlAssets(sql);
  excluded = sqlExcludedAssets(sql);
  asked.clear();
});
const sourceOf = () => createAssetSource({ store, excluded, origin, now: () => clock.now });

test('what failed is believed for a moment, and has to show that it is back for an hour', async () => {
  const url = 'https://origin.test/film.m3u8';
  const shape = { name: 'film', rate: { n: 25, d: 1 }, sampleRate: 48_000, segments: [50], qualities: 1 };
  await store.put(url, { ...syntheticAsset(shape), url }, clock.now);
  const assets = sourceOf();
  expect(await assets.find(url, 0)).toMatchObject({ ok: true });
  expect(await assets.find(url, clock.now + 1)).toMatchObject({ ok: false });
  const first = times(url);
  await assets.find(url, 0);
  expect(times(url)).toBe(first);
  pass(20_000);
  expect(await assets.find(url, 0)).toMatchObject({ ok: false });
  expect(times(url)).toBeGreaterThan(first);
  // Nobody tried for an hour: what is stored of it is as good as after a restart.
  pass(3_600_000);
  expect(await assets.find(url, 0)).toMatchObject({ ok: true });
});

test('so many failures are remembered and no more, however many URLs fail', async () => {
  const assets = sourceOf();
  const urlOf = (number: number) => `https://origin.test/${number}.m3u8`;
  for (let number = 0; number <= 10_000; number += 1) await assets.find(urlOf(number), 0);
  const before = [times(urlOf(0)), times(urlOf(10_000))];
  await assets.find(urlOf(10_000), 0);
  await assets.find(urlOf(0), 0);
  const after = [times(urlOf(0)), times(urlOf(10_000))];
  expect([after[0]! > before[0]!, after[1]]).toEqual([true, before[1]]);
});
