// Assets by URL: imported once and kept, imported anew when an edit asks for it, left aside while their origin is gone.
import { LRUCache } from 'lru-cache';
import type { AssetStore } from '../channels/ports.ts';
import { importAsset } from '../ingest/import/importAsset.ts';
import type { Origin } from '../ingest/ports.ts';
import { type Millis, millis } from '../time/units.ts';
import type { MediaRef } from '../timeline/asset.ts';
import type { AssetSource, ExcludedAssetStore, Imported } from './ports.ts';

export type AssetSourceDeps = {
  readonly store: AssetStore;
  readonly excluded: ExcludedAssetStore;
  readonly origin: Origin;
  readonly now: () => Millis;
};

/** Milliseconds for which a failed import is believed before it is tried again. */
const FAILURE_KEPT = 15_000;
/**
 * What was set aside is tried again after this long, twice as long each time; an asset that was well for long begins anew.
 * It is remembered for a day after that.
 */
const ASIDE = { first: 30_000, most: 3_600_000, kept: 86_400_000 };
const PROBE_TIMEOUT = 5000;
/** Milliseconds after which a failure is forgotten when nobody has tried again. */
const FORGOTTEN = 3_600_000;
/** URLs whose failures are known at a time; those not looked at for longest go first. */
const MOST_KNOWN = 10_000;

export type MonitoredAssets = AssetSource & {
  /** Leaves an asset aside, with the reason that its items are shown with. */
  exclude(url: string, reason: string): Promise<void>;
  /** Of these URLs, those that it is time to try again. */
  dueForRetry(urls: readonly string[]): Promise<string[]>;
  /** A sentence when these bytes cannot be had. */
  probe(ref: MediaRef): Promise<string | undefined>;
};

export function createAssetSource({ store, excluded, origin, now }: AssetSourceDeps): MonitoredAssets {
  const failures = new LRUCache<string, { reason: string; at: Millis }>({ max: MOST_KNOWN });
  const failureOf = (url: string) => {
    const failure = failures.get(url);
    return failure !== undefined && now() - failure.at < FORGOTTEN ? failure : undefined;
  };
  const importing = new Map<string, Promise<Imported>>();

  async function importNow(url: string): Promise<Imported> {
    const imported = await importAsset(url, origin);
    if (!imported.ok) {
      failures.set(url, { reason: imported.reason, at: now() });
      return imported;
    }
    failures.delete(url);
    await excluded.markImported(url);
    const { asset } = imported;
    return { ok: true, key: await store.put(url, asset, now()), asset };
  }

  const importOnce = (url: string): Promise<Imported> => {
    const known = importing.get(url);
    if (known !== undefined) return known;
    const started = importNow(url).finally(() => importing.delete(url));
    importing.set(url, started);
    return started;
  };

  return {
    async find(url, freshAfter) {
      const left = await excluded.find(url);
      if (left !== undefined && now() < left.until) return { ok: false, reason: left.reason };
      const failure = failureOf(url);
      if (failure !== undefined && now() - failure.at < FAILURE_KEPT) return { ok: false, reason: failure.reason };
      // What could not be had the last time has to show that it is back, whatever is stored of it.
      const isDoubted = failure !== undefined || left?.isImported === false;
      const known = isDoubted ? undefined : await store.latest(url, now());
      if (known !== undefined && known.importedAt >= freshAfter)
        return { ok: true, key: known.key, asset: known.asset };
      return importOnce(url);
    },
    async exclude(url, reason) {
      const last = await excluded.find(url);
      const times = last !== undefined && now() < last.until + ASIDE.most ? last.times + 1 : 1;
      const until = millis(now() + Math.min(ASIDE.most, ASIDE.first * 2 ** (times - 1)));
      await excluded.put(url, { reason, until, times, isImported: false }, millis(now() - ASIDE.kept));
    },
    async dueForRetry(urls) {
      const due: string[] = [];
      for (const url of urls) {
        const failure = failureOf(url);
        const at = failure === undefined ? ((await excluded.find(url))?.until ?? 0) : failure.at + FAILURE_KEPT;
        if (now() >= at) due.push(url);
      }
      return due;
    },
    async probe({ url, range }) {
      const start = range?.start ?? 0;
      const options = { range: { start, length: 1 }, maxBytes: 1 << 26, timeoutMs: PROBE_TIMEOUT };
      const answer = await origin.read(url, options);
      return answer.ok ? undefined : answer.reason;
    },
  };
}
