// SPDX-License-Identifier: Apache-2.0
// Stores the audit log. A page reads at most MAX_SCANNED entries, so that a filter which matches few of them costs no more than one
// which matches all.
import { sql } from 'kysely';
import { auditInsertion } from '../../../adapters/sql/records/auditInsertion.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { millis } from '../../../time/units.ts';
import type { AuditEntry } from '../rules/auditEntry.ts';
import type { AuditStore } from '../rules/ports.ts';

/** Entries that are compared with a filter for one page. */
export const MAX_SCANNED = 10_000;
/** Rows that one statement deletes. */
const MAX_DELETED = 1000;
const entryOf = ({ body }: { body: string }): AuditEntry => JSON.parse(body) as AuditEntry;

export function sqlAudit(store: Sql): AuditStore {
  const { db, kind, run } = store;
  const contains = (text: string) =>
    kind === 'sqlite' ? sql<boolean>`instr(search, ${text}) > 0` : sql<boolean>`strpos(search, ${text}) > 0`;

  return {
    record: async (entry) => void (await run(auditInsertion(store, entry))),
    async list({ tenant, from, to, actor, kind: recordKind, recordId, operation, text }, after, limit) {
      let scanned = db
        .selectFrom('audit_log')
        .select(['seq', 'at', 'actor_id', 'actor_email', 'operation', 'kind', 'search'])
        .where('tenant', '=', tenant)
        .where('at', '>=', from)
        .where('at', '<', to);
      if (recordKind !== undefined && recordId !== undefined) scanned = scanned.where('kind', '=', recordKind);
      if (recordId !== undefined) scanned = scanned.where('record_id', '=', recordId);
      if (after) scanned = scanned.where(sql<boolean>`(at, seq) < (${after.at}, ${after.seq})`);
      const window = scanned.orderBy('at', 'desc').orderBy('seq', 'desc').limit(MAX_SCANNED);
      let matching = db.selectFrom(window.as('scanned')).select(['seq', 'at']);
      if (actor !== undefined)
        matching = matching.where((where) =>
          where.or([where('actor_id', '=', actor), where('actor_email', '=', actor)]),
        );
      if (recordKind !== undefined) matching = matching.where('kind', '=', recordKind);
      if (operation !== undefined) matching = matching.where('operation', '=', operation);
      if (text !== undefined) matching = matching.where(contains(text.toLowerCase()));
      // One more than the page, which is the first of the next one.
      const found = await matching
        .orderBy('at', 'desc')
        .orderBy('seq', 'desc')
        .limit(limit + 1)
        .execute();
      const page = found.slice(0, limit);
      const seqs = page.map(({ seq }) => Number(seq));
      const rows =
        seqs.length === 0
          ? []
          : await db.selectFrom('audit_log').select(['seq', 'body']).where('seq', 'in', seqs).execute();
      const bodies = new Map(rows.map((row) => [Number(row.seq), row]));
      const entries = seqs.flatMap((seq) => bodies.get(seq) ?? []).map(entryOf);
      const cursorOf = (row: { at: number; seq: number } | undefined) =>
        row && { at: millis(Number(row.at)), seq: Number(row.seq) };
      if (found.length > limit) return { entries, next: cursorOf(page.at(-1)) };
      const oldest = await db
        .selectFrom(window.as('scanned'))
        .select(['seq', 'at', sql<number>`count(*) over ()`.as('total')])
        .orderBy('at')
        .orderBy('seq')
        .limit(1)
        .executeTakeFirst();
      return { entries, next: Number(oldest?.total ?? 0) < MAX_SCANNED ? undefined : cursorOf(oldest) };
    },
    async find(tenant, id) {
      const row = await db
        .selectFrom('audit_log')
        .select('body')
        .where('id', '=', id)
        .where('tenant', '=', tenant)
        .executeTakeFirst();
      return row && entryOf(row);
    },
    async removeBefore(time) {
      const old = db.selectFrom('audit_log').select('seq').where('at', '<', time).orderBy('at').limit(MAX_DELETED);
      const { numDeletedRows } = await db.deleteFrom('audit_log').where('seq', 'in', old).executeTakeFirst();
      return Number(numDeletedRows) === MAX_DELETED;
    },
  };
}
