import { openSecretBox } from '../adapters/secretKey.ts';
import { openSql } from '../adapters/sql.ts';
import { sqlApiKeys } from '../adapters/sqlApiKeys.ts';
import { sqlSystems } from '../adapters/sqlSystems.ts';
import { sqlTenants } from '../adapters/sqlTenants.ts';
import type { Config } from '../config.ts';

/** The store of the servers, which need not stop for it. */
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
