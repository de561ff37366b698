// SPDX-License-Identifier: Apache-2.0
// Stores the schedules of linear channels. Their rules are in src/scheduling.
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import type { KnownEntry, PlacedEntry, ScheduleBefore, ScheduleStore } from '../../../scheduling/ports.ts';
import type { Entry, ScheduleSettings } from '../../../scheduling/schedule.ts';
import { millis } from '../../../time/units.ts';
import { auditInsertion } from '../records/auditInsertion.ts';
import type { Sql } from '../sql.ts';
import { countOf, decodeAll } from '../sqlRecords.ts';
import type { SqlStatement } from '../statement.ts';
import { isStoredOnce } from '../uniqueViolation.ts';

/** Versions that can be undone, one after the other. */
const KEPT_CHANGES = 50;
/** Rows of a statement: SQLite and PostgreSQL limit its parameters. */
const CHUNK = 500;

type Row = { id: string; at: number; position: number; is_fixed: number; length: number | null };

const placeOf = ({ at, position, length }: Row) => ({
  at: millis(Number(at)),
  order: position,
  ...(length === null ? {} : { length: millis(Number(length)) }),
});

const chunksOf = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, index) =>
    items.slice(index * CHUNK, (index + 1) * CHUNK),
  );

export function sqlSchedules(store: Sql): ScheduleStore<AuditEntry> {
  const { db } = store;
  const ofChannel = ({ tenant, id }: ChannelRef) => ({ tenant, channel_id: id });
  const entriesOf = (channel: ChannelRef) =>
    db.selectFrom('schedule_entries').where((row) => row.and(ofChannel(channel)));
  const columns = ['id', 'at', 'position', 'is_fixed', 'length'] as const;

  const decode = (rows: readonly (Row & { body: string })[]): Promise<PlacedEntry[]> =>
    decodeAll(
      rows.map((row) => ({ ...row, version: 0 })),
      (row) => ({ entry: JSON.parse(row.body) as Entry, ...placeOf(row as unknown as Row) }),
    );

  const removal = (channel: ChannelRef, ids: readonly string[]): SqlStatement[] =>
    chunksOf(ids).map((chunk) =>
      db
        .deleteFrom('schedule_entries')
        .where((row) => row.and(ofChannel(channel)))
        .where('id', 'in', chunk),
    );

  const insertion = (channel: ChannelRef, entries: readonly PlacedEntry[]): SqlStatement[] =>
    chunksOf(entries).map((chunk) =>
      db.insertInto('schedule_entries').values(
        chunk.map(({ entry, at, order, length }) => ({
          ...ofChannel(channel),
          id: entry.id,
          at,
          position: order,
          is_fixed: entry.start === undefined ? 0 : 1,
          length: length ?? null,
          body: JSON.stringify(entry),
        })),
      ),
    );

  const placing = (channel: ChannelRef, entries: readonly KnownEntry[]): SqlStatement[] =>
    entries.map(({ id, at, order, length }) =>
      db
        .updateTable('schedule_entries')
        .set({ at, position: order, length: length ?? null })
        .where((row) => row.and({ ...ofChannel(channel), id })),
    );

  return {
    async find(channel) {
      const row = await db
        .selectFrom('schedules')
        .selectAll()
        .where((one) => one.and(ofChannel(channel)))
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { version, created_at: createdAt, modified_at: modifiedAt, modified_by: modifiedBy, body } = row;
      const settings = JSON.parse(body) as ScheduleSettings;
      return { settings, version, createdAt, modifiedAt, ...(modifiedBy === null ? {} : { modifiedBy }) };
    },
    async known(channel) {
      const rows = await entriesOf(channel).select(columns).orderBy('at').orderBy('position').execute();
      return rows.map((row): KnownEntry => ({ id: row.id, isFixed: row.is_fixed === 1, ...placeOf(row) }));
    },
    async entries(channel, from, to) {
      const inOrder = entriesOf(channel).select([...columns, 'body']);
      const before = await inOrder
        .where('at', '<', from)
        .orderBy('at', 'desc')
        .orderBy('position', 'desc')
        .limit(1)
        .execute();
      const within = await inOrder
        .where('at', '>=', from)
        .where('at', '<', to)
        .orderBy('at')
        .orderBy('position')
        .execute();
      return decode([...before, ...within]);
    },
    async byId(channel, ids) {
      const found: PlacedEntry[] = [];
      for (const chunk of chunksOf(ids)) {
        const rows = await entriesOf(channel)
          .select([...columns, 'body'])
          .where('id', 'in', chunk)
          .execute();
        found.push(...(await decode(rows)));
      }
      return found;
    },
    unread: (channel) => countOf(entriesOf(channel).where('length', 'is', null)),
    change(channel, version, change, audit) {
      const own = ofChannel(channel);
      const next = version === undefined ? 0 : version + 1;
      const { settings, put, moved, removed, before, by, at } = change;
      const row = { version: next, modified_at: at, modified_by: by, body: JSON.stringify(settings) };
      const statements: SqlStatement[] = [
        // Fails if another change of this version was stored.
        db.insertInto('schedule_changes').values({ ...own, version: next, body: JSON.stringify(before) }),
        version === undefined
          ? db.insertInto('schedules').values({ ...own, created_at: at, ...row })
          : db
              .updateTable('schedules')
              .set(row)
              .where((one) => one.and(own)),
        ...removal(channel, [...removed, ...put.map(({ entry }) => entry.id)]),
        ...insertion(channel, put),
        ...placing(channel, moved),
        db
          .deleteFrom('schedule_changes')
          .where((one) => one.and(own))
          .where('version', '<=', next - KEPT_CHANGES),
        ...(audit === undefined ? [] : [auditInsertion(store, audit)]),
      ];
      return isStoredOnce(store.atomically(statements));
    },
    async before(channel, version) {
      const row = await db
        .selectFrom('schedule_changes')
        .select('body')
        .where((one) => one.and({ ...ofChannel(channel), version }))
        .executeTakeFirst();
      return row && (JSON.parse(row.body) as ScheduleBefore);
    },
    async place(channel, entries) {
      for (const chunk of chunksOf(entries)) await store.atomically(placing(channel, chunk));
    },
  };
}
