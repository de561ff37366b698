// SPDX-License-Identifier: Apache-2.0
// Creates the first tenant of an empty store, with its system and its first API key.

import { ownSystem } from '../../systems/rules/system.ts';
import { issueKey } from './apiKey.ts';
import type { TenantStore } from './ports.ts';

export type FirstTenant = { readonly tenant: string; readonly email: string; readonly apiKey?: string };

/**
 * Does nothing if there is a tenant. Of several processes that start at once, one succeeds.
 * @returns the key, to be shown once, if it was generated here
 */
export async function bootstrap(
  tenants: TenantStore,
  { tenant, email, apiKey }: FirstTenant,
  at: string,
): Promise<{ readonly key?: string }> {
  if ((await tenants.list()).length > 0) return {};
  const { key, secret, hash } = issueKey({ tenant, email, name: 'first' }, email, at, apiKey);
  const isCreated = await tenants.create(
    { name: tenant, createdAt: at, createdBy: email },
    ownSystem(tenant, email, at),
    {
      key,
      hash,
    },
  );
  return isCreated && apiKey === undefined ? { key: secret } : {};
}
