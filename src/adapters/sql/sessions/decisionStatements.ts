// SPDX-License-Identifier: Apache-2.0
// The statements of a decision, compiled once: the decision, the record of its break, and the removal of what is older.
import { sql } from 'kysely';
import type { BreakRecord } from '../../../ads/record/breakRecord.ts';
import { storedFill } from '../../../sessions/history/breakFill.ts';
import type { SessionState, StoredDecision } from '../../../sessions/ports.ts';
import type { Session } from '../../../sessions/session.ts';
import { BREAKS_KEPT_MS, hasAds, MAX_BREAKS } from '../../../sessions/sessionRules.ts';
import { compileOnce } from '../compileOnce.ts';
import { clockOf } from '../measure/databaseClock.ts';
import type { Sql } from '../sql.ts';
import type { SqlStatement } from '../statement.ts';

type OfSession = { readonly id: string };
type NewRow = OfSession & { readonly breakId: string; readonly startsAt: number; readonly body: string };
type NewRecord = NewRow & { readonly life: string | null; readonly hasAds: number; readonly fill: string };
type OldBreaks = OfSession & { readonly before: number };

/** @param keepsTraces whether records that are removed are set aside for the history */
export function decisionStatements(store: Sql, keepsTraces: boolean) {
  const { db } = store;
  const insertDecision = compileOnce(
    ({ id, breakId, startsAt, body }: NewRow) => sql`
      insert into decisions (session_id, break_id, starts_at, body, decided_at)
      select id, cast(${breakId} as text), cast(${startsAt} as bigint), cast(${body} as text), ${clockOf(store)}
      from sessions where id = ${id}
      on conflict (session_id, break_id) do nothing`,
  );
  const insertRecord = compileOnce(
    ({ id, breakId, startsAt, body, life, hasAds: isWithAds, fill }: NewRecord) => sql`
      insert into breaks (session_id, break_id, starts_at, body, life, has_ads, fill)
      select id, cast(${breakId} as text), cast(${startsAt} as bigint), cast(${body} as text), cast(${life} as text),
        cast(${isWithAds} as integer), cast(${fill} as text)
      from sessions where id = ${id}
      on conflict (session_id, break_id) do nothing`,
  );
  const foldSession = compileOnce(
    ({ id, odometer, from, to }: OfSession & { odometer: string; from: number; to: number }) =>
      db
        .updateTable('sessions')
        .set({ odometer, folded_before: to })
        .where((row) => row.and({ id, folded_before: from })),
  );
  const removals = (['decisions', 'claims'] as const).map((table) =>
    compileOnce(
      ({ id }: OfSession) => sql`
        delete from ${sql.table(table)}
        where session_id = ${id} and starts_at < (select folded_before from sessions where id = ${id})`,
    ),
  );
  const isOld = ({ id, before }: OldBreaks) => sql`
    session_id = ${id} and (starts_at < ${before} or starts_at < (
      select starts_at from breaks where session_id = ${id} order by starts_at desc limit 1 offset ${sql.lit(MAX_BREAKS - 1)}))`;
  const removeOldBreaks = compileOnce((of: OldBreaks) =>
    keepsTraces
      ? sql`update breaks set is_aside = 1 where is_aside = 0 and ${isOld(of)}`
      : sql`delete from breaks where ${isOld(of)}`,
  );

  return {
    /** Inserts if the session still exists: changes 1 row if this was the first insert, otherwise 0. */
    insertDecision: (id: string, decision: StoredDecision): SqlStatement =>
      insertDecision({ id, breakId: decision.breakId, startsAt: decision.startsAt, body: JSON.stringify(decision) }),
    insertRecord: (
      { id, life = null }: { readonly id: string; readonly life?: string | undefined | null },
      { breakId, startsAt }: StoredDecision,
      record: BreakRecord,
    ): SqlStatement =>
      insertRecord({
        id,
        life,
        breakId,
        startsAt,
        body: JSON.stringify(record),
        hasAds: hasAds(record) ? 1 : 0,
        fill: storedFill(record),
      }),
    /** If several processes fold at once, only the first one changes the odometer. */
    writeFold: ({ session: { id }, foldedBefore }: SessionState, folded: SessionState): SqlStatement[] => [
      foldSession({ id, odometer: JSON.stringify(folded.odometer), from: foldedBefore, to: folded.foldedBefore }),
      ...removals.map((remove) => remove({ id })),
    ],
    /** Records are many times larger than decisions, so old ones and those beyond a number are removed. */
    removeOldBreaks: (id: Session['id'], at: number): SqlStatement =>
      removeOldBreaks({ id, before: at - BREAKS_KEPT_MS }),
  };
}
