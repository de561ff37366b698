// SPDX-License-Identifier: Apache-2.0
// Stores API keys by the hash of their secret.

import type { Compilable } from 'kysely';
import { auditInsertion } from '../../../adapters/sql/records/auditInsertion.ts';
import type { ApiKeyTable } from '../../../adapters/sql/schema/platformTables.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import type { ApiKey } from '../rules/apiKey.ts';
import type { ApiKeyStore } from '../rules/ports.ts';
import { DEFAULT_SCOPE, type Scope } from '../rules/scope.ts';

type Row = Omit<ApiKeyTable, 'seq' | 'hash'>;

const columns = [
  'id',
  'tenant',
  'email',
  'name',
  'hint',
  'created_by',
  'created_at',
  'last_used_at',
  'expires_at',
  'scope',
  'channels',
] as const satisfies (keyof Row)[];

const toKey = (row: Row): ApiKey => ({
  id: row.id,
  tenant: row.tenant,
  email: row.email,
  ...(row.name === null ? {} : { name: row.name }),
  scope: (row.scope as Scope | null) ?? DEFAULT_SCOPE,
  ...(row.channels === null ? {} : { channels: JSON.parse(row.channels) as string[] }),
  hint: row.hint,
  createdBy: row.created_by,
  createdAt: row.created_at,
  ...(row.last_used_at === null ? {} : { lastUsedAt: row.last_used_at }),
  ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
});

export const toKeyRow = (key: ApiKey, hash: string) => ({
  id: key.id,
  tenant: key.tenant,
  email: key.email,
  name: key.name ?? null,
  hash,
  hint: key.hint,
  created_by: key.createdBy,
  created_at: key.createdAt,
  last_used_at: key.lastUsedAt ?? null,
  expires_at: key.expiresAt ?? null,
  scope: key.scope,
  channels: key.channels === undefined ? null : JSON.stringify(key.channels),
});

export function sqlApiKeys(store: Sql): ApiKeyStore {
  const { db, atomically } = store;
  const keys = db.selectFrom('api_keys').select(columns);
  const insertion = (key: ApiKey, hash: string) => db.insertInto('api_keys').values(toKeyRow(key, hash));
  const withEntry = (entry: AuditEntry | undefined) => (entry === undefined ? [] : [auditInsertion(store, entry)]);
  /** @returns how many keys were removed */
  async function removeWith(before: readonly Compilable[], statement: Compilable, entry: AuditEntry | undefined) {
    if (entry === undefined) return (await atomically([...before, statement])).at(-1);
    return store.change({ before, statement, ifChanged: auditInsertion(store, entry) });
  }
  return {
    insert: async (key, hash, entry) => void (await atomically([insertion(key, hash), ...withEntry(entry)])),
    findByHash: async (hash) => {
      const row = await keys.where('hash', '=', hash).executeTakeFirst();
      return row && toKey(row);
    },
    find: async (tenant, id) => {
      const row = await keys.where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst();
      return row && toKey(row);
    },
    list: async (tenant) => (await keys.where('tenant', '=', tenant).orderBy('seq', 'desc').execute()).map(toKey),
    remove: async (tenant, id, entry) => {
      const removal = db.deleteFrom('api_keys').where('tenant', '=', tenant).where('id', '=', id);
      return (await removeWith([], removal, entry)) === 1;
    },
    removeUnlessLast: async (tenant, id, entry) => {
      // Locks the tenant's row: of two removals at once, the second one sees the result of the first.
      const lock = db.updateTable('tenants').set({ name: tenant }).where('name', '=', tenant);
      const another = db.selectFrom('api_keys as other').select('other.id').where('other.tenant', '=', tenant);
      const lasting = another
        .where('other.id', '<>', id)
        .where('other.expires_at', 'is', null)
        .where('other.channels', 'is', null)
        .where(({ or, eb }) => or([eb('other.scope', 'is', null), eb('other.scope', '=', 'manage' satisfies Scope)]));
      const removal = db
        .deleteFrom('api_keys')
        .where('tenant', '=', tenant)
        .where('id', '=', id)
        .where(({ exists }) => exists(lasting));
      return (await removeWith([lock], removal, entry)) === 1;
    },
    rotate: async (next, hash, previous, entry) => {
      const ending = db
        .updateTable('api_keys')
        .set({ expires_at: previous.expiresAt ?? null })
        .where('id', '=', previous.id);
      await atomically([insertion(next, hash), ending, ...withEntry(entry)]);
    },
    touch: async (id, at) =>
      void (await db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute()),
  };
}
