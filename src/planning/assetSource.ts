// SPDX-License-Identifier: Apache-2.0
// Assets by URL: imported once and stored, imported again on an edit, excluded while their media is unavailable.
import { LRUCache } from 'lru-cache';
import type { AssetStore } from '../channels/ports.ts';
import { defectText } from '../ingest/defect.ts';
import { type ImportResult, importAsset } from '../ingest/import/importAsset.ts';
import type { Origin } from '../ingest/ports.ts';
import { shortUrl } from '../ingest/source/mediaReader.ts';
import { type Millis, millis } from '../time/units.ts';
import type { MediaRef } from '../timeline/asset/asset.ts';
import type { ExcludedAssetStore, Imported, KnownAssets } from './ports.ts';

type AssetSourceDeps = {
  readonly store: AssetStore;
  readonly excluded: ExcludedAssetStore;
  readonly origin: Origin;
  readonly now: () => Millis;
  readonly log: (message: string, facts: Record<string, unknown>) => void;
};

/** A failed import is retried after this time. */
const RETRY_AFTER_MS = 15_000;
/** Milliseconds. Each exclusion in a row lasts twice as long; after `max` without one, the first delay applies again. */
const EXCLUSION = { first: 30_000, max: 3_600_000, ttl: 86_400_000 };
const PROBE_TIMEOUT_MS = 5000;
/** A failure is discarded after this time without another attempt. */
const FAILURE_TTL_MS = 3_600_000;
/** URLs whose failures are remembered; the least recently used are discarded first. */
const MAX_FAILED_URLS = 10_000;
const NOT_IMPORTED = 'importing an asset failed with an error';

export type MonitoredAssets = ReturnType<typeof createAssetSource>;

export function createAssetSource({ store, excluded, origin, now, log }: AssetSourceDeps) {
  const failures = new LRUCache<string, { reason: string; at: Millis }>({ max: MAX_FAILED_URLS });
  const failureOf = (url: string) => {
    const failure = failures.get(url);
    return failure !== undefined && now() - failure.at < FAILURE_TTL_MS ? failure : undefined;
  };
  const importing = new Map<string, Promise<Imported>>();

  async function importNow(url: string, isRefresh: boolean): Promise<Imported> {
    const imported = await importAsset(url, origin).catch((error: unknown): Extract<ImportResult, { ok: false }> => {
      log(NOT_IMPORTED, { url: shortUrl(url), error });
      return { ok: false, reason: defectText('read this asset', NOT_IMPORTED) };
    });
    if (!imported.ok) {
      if (!isRefresh) failures.set(url, { reason: imported.reason, at: now() });
      return imported;
    }
    failures.delete(url);
    await excluded.markImported(url);
    const { asset } = imported;
    return { ok: true, key: await store.put(url, asset, now()), asset };
  }

  const importOnce = (url: string, isRefresh = false): Promise<Imported> => {
    const known = importing.get(url);
    if (known !== undefined) return known;
    const started = importNow(url, isRefresh).finally(() => importing.delete(url));
    importing.set(url, started);
    return started;
  };

  async function known(url: string, freshAfter: number): Promise<Imported | undefined> {
    const exclusion = await excluded.find(url);
    if (exclusion !== undefined && now() < exclusion.until) return { ok: false, reason: exclusion.reason };
    const failure = failureOf(url);
    if (failure !== undefined && now() - failure.at < RETRY_AFTER_MS) return { ok: false, reason: failure.reason };
    // After a failure the asset is imported again, even if an earlier import is stored.
    const isSuspect = failure !== undefined || exclusion?.isImported === false;
    const stored = isSuspect ? undefined : await store.latest(url, now());
    return stored !== undefined && stored.importedAt >= freshAfter
      ? { ok: true, key: stored.key, asset: stored.asset }
      : undefined;
  }

  const assets: KnownAssets = {
    known,
    refresh: (url) => importOnce(url, true),
    find: async (url, freshAfter) => (await known(url, freshAfter)) ?? importOnce(url),
  };
  return {
    ...assets,
    /** Excludes an asset. Its items are listed with the reason. */
    async exclude(url: string, reason: string): Promise<void> {
      const last = await excluded.find(url);
      const times = last !== undefined && now() < last.until + EXCLUSION.max ? last.times + 1 : 1;
      const until = millis(now() + Math.min(EXCLUSION.max, EXCLUSION.first * 2 ** (times - 1)));
      await excluded.put(url, { reason, until, times, isImported: false }, millis(now() - EXCLUSION.ttl));
    },
    /** The given URLs that are due for another attempt. */
    async dueForRetry(urls: readonly string[]): Promise<string[]> {
      const due: string[] = [];
      for (const url of urls) {
        const failure = failureOf(url);
        const at = failure === undefined ? ((await excluded.find(url))?.until ?? 0) : failure.at + RETRY_AFTER_MS;
        if (now() >= at) due.push(url);
      }
      return due;
    },
    /** @returns the reason if these bytes are unavailable, otherwise undefined */
    async probe({ url, range }: MediaRef): Promise<string | undefined> {
      const start = range?.start ?? 0;
      const options = { range: { start, length: 1 }, maxBytes: 1 << 26, timeoutMs: PROBE_TIMEOUT_MS };
      const response = await origin.read(url, options);
      return response.ok ? undefined : response.reason;
    },
  };
}
