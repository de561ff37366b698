import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AssetStore } from '../channels/ports.ts';
import { packAsset, unpackAsset } from '../ingest/packAsset.ts';
import { type Millis, millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset.ts';
import type { Sql } from './sql.ts';

/** Assets that are kept in memory though no lineup holds them: some will be wanted again soon. */
const KEPT = 100;

export function sqlAssets({ db, atomically }: Sql): AssetStore {
  const recent = new LRUCache<string, Asset>({ max: KEPT });
  /** An asset that a lineup of this process holds is never unpacked twice, however many there are. */
  const held = new Map<string, WeakRef<Asset>>();
  const gone = new FinalizationRegistry<string>((key) => {
    if (held.get(key)?.deref() === undefined) held.delete(key);
  });
  const keep = (key: string, asset: Asset): Asset => {
    recent.set(key, asset);
    held.set(key, new WeakRef(asset));
    gone.register(asset, key);
    return asset;
  };

  async function find(key: string): Promise<Asset | undefined> {
    const known = recent.get(key) ?? held.get(key)?.deref();
    if (known !== undefined) return known;
    const row = await db.selectFrom('assets').select('body').where('key', '=', key).executeTakeFirst();
    if (row === undefined) return undefined;
    const asset = unpackAsset(row.body);
    return asset && keep(key, asset);
  }

  return {
    find,
    async put(url, asset, importedAt) {
      const body = packAsset(asset);
      const key = createHash('sha256').update(body).digest('hex').slice(0, 32);
      const source = { asset: key, imported_at: importedAt };
      await atomically([
        db
          .insertInto('assets')
          .values({ key, body })
          .onConflict((conflict) => conflict.doNothing()),
        db
          .insertInto('sources')
          .values({ url, ...source })
          .onConflict((conflict) => conflict.column('url').doUpdateSet(source)),
      ]);
      if (held.get(key)?.deref() === undefined) keep(key, asset);
      return key;
    },
    async latest(url) {
      const row = await db.selectFrom('sources').selectAll().where('url', '=', url).executeTakeFirst();
      const asset = row && (await find(row.asset));
      return asset && { key: row.asset, asset, importedAt: millis(Number(row.imported_at)) as Millis };
    },
  };
}
