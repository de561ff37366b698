// SPDX-License-Identifier: Apache-2.0
// Claims of the right to request the ads of a break: one row per session and break, claimed in one statement.
import { sql } from 'kysely';
import type { Claim, SessionStore } from '../../../sessions/ports.ts';
import { compileOnce } from '../compileOnce.ts';
import type { Sql } from '../sql.ts';

export function sqlClaims({ db, run }: Sql): Pick<SessionStore, 'claim' | 'storeResponse' | 'takeResponse'> {
  const insertClaim = compileOnce(({ sessionId, breakId, startsAt, holder, at, until }: Claim) => {
    const built = sql<{ answer: string | null }>`
      insert into claims (session_id, break_id, starts_at, holder, until_at)
      select id, cast(${breakId} as text), cast(${startsAt} as bigint), cast(${holder} as text), cast(${until} as bigint)
      from sessions where id = ${sessionId}
      on conflict (session_id, break_id) do update set holder = excluded.holder, until_at = excluded.until_at
      where claims.holder = excluded.holder or claims.until_at <= ${at}
      returning answer`;
    return { compile: () => built.compile(db) };
  });
  return {
    claim: async (claim) => {
      const { rows } = await run(insertClaim(claim), 'soon');
      const [ours] = rows;
      if (ours === undefined) return { isOurs: false };
      return { isOurs: true, ...(ours.answer === null ? {} : { response: ours.answer }) };
    },
    storeResponse: async ({ sessionId, breakId, holder, until }, response) => {
      await db
        .updateTable('claims')
        .set({ answer: response ?? null, ...(until === undefined ? {} : { until_at: until }) })
        .where('session_id', '=', sessionId)
        .where('break_id', '=', breakId)
        .where('holder', '=', holder)
        .execute();
    },
    takeResponse: async ({ sessionId, breakId, at }) => {
      const taken = await db
        .deleteFrom('claims')
        .where('session_id', '=', sessionId)
        .where('break_id', '=', breakId)
        .where('until_at', '>', at)
        .where('answer', 'is not', null)
        .returning('answer')
        .executeTakeFirst();
      return taken?.answer ?? undefined;
    },
  };
}
