// SPDX-License-Identifier: Apache-2.0

import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { openSecretBox } from '../adapters/sql/secrets/secretKey.ts';
import type { Config } from '../config.ts';
import { openSql } from '../database.ts';
import { sqlApiKeys } from '../platform/access/store/sqlApiKeys.ts';
import { sqlTenants } from '../platform/access/store/sqlTenants.ts';
import type { AuditEntry, AuditedChange } from '../platform/audit/rules/auditEntry.ts';
import { composeEntry } from '../platform/audit/rules/composeEntry.ts';
import { sqlSystems } from '../platform/systems/store/sqlSystems.ts';
import type { Millis } from '../time/units.ts';

/** Opens the database of the servers, which can keep running. */
export async function openStores(config: Config) {
  const store = await openSql(config);
  try {
    const systems = sqlSystems(store, await openSecretBox(config, store));
    return { tenants: sqlTenants(store, systems), keys: sqlApiKeys(store), close: () => store.close() };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** An account without an entry in the password file, as containers have, is named by its number. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Entries of the audit log for changes by the command line. Their actor is the account in the operating system. */
export function commandEntries(operation: string, at: Millis) {
  const id = accountName();
  return (tenant: string, change: AuditedChange): AuditEntry =>
    composeEntry(
      { id: randomUUID(), tenant, at, operation, source: {}, actor: { kind: 'cli', id, name: `${id}@${hostname()}` } },
      change,
    );
}
