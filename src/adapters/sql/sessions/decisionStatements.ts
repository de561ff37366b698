// SPDX-License-Identifier: Apache-2.0
// The statements of a decision, compiled once: the decision, the record of its break, and the removal of what is older.
import { type ExpressionBuilder, sql } from 'kysely';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { storedFill } from '../../../sessions/history/breakFill.ts';
import type { SessionState, StoredDecision } from '../../../sessions/ports.ts';
import type { Session } from '../../../sessions/session.ts';
import { BREAKS_KEPT_MS, hasAds, MAX_BREAKS } from '../../../sessions/sessionRules.ts';
import { compileOnce } from '../compileOnce.ts';
import { clockOf } from '../measure/databaseClock.ts';
import type { Sql, SqlStatement } from '../sql.ts';
import type { Database } from '../sqlSchema.ts';

type NewRow = {
  readonly id: string;
  readonly breakId: string;
  readonly startsAt: number;
  readonly body: string;
};
type NewRecord = NewRow & { readonly life: string | null; readonly hasAds: number; readonly fill: string };
type OfSession = { readonly id: string };

/** @param keepsTraces whether records that are removed are set aside for the history */
export function decisionStatements(store: Sql, keepsTraces: boolean) {
  const { db } = store;
  /** The row of a session that still exists. */
  const rowOf = ({ id, breakId, startsAt, body }: NewRow) =>
    db
      .selectFrom('sessions')
      .select([
        'id',
        sql<string>`cast(${breakId} as text)`.as('break_id'),
        sql<number>`cast(${startsAt} as bigint)`.as('starts_at'),
        sql<string>`cast(${body} as text)`.as('body'),
      ])
      .where('id', '=', id);
  const insertDecision = compileOnce((row: NewRow) =>
    db
      .insertInto('decisions')
      .columns(['session_id', 'break_id', 'starts_at', 'body', 'decided_at'])
      .expression(rowOf(row).select(clockOf(store).as('decided_at')))
      .onConflict((conflict) => conflict.columns(['session_id', 'break_id']).doNothing()),
  );
  const insertRecord = compileOnce((row: NewRecord) =>
    db
      .insertInto('breaks')
      .columns(['session_id', 'break_id', 'starts_at', 'body', 'life', 'has_ads', 'fill'])
      .expression(
        rowOf(row).select([
          sql<string>`cast(${row.life} as text)`.as('life'),
          sql<number>`cast(${row.hasAds} as integer)`.as('has_ads'),
          sql<string>`cast(${row.fill} as text)`.as('fill'),
        ]),
      )
      .onConflict((conflict) => conflict.columns(['session_id', 'break_id']).doNothing()),
  );
  const foldSession = compileOnce((of: OfSession & { odometer: string; from: number; to: number }) =>
    db
      .updateTable('sessions')
      .set({ odometer: of.odometer, folded_before: of.to })
      .where('id', '=', of.id)
      .where('folded_before', '=', of.from),
  );
  const removals = (['decisions', 'claims'] as const).map((table) =>
    compileOnce((of: OfSession) =>
      db
        .deleteFrom(table)
        .where('session_id', '=', of.id)
        .where('starts_at', '<', (query) =>
          query.selectFrom('sessions').select('folded_before').where('id', '=', of.id),
        ),
    ),
  );
  type OldBreaks = OfSession & { before: number };
  const isOld = (where: ExpressionBuilder<Database, 'breaks'>, of: OldBreaks) =>
    where.or([
      where('starts_at', '<', of.before),
      where(
        'starts_at',
        '<',
        where
          .selectFrom('breaks')
          .select('starts_at')
          .where('session_id', '=', of.id)
          .orderBy('starts_at', 'desc')
          .limit(1)
          .offset(MAX_BREAKS - 1),
      ),
    ]);
  const deleteOldBreaks = compileOnce((of: OldBreaks) =>
    db
      .deleteFrom('breaks')
      .where('session_id', '=', of.id)
      .where((where) => isOld(where, of)),
  );
  const setOldBreaksAside = compileOnce((of: OldBreaks) =>
    db
      .updateTable('breaks')
      .set({ is_aside: 1 })
      .where('session_id', '=', of.id)
      .where('is_aside', '=', 0)
      .where((where) => isOld(where, of)),
  );
  const removeOldBreaks = keepsTraces ? setOldBreaksAside : deleteOldBreaks;

  return {
    /** Inserts if the session still exists: changes 1 row if this was the first insert, otherwise 0. */
    insertDecision: (id: string, { breakId, startsAt }: StoredDecision, body: string): SqlStatement =>
      insertDecision({ id, breakId, startsAt, body }),
    /** The same for the record of its break. */
    insertRecord: (
      { id, life = null }: { readonly id: string; readonly life?: string | undefined | null },
      { breakId, startsAt }: StoredDecision,
      record: BreakRecord,
    ): SqlStatement =>
      insertRecord({
        ...{ id, life, breakId, startsAt, body: JSON.stringify(record) },
        ...{ hasAds: hasAds(record) ? 1 : 0, fill: storedFill(record) },
      }),
    /** Of several processes that fold at once, only the first one changes the odometer. */
    writeFold: ({ session: { id }, foldedBefore }: SessionState, folded: SessionState): SqlStatement[] => [
      foldSession({ id, odometer: JSON.stringify(folded.odometer), from: foldedBefore, to: folded.foldedBefore }),
      ...removals.map((remove) => remove({ id })),
    ],
    /** Records are many times larger than decisions, so old ones and those beyond a number are removed. */
    removeOldBreaks: (id: Session['id'], at: number): SqlStatement =>
      removeOldBreaks({ id, before: at - BREAKS_KEPT_MS }),
  };
}
