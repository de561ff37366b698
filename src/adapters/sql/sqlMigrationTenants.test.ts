// SPDX-License-Identifier: Apache-2.0
// Migrates channels that were stored before m012TenantsAndNodes, when their ids were unique across all tenants.
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { beforeMigration } from '../../../test/servers/sqlStores.ts';
import { m012TenantsAndNodes } from './migrations/m012TenantsAndNodes.ts';

type Row = Record<string, unknown>;

beforeMigration(m012TenantsAndNodes, (database, migrateOn) => {
  test('channels keep their order and versions, and lives keep their channels', async () => {
    const db = database();
    const channel = async (tenant: string, id: string, apiKey: string) => {
      const body = JSON.stringify({ id, tenant, apiKey });
      await sql`insert into channels (tenant, id, version, body, state, playlist_id)
        values (${tenant}, ${id}, 3, ${body}, 'enabled', 'p')`.execute(db);
    };
    const life = async (name: string, channelId: string, tenant?: string) => {
      const body = JSON.stringify({ channelId, life: name, ...(tenant ? { tenant } : {}) });
      await sql`insert into airings (channel_id, life, body) values (${channelId}, ${name}, ${body})`.execute(db);
      await sql`insert into editions (life, number, body) values (${name}, 0, '{}')`.execute(db);
    };
    await channel('acme', 'one', 'key');
    await channel('globex', 'two', 'key');
    await life('l1', 'one', 'acme');
    await life('old', 'two');
    await life('orphaned', 'gone');
    await migrateOn();

    const rows = async (query: ReturnType<typeof sql<Row>>) => (await query.execute(db)).rows;
    expect(await rows(sql<Row>`select tenant, id, version from channels order by seq`)).toEqual([
      { tenant: 'acme', id: 'one', version: 3 },
      { tenant: 'globex', id: 'two', version: 3 },
    ]);
    expect(await rows(sql<Row>`select tenant, channel_id, life from airings order by tenant`)).toEqual([
      { tenant: 'acme', channel_id: 'one', life: 'l1' },
      { tenant: 'globex', channel_id: 'two', life: 'old' },
    ]);
    expect(await rows(sql<Row>`select life from editions order by life`)).toEqual([{ life: 'l1' }, { life: 'old' }]);

    const insert = (tenant: string, id: string, hash: string) =>
      sql`insert into channels (tenant, id, version, body, state, playlist_id, key_hash)
        values (${tenant}, ${id}, 0, '{}', 'enabled', 'p', ${hash})`.execute(db);
    const [{ key_hash: hash } = { key_hash: '' }] = await rows(
      sql<Row>`select key_hash from channels where id = 'one'`,
    );
    await insert('globex', 'one', 'another');
    await expect(insert('globex', 'one', 'third')).rejects.toThrow();
    await expect(insert('initech', 'one', String(hash))).rejects.toThrow();
    const [last] = await rows(sql<Row>`select tenant, id from channels order by seq desc limit 1`);
    expect(last).toEqual({ tenant: 'globex', id: 'one' });
  });
});
