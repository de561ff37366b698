// SPDX-License-Identifier: Apache-2.0
// Migrates deliveries and beacons that were stored before m009Tracking.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { beforeMigration } from '../../../test/servers/sqlStores.ts';
import { m009Tracking } from './migrations/m009Tracking.ts';

beforeMigration(m009Tracking, (database, migrateOn) => {
  test('deliveries that were already counted are not counted again', async () => {
    const db = database();
    await sql`
      insert into deliveries (session_id, ad_id, chunk, ends, pictures, sound, pictures_before, sound_before, first_at, last_at)
      values ('s', '1-2-0', 0, '[2000,4000]', 3, 1, 1, 0, 100000, 102000)`.execute(db);
    await migrateOn();
    const { rows } = await sql`
      select pictures, sound, pictures_counted, sound_counted, counted from deliveries`.execute(db);
    expect(rows).toEqual([{ pictures: 3, sound: 1, pictures_counted: 3, sound_counted: 1, counted: null }]);
  });

  test('beacons keep their due times as far as the old rows contain them', async () => {
    const db = database();
    const insert = (nth: number, row: { due: number; claimed?: number; attempts?: number; outcome?: string }) =>
      sql`
      insert into beacons (tenant, channel_id, session_id, ad_id, event, nth, host, url, viewer, recorded_at, due_at,
        is_claimed, attempts, unsure, outcome)
      values ('t', 'c', 's', '1-2-0', 'start', ${sql.lit(nth)}, 'a.test', 'https://a.test/', null, 100000,
        ${sql.lit(row.due)}, ${sql.lit(row.claimed ?? 0)}, ${sql.lit(row.attempts ?? 0)}, 0,
        ${row.outcome === undefined ? sql.lit(null) : sql.lit(row.outcome)})`.execute(db);
    // Not tried yet; under way; waiting for its second attempt; sent at the first and at the third; claimed early.
    await insert(0, { due: 107_000 });
    await insert(1, { due: 140_000, claimed: 1, attempts: 1 });
    await insert(2, { due: 119_000, attempts: 1 });
    await insert(3, { due: 138_000, attempts: 1, outcome: 'sent' });
    await insert(4, { due: 250_000, attempts: 3, outcome: 'sent' });
    await insert(5, { due: 129_990, attempts: 1, outcome: 'failed' });
    await migrateOn();
    const { rows } = await sql<{ due: unknown; next: unknown }>`
      select due_at as due, next_at as next from beacons order by nth`.execute(db);
    expect(rows.map(({ due, next }) => [Number(due), next === null ? undefined : Number(next)])).toEqual([
      [107_000, 107_000],
      [110_000, 140_000],
      [100_000, 119_000],
      [108_000, undefined],
      [100_000, undefined],
      [100_000, undefined],
    ]);
  });
});
