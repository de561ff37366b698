// SPDX-License-Identifier: Apache-2.0
// Stores distributors as JSON records, and their keys by hash. A key that a change has left behind finds a distributor that does not
// have it.
import { sql } from 'kysely';
import { auditInsertion } from '../../../adapters/sql/records/auditInsertion.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { type Body, jsonBody } from '../../../adapters/sql/sqlRecords.ts';
import type { SqlStatement } from '../../../adapters/sql/statement.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { Versioned } from '../../../channels/ports.ts';
import { type Distributor, MAX_DISTRIBUTORS } from '../rules/distributor.ts';
import type { DistributorStore } from '../rules/ports.ts';

/** Rows of a statement: databases limit its parameters. */
const CHUNK = 500;
/** Uses may be written together with others. */
const MAY_WAIT_MS = 1000;

const decode = ({ version, body }: Body): Versioned<Distributor> => ({ ...jsonBody.read<Distributor>(body), version });
const chunksOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, at) => items.slice(at * CHUNK, (at + 1) * CHUNK));

export function sqlDistributors(store: Sql): DistributorStore {
  const { db } = store;
  const ofChannel = ({ tenant, id }: ChannelRef) => ({ tenant, channel_id: id });
  const placeOf = ({ tenant, channelId, id }: Distributor) => ({ tenant, channel_id: channelId, id });
  const bodies = db.selectFrom('distributors').select(['version', 'body']);

  /** Stores the keys that a distributor has now, unless another change was faster. */
  function keyStatements(distributor: Distributor, version: number): SqlStatement[] {
    const { tenant, channelId, id, keys } = distributor;
    const isStored = sql<boolean>`exists (select 1 from distributors where tenant = ${tenant} and channel_id = ${channelId}
      and id = ${id} and version = ${version} and body = ${jsonBody.write(distributor)})`;
    const hashes = keys.map(({ secretHash }) => secretHash);
    const others = db
      .deleteFrom('distributor_keys')
      .where((row) => row.and({ tenant, channel_id: channelId, distributor_id: id }))
      .where(isStored);
    return [
      hashes.length === 0 ? others : others.where('hash', 'not in', hashes),
      ...hashes.map(
        (hash) => sql`insert into distributor_keys (hash, tenant, channel_id, distributor_id)
          select cast(${hash} as text), cast(${tenant} as text), cast(${channelId} as text), cast(${id} as text)
          where ${isStored} on conflict do nothing`,
      ),
    ];
  }

  return {
    async list(channel) {
      const rows = await bodies
        .where((row) => row.and(ofChannel(channel)))
        .orderBy('seq', 'desc')
        .execute();
      return rows.map(decode);
    },
    async find(channel, id) {
      const row = await bodies.where((one) => one.and({ ...ofChannel(channel), id })).executeTakeFirst();
      return row && decode(row);
    },
    async byHash(hashes) {
      const found = new Map<string, Distributor>();
      for (const chunk of chunksOf(hashes)) {
        const rows = await db
          .selectFrom('distributor_keys as known')
          .innerJoin('distributors as owner', (join) =>
            join
              .onRef('owner.tenant', '=', 'known.tenant')
              .onRef('owner.channel_id', '=', 'known.channel_id')
              .onRef('owner.id', '=', 'known.distributor_id'),
          )
          .select(['known.hash', 'owner.version', 'owner.body'])
          .where('known.hash', 'in', chunk)
          .execute();
        for (const row of rows) found.set(row.hash, decode(row));
      }
      return found;
    },
    async insert(distributor, entry) {
      const { tenant, channelId, id } = distributor;
      // Concurrent transactions of PostgreSQL would not count each other's records.
      const lock = sql`select pg_advisory_xact_lock(hashtextextended(${`distributors/${tenant}/${channelId}`}, 0))`;
      const statement = sql`
        insert into distributors (tenant, channel_id, id, version, body)
        select cast(${tenant} as text), cast(${channelId} as text), cast(${id} as text), 0,
          cast(${jsonBody.write(distributor)} as text)
        where (select count(*) from distributors where tenant = ${tenant} and channel_id = ${channelId})
          < ${MAX_DISTRIBUTORS}
        on conflict do nothing`;
      const change = { statement, ifChanged: auditInsertion(store, entry), after: keyStatements(distributor, 0) };
      return (await store.change({ ...change, before: store.kind === 'postgres' ? [lock] : [] })) === 1;
    },
    async replace(distributor, entry) {
      const { version } = distributor;
      const statement = db
        .updateTable('distributors')
        .set({ version: version + 1, body: jsonBody.write(distributor) })
        .where((row) => row.and({ ...placeOf(distributor), version }));
      const ifChanged = auditInsertion(store, entry);
      return (await store.change({ statement, ifChanged, after: keyStatements(distributor, version + 1) })) === 1;
    },
    async remove(distributor, entry) {
      const { tenant, channelId, id, version } = distributor;
      const statement = db.deleteFrom('distributors').where((row) => row.and({ ...placeOf(distributor), version }));
      const rest = db
        .selectFrom('distributors')
        .select('id')
        .where((row) => row.and(placeOf(distributor)));
      const keys = db
        .deleteFrom('distributor_keys')
        .where((row) => row.and({ tenant, channel_id: channelId, distributor_id: id }))
        .where((where) => where.not(where.exists(rest)));
      return (await store.change({ statement, ifChanged: auditInsertion(store, entry), after: [keys] })) === 1;
    },
    async uses(channel) {
      const rows = await db
        .selectFrom('distributor_keys')
        .select(['hash', 'used_at'])
        .where((row) => row.and(ofChannel(channel)))
        .where('used_at', 'is not', null)
        .execute();
      return new Map(rows.map(({ hash, used_at: at }) => [hash, Number(at)]));
    },
    async noteUses(uses) {
      for (const chunk of chunksOf([...uses])) {
        const statements = chunk.map(([hash, at]) =>
          db
            .updateTable('distributor_keys')
            .set({ used_at: at })
            .where('hash', '=', hash)
            .where((row) => row.or([row('used_at', 'is', null), row('used_at', '<', at)])),
        );
        await store.atomically(statements, MAY_WAIT_MS);
      }
    },
  };
}
