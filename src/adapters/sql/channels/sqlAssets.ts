// SPDX-License-Identifier: Apache-2.0
// Stores imported assets by the hash of their content, and the latest import of each URL. Keeps the unpacked assets
// that are in use in memory. Importing is left to src/ingest, reading the media to src/playback.
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { AssetStore } from '../../../channels/ports.ts';
import { packAsset, unpackAsset } from '../../../ingest/package/packAsset.ts';
import { type Millis, millis } from '../../../time/units.ts';
import type { Asset } from '../../../timeline/asset/asset.ts';
import { checkedPrefix } from '../schema/channelTables.ts';
import type { Sql } from '../sql.ts';

/** Assets that stay in memory although no channel uses them: some will be used again soon. */
const MAX_CACHED = 100;

/** The last use of an asset is recorded at most this often. */
const USE_INTERVAL_MS = 3_600_000;
/** How long an unused asset is kept: a channel may be about to use it. */
const UNUSED_KEPT_MS = 2 * USE_INTERVAL_MS;
const NO_LIMIT = 2 ** 31;

const checkedRow = (tenant: string, url: string): string => `${checkedPrefix(tenant)}${url}`;

export function sqlAssets({ kind, db, atomically }: Sql): AssetStore {
  const recent = new LRUCache<string, Asset>({ max: MAX_CACHED });
  /** Ensures that an asset in use by this process is unpacked once, however many assets there are. */
  const held = new Map<string, WeakRef<Asset>>();
  const released = new FinalizationRegistry<string>((key) => {
    if (held.get(key)?.deref() === undefined) held.delete(key);
  });
  const keep = (key: string, asset: Asset): Asset => {
    recent.set(key, asset);
    held.set(key, new WeakRef(asset));
    released.register(asset, key);
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

  /**
   * Keys of assets in the editions of all lives. A regular expression, because PostgreSQL's JSON rejects some URLs in
   * them.
   */
  const onAir =
    kind === 'sqlite'
      ? sql<string>`(select value ->> 'asset' from editions, json_each(editions.body, '$.slots')
          where value ->> 'asset' is not null)`
      : sql<string>`(select found[1] from editions, regexp_matches(editions.body, '"asset":"([0-9a-f]+)"', 'g') as found)`;

  /** In one transaction, so that both rows have the same age. @returns false if the URL was removed or imported again */
  async function recordUse(url: string, key: string, now: Millis): Promise<boolean> {
    const [isThere] = await atomically([
      db.updateTable('sources').set({ used_at: now }).where('url', '=', url).where('asset', '=', key),
      db.updateTable('assets').set({ used_at: now }).where('key', '=', key),
    ]);
    return isThere === 1;
  }

  const sourceRow = (url: string, asset: string, at: Millis) => {
    const source = { asset, imported_at: at, used_at: at };
    return db
      .insertInto('sources')
      .values({ url, ...source })
      .onConflict((conflict) => conflict.column('url').doUpdateSet(source));
  };

  return {
    find,
    markChecked: async (tenant, url, key, now) =>
      void (await atomically([sourceRow(checkedRow(tenant, url), key, now)])),
    async isUsedBy(tenant, url) {
      const urls = [url, checkedRow(tenant, url)];
      const rows = await db.selectFrom('sources').select(['url', 'asset']).where('url', 'in', urls).execute();
      if (rows.some((row) => row.url !== url)) return true;
      const [latest] = rows;
      if (latest === undefined) return false;
      const { rows: used } = await sql`
        select 1 where exists (select 1 from editions join airings on airings.life = editions.life
            where airings.tenant = ${tenant} and editions.body like ${`%"asset":"${latest.asset}"%`})
          or exists (select 1 from titles where tenant = ${tenant} and asset = ${latest.asset})`.execute(db);
      return used.length > 0;
    },
    // A library of VoD titles may have more than `most` URLs. Beyond it, a title is imported again when it is opened; sessions
    // refer to assets, which are kept as long as a session may need them (sessions/keepAssets.ts).
    async forgetUnused(before, most, now) {
      const unused = db.selectFrom('sources').select('url').where('asset', 'not in', onAir);
      const beyond = unused.orderBy('used_at', 'desc').limit(NO_LIMIT).offset(most);
      await atomically([
        db.deleteFrom('sources').where('used_at', '<', before).where('asset', 'not in', onAir),
        db.deleteFrom('sources').where('url', 'in', beyond),
        db
          .deleteFrom('assets')
          .where('used_at', '<', now - UNUSED_KEPT_MS)
          .where('key', 'not in', db.selectFrom('sources').select('asset'))
          .where('key', 'not in', onAir)
          .where((where) => where.or([where('keep_until', 'is', null), where('keep_until', '<', now)])),
      ]);
    },
    async put(url, asset, importedAt) {
      const body = packAsset(asset);
      const key = createHash('sha256').update(body).digest('hex').slice(0, 32);
      await atomically([
        db
          .insertInto('assets')
          .values({ key, body, used_at: importedAt })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ used_at: importedAt })),
        sourceRow(url, key, importedAt),
      ]);
      if (held.get(key)?.deref() === undefined) keep(key, asset);
      return key;
    },
    async latest(url, now) {
      const row = await db.selectFrom('sources').selectAll().where('url', '=', url).executeTakeFirst();
      if (row === undefined) return undefined;
      if (now - row.used_at > USE_INTERVAL_MS && !(await recordUse(url, row.asset, now).catch(() => true)))
        return undefined;
      const asset = await find(row.asset);
      return asset && { key: row.asset, asset, importedAt: millis(row.imported_at) };
    },
  };
}
