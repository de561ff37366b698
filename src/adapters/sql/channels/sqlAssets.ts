import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { AssetStore } from '../../../channels/ports.ts';
import { packAsset, unpackAsset } from '../../../ingest/package/packAsset.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { Asset } from '../../../timeline/asset.ts';
import type { Sql } from '../sql.ts';

/** Assets that are kept in memory though no lineup holds them: some will be wanted again soon. */
const KEPT = 100;

/** Milliseconds for which a use is not noted again. */
const NOTED = 3_600_000;
/** Milliseconds for which an unused asset is kept: a channel may be about to use it. */
const IN_HAND = 2 * NOTED;
const NO_LIMIT = 2 ** 31;

export function sqlAssets({ kind, db, atomically }: Sql): AssetStore {
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

  /** Keys of assets in the editions of all lives. PostgreSQL's JSON refuses what URLs beside them may hold. */
  const onAir =
    kind === 'sqlite'
      ? sql<string>`(select value ->> 'asset' from editions, json_each(editions.body, '$.slots')
          where value ->> 'asset' is not null)`
      : sql<string>`(select found[1] from editions, regexp_matches(editions.body, '"asset":"([0-9a-f]+)"', 'g') as found)`;

  /** Both at once, so that neither goes while the other is in use. @returns false when the URL is forgotten or changed */
  async function noteUse(url: string, key: string, now: Millis): Promise<boolean> {
    const [isThere] = await atomically([
      db.updateTable('sources').set({ used_at: now }).where('url', '=', url).where('asset', '=', key),
      db.updateTable('assets').set({ used_at: now }).where('key', '=', key),
    ]);
    return isThere === 1;
  }

  return {
    find,
    async forgetUnused(before, most, now) {
      const unused = db.selectFrom('sources').select('url').where('asset', 'not in', onAir);
      const beyond = unused.orderBy('used_at', 'desc').limit(NO_LIMIT).offset(most);
      await atomically([
        db.deleteFrom('sources').where('used_at', '<', before).where('asset', 'not in', onAir),
        db.deleteFrom('sources').where('url', 'in', beyond),
        db
          .deleteFrom('assets')
          .where('used_at', '<', now - IN_HAND)
          .where('key', 'not in', db.selectFrom('sources').select('asset'))
          .where('key', 'not in', onAir),
      ]);
    },
    async put(url, asset, importedAt) {
      const body = packAsset(asset);
      const key = createHash('sha256').update(body).digest('hex').slice(0, 32);
      const source = { asset: key, imported_at: importedAt, used_at: importedAt };
      await atomically([
        db
          .insertInto('assets')
          .values({ key, body, used_at: importedAt })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ used_at: importedAt })),
        db
          .insertInto('sources')
          .values({ url, ...source })
          .onConflict((conflict) => conflict.column('url').doUpdateSet(source)),
      ]);
      if (held.get(key)?.deref() === undefined) keep(key, asset);
      return key;
    },
    async latest(url, now) {
      const row = await db.selectFrom('sources').selectAll().where('url', '=', url).executeTakeFirst();
      if (row === undefined) return undefined;
      if (now - Number(row.used_at) > NOTED && !(await noteUse(url, row.asset, now).catch(() => true)))
        return undefined;
      const asset = await find(row.asset);
      return asset && { key: row.asset, asset, importedAt: millis(Number(row.imported_at)) as Millis };
    },
  };
}
