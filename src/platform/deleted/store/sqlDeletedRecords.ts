// SPDX-License-Identifier: Apache-2.0
// Keeps deleted records for as long as they can be restored. Bodies move as they are stored, so what is encrypted
// stays so.
import { sql } from 'kysely';
import { channelColumns, remainsRemoval } from '../../../adapters/sql/channels/sqlChannels.ts';
import { listsSource } from '../../../adapters/sql/channels/sqlLists.ts';
import { playlistColumns } from '../../../adapters/sql/channels/sqlPlaylists.ts';
import { auditInsertion } from '../../../adapters/sql/records/auditInsertion.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { SqlStatement } from '../../../adapters/sql/statement.ts';
import { isUniqueViolation } from '../../../adapters/sql/uniqueViolation.ts';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import { type Millis, millis } from '../../../time/units.ts';
import { adSourceColumns } from '../../adSources/store/sqlAdSources.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import {
  type DeletedRecord,
  type DeletedStore,
  type Deletion,
  MAX_DELETED,
  type RestorableKind,
  restorableUntil,
} from '../rules/deletedRecord.ts';
import type { DeletedRecordTable } from './deletedTables.ts';

const tableOf = {
  playlist: 'playlists',
  channel: 'channels',
  system: 'systems',
  'ad source': 'ad_sources',
} as const;
const columnsOf = {
  playlist: playlistColumns,
  channel: channelColumns,
  system: () => ({}),
  'ad source': adSourceColumns,
};
/** Records removed for good in one transaction. */
const MAX_PURGED_AT_ONCE = 50;

const columns = ['ref', 'kind', 'id', 'name', 'deleted_at', 'deleted_by', 'until_at'] as const;
type Row = Pick<DeletedRecordTable, (typeof columns)[number]>;
const toRecord = ({ ref, kind, id, name, ...row }: Row): DeletedRecord => ({
  ref,
  kind: kind as RestorableKind,
  id,
  ...(name === null ? {} : { name: JSON.parse(name) as string }),
  deletedAt: millis(Number(row.deleted_at)),
  deletedBy: row.deleted_by,
  until: millis(Number(row.until_at)),
});

export function sqlDeletedRecords(store: Sql): DeletedStore {
  const { db } = store;
  const current = (tenant: string, now: number) =>
    db.selectFrom('deleted_records').where('tenant', '=', tenant).where('until_at', '>', now);

  function discardStatements(deletion: Deletion): { statements: SqlStatement[]; removal: SqlStatement } {
    const { ref, kind, tenant, id, name, version, deletedAt, deletedBy, unlessLastOf } = deletion;
    // The tables share what is read here.
    const table = tableOf[kind] as 'systems';
    const conditions = [sql`tenant = ${tenant} and id = ${id}`];
    if (version !== undefined) conditions.push(sql`version = ${version}`);
    if (unlessLastOf !== undefined) {
      const others = unlessLastOf.filter((one) => one !== id);
      conditions.push(
        others.length === 0
          ? sql`1 = 0`
          : sql`exists (select 1 from ${sql.table(table)} as other where other.tenant = ${tenant}
              and other.id in (${sql.join(others)}))`,
      );
    }
    if (kind === 'ad source')
      conditions.push(
        sql`not exists (select 1 from channels where channels.tenant = ${tenant} and ${listsSource(store, id)})`,
      );
    const where = sql<boolean>`${sql.join(conditions, sql` and `)}`;
    const removal = db.deleteFrom(table).where(where);
    const insertion = sql`insert into deleted_records
      (tenant, id, record_seq, version, body, ref, kind, name, deleted_by, deleted_at, until_at)
      select tenant, id, seq, version, body, cast(${ref} as text), cast(${kind} as text),
        cast(${name === undefined ? null : JSON.stringify(name)} as text), cast(${deletedBy} as text),
        cast(${deletedAt} as bigint), cast(${restorableUntil(deletedAt)} as bigint)
      from ${sql.table(table)} where ${where}`;
    const beyond = db.selectFrom('deleted_records').select('seq').where('tenant', '=', tenant).orderBy('seq', 'desc');
    const statements = [
      // Locks the row of the tenant: of two deletions at once, the second one sees the result of the first.
      ...(unlessLastOf ? [db.updateTable('tenants').set({ name: tenant }).where('name', '=', tenant)] : []),
      // Locks the record, so that the version that is kept is the one that is deleted.
      db.updateTable(table).set({ version: sql<number>`version` }).where(where),
      insertion,
      removal,
      ...(kind === 'channel' ? switchOffStatements({ tenant, id }, deletedAt) : []),
      db
        .updateTable('deleted_records')
        .set({ until_at: 0 })
        .where('tenant', '=', tenant)
        .where('until_at', '>', 0)
        .where('seq', '<=', beyond.limit(1).offset(MAX_DELETED)),
    ];
    return { statements, removal };
  }

  /** What a deleted channel has on air ends after the grace period, even if this process is killed before it plans that. */
  const switchOffStatements = ({ tenant, id }: ChannelRef, at: Millis): SqlStatement[] =>
    (['airings', 'live_feeds'] as const).map((lives) =>
      db
        .updateTable(lives as 'airings')
        .set({ off_since: at })
        .where(
          sql<boolean>`tenant = ${tenant} and channel_id = ${id} and off_since is null
            and not exists (select 1 from channels where tenant = ${tenant} and id = ${id})`,
        ),
    );

  function restoreStatements(
    { ref, tenant, kind, id, body }: Pick<DeletedRecordTable, 'ref' | 'tenant' | 'kind' | 'id' | 'body'>,
    now: number,
  ): SqlStatement[] {
    const deleted = current(tenant, now).where('ref', '=', ref);
    const fields = ['tenant', 'id', 'version', 'body'] as const;
    const removal = db.deleteFrom('deleted_records').where('ref', '=', ref);
    const further = Object.entries(columnsOf[kind as RestorableKind](JSON.parse(body)));
    const insertion = db
      // All tables have the columns of the one with the most.
      .insertInto(tableOf[kind as RestorableKind] as 'channels')
      .columns(['seq', ...fields, ...further.map(([column]) => column as 'name')])
      .expression(
        deleted.select([
          'record_seq',
          ...fields,
          ...further.map(([column, value]) => sql<string>`cast(${value} as text)`.as(column)),
        ]),
      );
    if (kind !== 'channel') return [insertion, removal];
    // A channel that was deleted later with this id has left what is there.
    const isOlder = sql<boolean>`exists (select 1 from deleted_records as later where later.tenant = ${tenant}
      and later.kind = 'channel' and later.id = ${id}
      and later.seq > (select seq from deleted_records where ref = ${ref}))`;
    return [...remainsRemoval(store, { tenant, id }, isOlder), insertion, removal];
  }

  /** @returns how many rows the statement at the index has changed */
  async function changeWith(statements: readonly SqlStatement[], index: number, entry: AuditEntry | undefined) {
    const statement = statements[index];
    if (entry === undefined || statement === undefined) return (await store.atomically(statements))[index];
    const [before, after] = [statements.slice(0, index), statements.slice(index + 1)];
    return store.change({ before, statement, ifChanged: auditInsertion(store, entry), after });
  }

  return {
    async discard(deletion, entry) {
      const { statements, removal } = discardStatements(deletion);
      const isDiscarded = (await changeWith(statements, statements.indexOf(removal), entry)) === 1;
      const { kind, tenant, id } = deletion;
      if (isDiscarded) store.gathered()?.keep({ table: tableOf[kind], tenant, id }, undefined);
      return isDiscarded;
    },
    async find(tenant, ref, now) {
      const row = await current(tenant, now).select(columns).where('ref', '=', ref).executeTakeFirst();
      return row && toRecord(row);
    },
    async list(tenant, { offset, limit, kind }, now) {
      const all = kind === undefined ? current(tenant, now) : current(tenant, now).where('kind', '=', kind);
      const [counted, rows] = await Promise.all([
        all.select(sql<number>`count(*)`.as('total')).executeTakeFirst(),
        all.select(columns).orderBy('seq', 'desc').limit(limit).offset(offset).execute(),
      ]);
      return { total: Number(counted?.total ?? 0), items: rows.map(toRecord) };
    },
    async restore(tenant, ref, now, entry) {
      const row = await current(tenant, now)
        .select(['ref', 'tenant', 'kind', 'id', 'version', 'body'])
        .where('ref', '=', ref)
        .executeTakeFirst();
      if (row === undefined) return 'unknown';
      try {
        const statements = restoreStatements(row, now);
        if ((await changeWith(statements, statements.length - 2, entry)) !== 1) return 'unknown';
        const { kind, id, version, body } = row;
        store
          .gathered()
          ?.keep({ table: tableOf[kind as RestorableKind], tenant, id }, { ...JSON.parse(body), version });
        return 'restored';
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        const table = tableOf[row.kind as RestorableKind] as 'systems';
        const taken = db.selectFrom(table).select('id').where('tenant', '=', tenant).where('id', '=', row.id);
        return (await taken.executeTakeFirst()) === undefined ? 'keyTaken' : 'idTaken';
      }
    },
    async purge(now) {
      for (;;) {
        const old = await db
          .selectFrom('deleted_records')
          .select(['ref', 'tenant', 'kind', 'id'])
          .where('until_at', '<=', now)
          .orderBy('until_at')
          .limit(MAX_PURGED_AT_ONCE)
          .execute();
        if (old.length === 0) return;
        const refs = old.map(({ ref }) => ref);
        const isForgotten = ({ tenant, id }: { tenant: string; id: string }) =>
          sql<boolean>`not exists (select 1 from deleted_records as kept where kept.tenant = ${tenant}
            and kept.kind = 'channel' and kept.id = ${id})`;
        await store.atomically([
          db.deleteFrom('deleted_records').where('ref', 'in', refs),
          ...old
            .filter(({ kind }) => kind === 'channel')
            .flatMap((channel) => remainsRemoval(store, channel, isForgotten(channel))),
        ]);
      }
    },
  };
}
