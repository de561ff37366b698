// The first tenant of an empty store, with its system and its first key.
import { issueKey } from './apiKey.ts';
import type { TenantStore } from './ports.ts';
import { ownSystem } from './system.ts';

export type FirstTenant = { readonly tenant: string; readonly email: string; readonly apiKey?: string };

/**
 * Does nothing where there is a tenant already. Of several processes that start at once, one does it.
 * @returns the key, to be shown this once, when it was made here and not given
 */
export async function bootstrap(
  tenants: TenantStore,
  { tenant, email, apiKey }: FirstTenant,
  at: string,
): Promise<{ readonly key?: string }> {
  if ((await tenants.list()).length > 0) return {};
  const { key, secret, hash } = issueKey({ tenant, email, name: 'first' }, email, at, apiKey);
  const isMade = await tenants.create({ name: tenant, createdAt: at, createdBy: email }, ownSystem(tenant, email, at), {
    key,
    hash,
  });
  return isMade && apiKey === undefined ? { key: secret } : {};
}
