// SPDX-License-Identifier: Apache-2.0
// Creates the first tenant of an empty store, with its system and its first API key.

import { ownSystem } from '../../systems/rules/system.ts';
import { issueKey } from './apiKey.ts';
import type { TenantStore } from './ports.ts';

/**
 * Creates the first tenant; does nothing if there is one. If several processes start at once, one of them succeeds.
 * @param apiKey the key of the tenant; random by default
 * @returns the key, to be shown once, if it was generated here
 */
export async function bootstrap(
  tenants: TenantStore,
  { tenant, email, apiKey }: { readonly tenant: string; readonly email: string; readonly apiKey?: string | undefined },
  at: string,
): Promise<string | undefined> {
  if ((await tenants.list()).length > 0) return undefined;
  const first = issueKey({ tenant, email, name: 'first' }, email, at, apiKey);
  const owner = { name: tenant, createdAt: at, createdBy: email };
  const isCreated = await tenants.create(owner, ownSystem(tenant, email, at), first);
  return isCreated && apiKey === undefined ? first.secret : undefined;
}
