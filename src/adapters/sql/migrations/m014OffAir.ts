// SPDX-License-Identifier: Apache-2.0
// When a channel with a life was switched off, and when it was switched on again.
import type { Kysely } from 'kysely';

export async function m014OffAir(db: Kysely<unknown>): Promise<void> {
  for (const column of ['off_since', 'on_since']) {
    await db.schema.alterTable('airings').addColumn(column, 'bigint').execute();
  }
}
