// SPDX-License-Identifier: Apache-2.0
// Stores excluded assets: assets that channels skip while their origin is unavailable, so that all nodes skip the same
// ones.
import type { ExcludedAssetStore } from '../../../planning/ports.ts';
import { millis } from '../../../time/units.ts';
import type { Sql } from '../sql.ts';

export function sqlExcludedAssets({ db, atomically }: Sql): ExcludedAssetStore {
  return {
    async find(url) {
      const row = await db.selectFrom('assets_aside').selectAll().where('url', '=', url).executeTakeFirst();
      if (row === undefined) return undefined;
      const { reason, until, times, is_back } = row;
      return { reason, until: millis(until), times, isImported: is_back === 1 };
    },
    async put(url, { reason, until, times, isImported: isBack }, forgetBefore) {
      const row = { reason, until, times, is_back: isBack ? 1 : 0 };
      await atomically([
        db.deleteFrom('assets_aside').where('until', '<', forgetBefore),
        db
          .insertInto('assets_aside')
          .values({ url, ...row })
          .onConflict((conflict) => conflict.column('url').doUpdateSet(row)),
      ]);
    },
    async markImported(url) {
      await db.updateTable('assets_aside').set({ is_back: 1 }).where('url', '=', url).execute();
    },
  };
}
