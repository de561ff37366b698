// SPDX-License-Identifier: Apache-2.0
import { openSecretBox } from '../adapters/sql/secrets/secretKey.ts';
import type { Config } from '../config.ts';
import { openSql } from '../database.ts';
import { sqlApiKeys } from '../platform/access/store/sqlApiKeys.ts';
import { sqlTenants } from '../platform/access/store/sqlTenants.ts';
import { sqlSystems } from '../platform/systems/store/sqlSystems.ts';

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
