import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AssetStore } from '../channels/ports.ts';
import { packAsset, unpackAsset } from '../ingest/packAsset.ts';
import { type Millis, millis } from '../time/units.ts';
import type { Asset } from '../timeline/asset.ts';
import type { Sql } from './sql.ts';

/** Assets that channels of this process share in memory; those of the lineups are held by them anyway. */
const KEPT = 500;

export function sqlAssets({ db, atomically }: Sql): AssetStore {
  const unpacked = new LRUCache<string, Asset>({ max: KEPT });

  async function find(key: string): Promise<Asset | undefined> {
    const known = unpacked.get(key);
    if (known !== undefined) return known;
    const row = await db.selectFrom('assets').select('body').where('key', '=', key).executeTakeFirst();
    if (row === undefined) return undefined;
    const asset = unpackAsset(row.body);
    unpacked.set(key, asset);
    return asset;
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
      unpacked.set(key, asset);
      return key;
    },
    async latest(url) {
      const row = await db.selectFrom('sources').selectAll().where('url', '=', url).executeTakeFirst();
      const asset = row && (await find(row.asset));
      return asset && { key: row.asset, asset, importedAt: millis(Number(row.imported_at)) as Millis };
    },
  };
}
