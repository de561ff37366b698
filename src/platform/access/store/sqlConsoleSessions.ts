// SPDX-License-Identifier: Apache-2.0
// Stores the sessions of users who signed in to the console. Tokens of the provider are encrypted.

import type { Selectable } from 'kysely';
import type { SecretBox } from '../../../adapters/sql/secrets/secretBox.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import { millis } from '../../../time/units.ts';
import type { ConsoleSession, ProviderTokens } from '../rules/consoleSession.ts';
import type { ConsoleSessionStore } from '../rules/ports.ts';
import type { Scope } from '../rules/scope.ts';
import type { ConsoleSessionTable } from './accessTables.ts';
import { removeAudited, withEntry } from './audited.ts';

const toSession = (row: Selectable<ConsoleSessionTable>): ConsoleSession => ({
  id: row.id,
  tenant: row.tenant,
  subject: row.subject,
  email: row.email,
  ...(row.name === null ? {} : { name: row.name }),
  scope: row.scope as Scope,
  createdAt: millis(Number(row.created_at)),
  lastSeenAt: millis(Number(row.last_seen_at)),
  expiresAt: millis(Number(row.expires_at)),
  checkedAt: millis(Number(row.checked_at)),
});

const ownerOf = (id: string) => `console-sessions/${id}`;

export function sqlConsoleSessions(store: Sql, box: SecretBox): ConsoleSessionStore {
  const { db, atomically } = store;
  const sessions = db.selectFrom('console_sessions').selectAll();
  const seal = (id: string, tokens: ProviderTokens) =>
    Object.keys(tokens).length === 0 ? null : box.seal(JSON.stringify(tokens), ownerOf(id));
  const update = (id: string) => db.updateTable('console_sessions').where('id', '=', id);
  const removal = (tenant: string) => db.deleteFrom('console_sessions').where('tenant', '=', tenant);
  const expired = (now: number) => db.deleteFrom('console_sessions').where('expires_at', '<=', now);
  return {
    async insert(session, hash, tokens, entry) {
      const insertion = db.insertInto('console_sessions').values({
        id: session.id,
        hash,
        tenant: session.tenant,
        subject: session.subject,
        email: session.email,
        name: session.name ?? null,
        scope: session.scope,
        created_at: session.createdAt,
        last_seen_at: session.lastSeenAt,
        expires_at: session.expiresAt,
        checked_at: session.checkedAt,
        tokens: seal(session.id, tokens),
      });
      await atomically([expired(session.createdAt), insertion, ...withEntry(store, entry)]);
    },
    async findByHash(hash) {
      const row = await sessions.where('hash', '=', hash).executeTakeFirst();
      return row && toSession(row);
    },
    async list(tenant) {
      const rows = await sessions.where('tenant', '=', tenant).orderBy('created_at', 'desc').orderBy('id').execute();
      return rows.map(toSession);
    },
    async tokensOf(id) {
      const row = await db.selectFrom('console_sessions').select('tokens').where('id', '=', id).executeTakeFirst();
      if (row === undefined) return undefined;
      try {
        return row.tokens === null ? {} : (JSON.parse(box.open(row.tokens, ownerOf(id))) as ProviderTokens);
      } catch {
        return undefined;
      }
    },
    seen: async (id, at) => void (await update(id).set({ last_seen_at: at }).execute()),
    async claimCheck(id, previous, at) {
      const { numUpdatedRows } = await update(id)
        .set({ checked_at: at })
        .where('checked_at', '=', previous)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async checked(id, scope, tokens) {
      await update(id)
        .set({ scope, tokens: seal(id, tokens) })
        .execute();
    },
    remove: (tenant, id, entry) => removeAudited(store, removal(tenant).where('id', '=', id), entry),
    removeExpired: async (now) => void (await expired(now).execute()),
    removeAll: async (tenant, subject) => void (await removal(tenant).where('subject', '=', subject).execute()),
  };
}
