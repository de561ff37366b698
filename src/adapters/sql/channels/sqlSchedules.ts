// SPDX-License-Identifier: Apache-2.0
// Stores the schedules of linear channels. Their rules are in src/scheduling.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type CompiledQuery, sql } from 'kysely';
import type { ChannelRef } from '../../../channels/channelKey.ts';
import type { AuditEntry } from '../../../platform/audit/rules/auditEntry.ts';
import type { KnownEntry, PlacedEntry, ScheduleBefore, ScheduleStore } from '../../../scheduling/ports.ts';
import { type Entry, isPlaylistSource, type ScheduleSettings } from '../../../scheduling/schedule.ts';
import { millis } from '../../../time/units.ts';
import { jsonRows } from '../jsonRows.ts';
import { auditInsertion } from '../records/auditInsertion.ts';
import type { Sql } from '../sql.ts';
import { countOf, decodeAll } from '../sqlRecords.ts';
import type { SqlStatement } from '../statement.ts';
import { isStoredOnce } from '../uniqueViolation.ts';

/** Versions that can be undone, one after the other. */
const KEPT_CHANGES = 50;
/** Rows of a statement. */
const CHUNK = 200;

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

/** Characters: what undoes an import of a year has ten million, which are a twentieth compressed. */
const PLAIN = 100_000;

/** What undoes a change, as JSON, or as its gzip in base64. It may be as long as the schedule. */
async function bodyOf({ put, ...rest }: ScheduleBefore): Promise<string> {
  const parts: string[] = [];
  for (const chunk of chunksOf(put)) {
    parts.push(chunk.map((one) => JSON.stringify(one)).join());
    await nextTurn();
  }
  const body = `{"put":[${parts.join()}],${JSON.stringify(rest).slice(1)}`;
  return body.length <= PLAIN ? body : (await promisify(gzip)(body)).toString('base64');
}

async function readBody(body: string): Promise<ScheduleBefore> {
  const isPlain = body.startsWith('{');
  return JSON.parse(isPlain ? body : (await promisify(gunzip)(Buffer.from(body, 'base64'))).toString());
}

/** A statement that is not compiled again. */
const compiled = (query: CompiledQuery): SqlStatement => ({ compile: () => query });

const playlistsIn = ({ rules = [], fillerPlaylistId }: ScheduleSettings, put: readonly PlacedEntry[]): string[] => {
  const sources = [...rules.flatMap(({ entries }) => entries), ...put.map(({ entry }) => entry)].map(
    ({ source }) => source,
  );
  const named = sources.flatMap((source) => (isPlaylistSource(source) ? [source.playlistId] : []));
  return [...new Set(fillerPlaylistId === undefined ? named : [...named, fillerPlaylistId])];
};

export function sqlSchedules(store: Sql): ScheduleStore<AuditEntry> {
  const { db } = store;
  const ofChannel = ({ tenant, id }: ChannelRef) => ({ tenant, channel_id: id });
  const entriesOf = (channel: ChannelRef) =>
    db.selectFrom('schedule_entries').where((row) => row.and(ofChannel(channel)));
  const idRows = jsonRows(store.kind, 'id text');
  const placeRows = jsonRows(store.kind, 'id text, at bigint, position integer, length bigint');
  const entryRows = jsonRows(
    store.kind,
    'id text, at bigint, position integer, is_fixed integer, length bigint, body text',
  );
  const columns = ['id', 'at', 'position', 'is_fixed', 'length'] as const;

  const decode = (rows: readonly (Row & { body: string })[]): Promise<PlacedEntry[]> =>
    decodeAll(
      rows.map((row) => ({ ...row, version: 0 })),
      (row) => ({ entry: JSON.parse(row.body) as Entry, ...placeOf(row as unknown as Row) }),
    );

  /** Statements for some rows each, between which other work of this thread gets a turn. */
  async function inChunks<Item>(items: readonly Item[], statement: (chunk: readonly Item[]) => SqlStatement) {
    const statements: SqlStatement[] = [];
    for (const chunk of chunksOf(items)) {
      if (statements.length > 0) await nextTurn();
      statements.push(compiled(statement(chunk).compile(db)));
    }
    return statements;
  }

  const removal = (channel: ChannelRef, ids: readonly string[]) =>
    inChunks(
      ids,
      (chunk) => sql`delete from schedule_entries where tenant = ${channel.tenant} and channel_id = ${channel.id}
        and id in ${idRows(chunk.map((id) => [id]))}`,
    );

  const insertion = (channel: ChannelRef, entries: readonly PlacedEntry[]) =>
    inChunks(entries, (chunk) => {
      const rows = chunk.map(({ entry, at, order, length }) => [
        ...[entry.id, at, order, entry.start === undefined ? 0 : 1, length ?? null, JSON.stringify(entry)],
      ]);
      return sql`insert into schedule_entries (tenant, channel_id, id, at, position, is_fixed, length, body)
        select cast(${channel.tenant} as text), cast(${channel.id} as text), given.* from ${entryRows(rows)} as given`;
    });

  const placing = (channel: ChannelRef, entries: readonly KnownEntry[]) =>
    inChunks(entries, (chunk) => {
      const rows = placeRows(chunk.map(({ id, at, order, length }) => [id, at, order, length ?? null]));
      // For an update from rows, SQLite would read all rows for each entry of the channel.
      return sql`insert into schedule_entries (tenant, channel_id, id, at, position, is_fixed, length, body)
        select tenant, channel_id, known.id, given.at, given.position, is_fixed, given.length, body
        from ${rows} as given cross join schedule_entries as known
        where tenant = ${channel.tenant} and channel_id = ${channel.id} and known.id = given.id
        on conflict (tenant, channel_id, id)
          do update set at = excluded.at, position = excluded.position, length = excluded.length`;
    });

  /** Violates the unique key of schedules if there is one with another version, or with other lengths to be read. */
  const refusalUnless = (channel: ChannelRef, version: number, unread?: number): SqlStatement => {
    const all = ['tenant', 'channel_id', 'version', 'created_at', 'modified_at', 'body'] as const;
    const other = db
      .selectFrom('schedules')
      .select(all)
      .where((one) => one.and(ofChannel(channel)))
      .where((one) =>
        one.or([
          one('version', '!=', version),
          ...(unread === undefined
            ? []
            : [
                one(
                  entriesOf(channel).where('length', 'is', null).select(sql<number>`count(*)`.as('total')),
                  '!=',
                  unread,
                ),
              ]),
        ]),
      );
    return db.insertInto('schedules').columns(all).expression(other);
  };

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
        if (found.length > 0) await nextTurn();
        const rows = await entriesOf(channel)
          .select([...columns, 'body'])
          .where(sql<boolean>`id in ${idRows(chunk.map((id) => [id]))}`)
          .execute();
        found.push(...(await decode(rows)));
      }
      return found;
    },
    unread: (channel) => countOf(entriesOf(channel).where('length', 'is', null)),
    async change(channel, version, change, audit) {
      const own = ofChannel(channel);
      const next = version === undefined ? 0 : version + 1;
      const { settings, put, moved, removed, before, by, at } = change;
      const row = { version: next, modified_at: at, modified_by: by, body: JSON.stringify(settings) };
      const statements: SqlStatement[] = [
        // Each fails if another change of this version was stored: the first if it was long ago, the second at any time.
        ...(version === undefined ? [] : [refusalUnless(channel, version)]),
        db.insertInto('schedule_changes').values({ ...own, version: next, body: await bodyOf(before) }),
        version === undefined
          ? db.insertInto('schedules').values({ ...own, created_at: at, ...row })
          : db
              .updateTable('schedules')
              .set(row)
              .where((one) => one.and(own)),
        ...(await removal(channel, [...removed, ...put.map(({ entry }) => entry.id)])),
        ...(await insertion(channel, put)),
        ...(await placing(channel, moved)),
        ...playlistsIn(settings, put).map((playlistId) =>
          db
            .insertInto('schedule_playlists')
            .values({ ...own, playlist_id: playlistId })
            .onConflict((conflict) => conflict.doNothing()),
        ),
        db
          .deleteFrom('schedule_changes')
          .where((one) => one.and(own))
          .where('version', '<=', next - KEPT_CHANGES),
        ...(audit === undefined ? [] : [auditInsertion(store, audit)]),
      ];
      return isStoredOnce(store.atomically(statements));
    },
    async naming(tenant, playlistId) {
      const rows = await db
        .selectFrom('schedule_playlists')
        .select('channel_id')
        .where((one) => one.and({ tenant, playlist_id: playlistId }))
        .execute();
      return rows.map(({ channel_id: id }) => ({ tenant, id }));
    },
    async before(channel, version) {
      const row = await db
        .selectFrom('schedule_changes')
        .select('body')
        .where((one) => one.and({ ...ofChannel(channel), version }))
        .executeTakeFirst();
      return row && readBody(row.body);
    },
    async place(channel, { version, unread }, entries) {
      // Locks the row in PostgreSQL, so that no change is stored in between.
      const locking = db
        .updateTable('schedules')
        .set({ version })
        .where((one) => one.and({ ...ofChannel(channel), version }));
      const placed = await placing(channel, entries);
      return isStoredOnce(store.atomically([locking, refusalUnless(channel, version, unread), ...placed]));
    },
  };
}
