// SPDX-License-Identifier: Apache-2.0
// Failures of imports: not repeated at once, remembered for a limited time and for a limited number of URLs.
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { syntheticAsset } from '../../test/laws/syntheticMedia.ts';
import { sqlAssets } from '../adapters/sql/channels/sqlAssets.ts';
import { sqlExcludedAssets } from '../adapters/sql/channels/sqlExcludedAssets.ts';
import type { AssetStore } from '../channels/ports.ts';
import { openSqlite } from '../database.ts';
import type { Origin } from '../ingest/ports.ts';
import { InvariantError } from '../invariant.ts';
import { millis } from '../time/units.ts';
import { createAssetSource } from './assetSource.ts';
import type { ExcludedAssetStore } from './ports.ts';

const clock = { now: millis(1_000_000) };
const pass = (ms: number) => {
  clock.now = millis(clock.now + ms);
};
const requests = new Map<string, number>();
/** An origin that refuses everything. */
const origin: Origin = {
  read: async (url: string) => {
    requests.set(url, (requests.get(url) ?? 0) + 1);
    return { ok: false, reason: 'returned 404', status: 404 };
  },
} as unknown as Origin;
const timesRequested = (url: string) => requests.get(url) ?? 0;

let store: AssetStore;
let excluded: ExcludedAssetStore;
beforeEach(async () => {
  const sql = await openSqlite(':memory:');
  onTestFinished(() => sql.close());
  store = sqlAssets(sql);
  excluded = sqlExcludedAssets(sql);
  requests.clear();
});
const logged: unknown[] = [];
const log = (...line: unknown[]) => void logged.push(line);
const sourceOf = (from = origin) => createAssetSource({ store, excluded, origin: from, now: () => clock.now, log });

async function storeAsset(url: string): Promise<void> {
  const shape = { name: 'video', segments: [50] };
  await store.put(url, { ...syntheticAsset(shape), url }, clock.now);
}

test('a failed import is retried after a while; for an hour, a stored import is not used instead', async () => {
  const url = 'https://origin.test/video.m3u8';
  await storeAsset(url);
  const assets = sourceOf();
  expect(await assets.find(url, 0)).toMatchObject({ ok: true });
  expect(await assets.find(url, clock.now + 1)).toMatchObject({ ok: false });
  const first = timesRequested(url);
  await assets.find(url, 0);
  expect(timesRequested(url)).toBe(first);
  pass(20_000);
  expect(await assets.find(url, 0)).toMatchObject({ ok: false });
  expect(timesRequested(url)).toBeGreaterThan(first);
  // After an hour without an attempt, the stored import is used again.
  pass(3_600_000);
  expect(await assets.find(url, 0)).toMatchObject({ ok: true });
});

test('a stored import stays in use if it cannot be refreshed', async () => {
  const url = 'https://origin.test/film.m3u8';
  await storeAsset(url);
  const assets = sourceOf();
  expect(await assets.known(url, clock.now + 1)).toBeUndefined();
  expect(await assets.refresh(url)).toMatchObject({ ok: false });
  expect(timesRequested(url)).toBeGreaterThan(0);
  expect(await assets.known(url, 0)).toMatchObject({ ok: true });
  expect(await assets.find(url, 0)).toMatchObject({ ok: true });
});

test('a limited number of failures is remembered', async () => {
  const assets = sourceOf();
  const urlOf = (number: number) => `https://origin.test/${number}.m3u8`;
  for (let number = 0; number <= 10_000; number += 1) await assets.find(urlOf(number), 0);
  requests.clear();
  await assets.find(urlOf(10_000), 0);
  await assets.find(urlOf(0), 0);
  expect([timesRequested(urlOf(0)) > 0, timesRequested(urlOf(10_000))]).toEqual([true, 0]);
});

test('a defect of Midroll is not a fault of the asset, and is retried', async () => {
  const url = 'https://origin.test/film.m3u8';
  const read = async (of: string) => {
    await origin.read(of);
    throw new InvariantError('Defect in Midroll: a test');
  };
  const assets = sourceOf({ ...origin, read });
  const reason = expect.stringMatching(
    /^Midroll failed to read this asset: this is a defect of Midroll; .* "importing/,
  );
  expect(await assets.find(`${url}?token=secret`, 0)).toEqual({ ok: false, reason });
  expect(logged).toEqual([['importing an asset failed with an error', { url, error: expect.any(InvariantError) }]]);
  pass(20_000);
  expect(await assets.dueForRetry([`${url}?token=secret`])).toHaveLength(1);
  await assets.find(`${url}?token=secret`, 0);
  expect(timesRequested(`${url}?token=secret`)).toBe(2);
});
