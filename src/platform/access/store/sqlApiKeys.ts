// SPDX-License-Identifier: Apache-2.0
// Stores API keys by the hash of their secret.

import type { Selectable } from 'kysely';
import { present } from '../../../adapters/sql/present.ts';
import type { Sql } from '../../../adapters/sql/sql.ts';
import type { ApiKey } from '../rules/apiKey.ts';
import type { ApiKeyStore } from '../rules/ports.ts';
import type { ChannelLimits, Scope } from '../rules/scope.ts';
import type { ApiKeyTable } from './accessTables.ts';
import { removeAudited, withEntry } from './audited.ts';

function limitsOf({ channels, labels }: Pick<Selectable<ApiKeyTable>, 'channels' | 'labels'>): ChannelLimits {
  const ids = channels === null ? undefined : (JSON.parse(channels) as string[]);
  if (labels === null) return ids === undefined ? {} : { channels: ids };
  return { ...(ids?.length ? { channels: ids } : {}), labels: JSON.parse(labels) as string[] };
}

const toKey = (row: Selectable<ApiKeyTable>): ApiKey => ({
  id: row.id,
  tenant: row.tenant,
  email: row.email,
  ...present({ name: row.name }),
  scope: row.scope as Scope,
  ...limitsOf(row),
  hint: row.hint,
  createdBy: row.created_by,
  createdAt: row.created_at,
  ...present({ lastUsedAt: row.last_used_at, expiresAt: row.expires_at }),
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
  channels: key.channels || key.labels ? JSON.stringify(key.channels ?? []) : null,
  labels: key.labels === undefined ? null : JSON.stringify(key.labels),
});

export function sqlApiKeys(store: Sql): ApiKeyStore {
  const { db, atomically } = store;
  const keys = db.selectFrom('api_keys').selectAll();
  const insertion = (key: ApiKey, hash: string) => db.insertInto('api_keys').values(toKeyRow(key, hash));
  const removal = (tenant: string, id: string) =>
    db.deleteFrom('api_keys').where('tenant', '=', tenant).where('id', '=', id);
  return {
    insert: async (key, hash, entry) => void (await atomically([insertion(key, hash), ...withEntry(store, entry)])),
    findByHash: async (hash) => {
      const row = await keys.where('hash', '=', hash).executeTakeFirst();
      return row && toKey(row);
    },
    find: async (tenant, id) => {
      const row = await keys.where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst();
      return row && toKey(row);
    },
    list: async (tenant) => (await keys.where('tenant', '=', tenant).orderBy('seq', 'desc').execute()).map(toKey),
    remove: (tenant, id, entry) => removeAudited(store, removal(tenant, id), entry),
    removeUnlessLast: (tenant, id, entry) => {
      // Locks the tenant's row: of two removals at once, the second one sees the result of the first.
      const lock = db.updateTable('tenants').set({ name: tenant }).where('name', '=', tenant);
      const lasting = db
        .selectFrom('api_keys as other')
        .select('other.id')
        .where('other.tenant', '=', tenant)
        .where('other.id', '<>', id)
        .where('other.expires_at', 'is', null)
        .where('other.channels', 'is', null)
        .where('other.scope', '=', 'manage' satisfies Scope);
      const unlessLast = removal(tenant, id).where(({ exists }) => exists(lasting));
      return removeAudited(store, unlessLast, entry, [lock]);
    },
    rotate: async (next, hash, previous, entry) => {
      const ending = db
        .updateTable('api_keys')
        .set({ expires_at: previous.expiresAt ?? null })
        .where('id', '=', previous.id);
      await atomically([insertion(next, hash), ending, ...withEntry(store, entry)]);
    },
    touch: async (id, at) =>
      void (await db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', id).execute()),
  };
}
