// SPDX-License-Identifier: Apache-2.0
// What viewers were shown, for frequency caps: a row for each viewer, replaced only in the version that was read.
import { sql } from 'kysely';
import type { ShownAdsStore, ViewerKey } from '../../../sessions/ports.ts';
import { compileOnce } from '../compileOnce.ts';
import type { Sql } from '../sql.ts';

type Write = ViewerKey & { readonly text: string; readonly version: number; readonly keepUntil: number };

/** Rows that one statement removes. */
const MAX_REMOVED = 500;

export function sqlShownAds({ db, kind, run }: Sql): ShownAdsStore {
  const greatest = sql.raw(kind === 'postgres' ? 'greatest' : 'max');
  // If several nodes do this at once, none waits for rows that another one removes.
  const unlocked = sql.raw(kind === 'postgres' ? 'for update skip locked' : '');
  const find = compileOnce(({ tenant, key }: ViewerKey) =>
    db.selectFrom('shown_ads').select(['body', 'version']).where('tenant', '=', tenant).where('viewer', '=', key),
  );
  // The first version is a time that no version of a removed row has reached.
  const insert = compileOnce(
    ({ tenant, key, text, keepUntil }: Write) => sql`
      insert into shown_ads (tenant, viewer, body, version, keep_until)
      values (${tenant}, ${key}, ${text}, cast(${keepUntil} as bigint), cast(${keepUntil} as bigint))
      on conflict (tenant, viewer) do nothing`,
  );
  const update = compileOnce(
    ({ tenant, key, text, version, keepUntil }: Write) => sql`
      update shown_ads
      set body = ${text}, version = version + 1, keep_until = ${greatest}(keep_until, cast(${keepUntil} as bigint))
      where tenant = ${tenant} and viewer = ${key} and version = ${version}`,
  );
  return {
    async read({ tenant, key }) {
      const [row] = (await run(find({ tenant, key }))).rows;
      return row && { text: row.body, version: row.version };
    },
    async write({ tenant, key }, text, version, keepUntil) {
      const statement = version === 0 ? insert : update;
      return (await run(statement({ tenant, key, text, version, keepUntil }))).changes === 1;
    },
    async expire(now) {
      const { changes } = await run(sql`
        delete from shown_ads where (tenant, viewer) in
          (select tenant, viewer from shown_ads where keep_until < ${now}
           order by keep_until limit ${MAX_REMOVED} ${unlocked})`);
      return changes === MAX_REMOVED;
    },
  };
}
