// SPDX-License-Identifier: Apache-2.0
// Claims of the right to request the ads of a break: one row per session and break, claimed in one statement.
import { sql } from 'kysely';
import type { Claim, SessionStore } from '../../../sessions/ports.ts';
import { writeDelay } from '../../../sessions/sessionRules.ts';
import { millis } from '../../../time/units.ts';
import { compileOnce } from '../compileOnce.ts';
import type { Sql } from '../sql.ts';

type ClaimRow = { readonly answer: string | null; readonly decisions: number; readonly folded_before: number };

export function sqlClaims({ db, run }: Sql): Pick<SessionStore, 'claim' | 'storeResponse' | 'takeResponse'> {
  const insertClaim = compileOnce(
    ({ sessionId, breakId, startsAt, holder, at, until }: Claim) => sql<ClaimRow>`
      insert into claims (session_id, break_id, starts_at, holder, until_at)
      select id, cast(${breakId} as text), cast(${startsAt} as bigint), cast(${holder} as text), cast(${until} as bigint)
      from sessions where id = ${sessionId}
      on conflict (session_id, break_id) do update set holder = excluded.holder, until_at = excluded.until_at
      where claims.holder = excluded.holder or claims.until_at <= ${at}
      returning answer,
        (select count(*) from decisions where session_id = ${sessionId}) as decisions,
        (select folded_before from sessions where id = ${sessionId}) as folded_before`,
  );
  return {
    claim: async (claim) => {
      const { rows } = await run(insertClaim(claim), writeDelay(claim.startsAt, claim.at));
      const [ours] = rows;
      if (ours === undefined) return { isOurs: false };
      const { answer, decisions, folded_before: foldedBefore } = ours;
      const recorded = { decisions, foldedBefore: millis(foldedBefore) };
      return { isOurs: true, ...(answer === null ? {} : { response: answer }), recorded };
    },
    storeResponse: async ({ sessionId, breakId, holder, until }, response) => {
      await db
        .updateTable('claims')
        .set({ answer: response ?? null, ...(until === undefined ? {} : { until_at: until }) })
        .where((row) => row.and({ session_id: sessionId, break_id: breakId, holder }))
        .execute();
    },
    takeResponse: async ({ sessionId, breakId, at }) => {
      const taken = await db
        .deleteFrom('claims')
        .where((row) => row.and({ session_id: sessionId, break_id: breakId }))
        .where('until_at', '>', at)
        .where('answer', 'is not', null)
        .returning('answer')
        .executeTakeFirst();
      return taken?.answer ?? undefined;
    },
  };
}
