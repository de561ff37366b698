// SPDX-License-Identifier: Apache-2.0
// Stores which creatives are published to which cloud containers, and the state of the containers.

import type { ExpressionBuilder, Selectable } from 'kysely';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { Database } from '../../../adapters/sql/sqlSchema.ts';
import { withoutUndefined } from '../../../invariant.ts';
import { millis } from '../../../time/units.ts';
import type { ContainerState, Publication, PublicationRow, PublicationStore } from '../rules/ports.ts';
import type { PublicationTable } from './systemTables.ts';

/** The last use of a publication is recorded at most this often. */
const USE_INTERVAL_MS = 3_600_000;

const readRow = (row: Selectable<PublicationTable>): PublicationRow => ({
  location: row.location,
  edition: row.edition,
  frames: Number(row.frames),
  state: row.state as PublicationRow['state'],
  objects: Number(row.objects),
  bytes: Number(row.bytes),
  tries: Number(row.tries),
  dueAt: millis(Number(row.due_at)),
  usedAt: millis(Number(row.used_at)),
  changedAt: millis(Number(row.changed_at)),
});

const columnsOf = (change: Partial<Omit<PublicationRow, keyof Publication>>): Partial<PublicationTable> => {
  const { dueAt, usedAt, changedAt, ...rest } = change;
  return { ...rest, ...withoutUndefined({ due_at: dueAt, used_at: usedAt, changed_at: changedAt }) };
};

export function sqlPublications({ db }: Sql): PublicationStore {
  const rows = () => db.selectFrom('publications').selectAll();
  const key = ({ location, edition, frames }: Publication) => ({ location, edition, frames });
  const isSame = (one: Publication) => (is: ExpressionBuilder<Database, 'publications'>) => is.and(key(one));

  return {
    want: async (publication, now) => {
      const fresh = { objects: 0, bytes: 0, tries: 0, due_at: now, used_at: now, changed_at: now };
      await db
        .insertInto('publications')
        .values({ ...key(publication), state: 'wanted', ...fresh })
        .onConflict((conflict) =>
          conflict
            .columns(['location', 'edition', 'frames'])
            .doUpdateSet({ used_at: now })
            .where('publications.used_at', '<', now - USE_INTERVAL_MS),
        )
        .execute();
    },
    due: async (locations, now, limit) => {
      if (locations.length === 0) return [];
      const found = await rows()
        .where('state', 'in', ['wanted', 'going'])
        .where('due_at', '<=', now)
        .where('location', 'in', [...locations])
        .orderBy('due_at')
        .limit(limit)
        .execute();
      return found.map(readRow);
    },
    claim: async (row, until) => {
      const result = await db
        .updateTable('publications')
        .set({ due_at: until, tries: row.tries + 1 })
        .where(isSame(row))
        .where('due_at', '=', row.dueAt)
        .where('state', '=', row.state)
        .executeTakeFirst();
      return result.numUpdatedRows === 1n;
    },
    settle: async (row, change) =>
      void (await db.updateTable('publications').set(columnsOf(change)).where(isSame(row)).execute()),
    forget: async (publication) => void (await db.deleteFrom('publications').where(isSame(publication)).execute()),
    tally: async (location) => {
      const counted = await db
        .selectFrom('publications')
        .select(['state', (query) => query.fn.countAll().as('count')])
        .where('location', '=', location)
        .groupBy('state')
        .execute();
      const of = (state: PublicationRow['state']) => Number(counted.find((row) => row.state === state)?.count ?? 0);
      return { waiting: of('wanted'), published: of('published') };
    },
    all: async (location) => (await rows().where('location', '=', location).execute()).map(readRow),
    changedSince: async (at) => (await rows().where('changed_at', '>=', at).execute()).map(readRow),
    noteState: async ({ location, reason, checkedAt }) => {
      const columns = { reason: reason ?? null, checked_at: checkedAt };
      await db
        .insertInto('containers')
        .values({ location, ...columns })
        .onConflict((conflict) => conflict.column('location').doUpdateSet(columns))
        .execute();
    },
    states: async () => {
      const found = await db.selectFrom('containers').selectAll().execute();
      return found.map(({ location, reason, checked_at }): ContainerState => {
        return {
          location,
          ...withoutUndefined({ reason: reason ?? undefined }),
          checkedAt: millis(Number(checked_at)),
        };
      });
    },
  };
}
