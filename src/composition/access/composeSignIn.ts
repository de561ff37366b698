// SPDX-License-Identifier: Apache-2.0
// Signing in to the console with the OpenID Connect provider of the settings. The provider is first contacted by a sign-in, so
// the process starts without it.
import { createOpenIdProvider } from '../../adapters/oidc/openIdProvider.ts';
import { sqlTenants } from '../../adapters/sql/tenants/sqlTenants.ts';
import { roleClaims } from '../../config.ts';
import type { SignIn } from '../../http/admin/routes/ports.ts';
import { readRoleMap } from '../../tenants/identity.ts';
import type { Services } from '../openServices.ts';

/** Binds what the browser keeps to its purpose. */
const OWNER = 'sign-in';

type Parts = Pick<Services, 'config' | 'sql' | 'secretBox' | 'systems' | 'now' | 'warn'>;

export function composeSignIn({ config, sql, secretBox, systems, now, warn }: Parts): { readonly signIn?: SignIn } {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_TENANT_CLAIM } = config;
  const roleMap = readRoleMap(config.OIDC_ROLE_MAP ?? '');
  // readConfig has rejected settings with which this is the case.
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || typeof roleMap === 'string') return {};
  const tenants = sqlTenants(sql, systems);
  const scopes = config.OIDC_SCOPES.split(/[ ,]+/).join(' ');
  const provider = createOpenIdProvider(
    {
      ...{ issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, scopes },
      ...(OIDC_CLIENT_SECRET === undefined ? {} : { clientSecret: OIDC_CLIENT_SECRET }),
    },
    { now, warn },
  );
  return {
    signIn: {
      provider,
      name: config.OIDC_NAME ?? 'SSO',
      rules: {
        ...{ roleClaims: roleClaims(config), roleMap, emailClaim: config.OIDC_EMAIL_CLAIM },
        tenant: config.OIDC_TENANT ?? config.BOOTSTRAP_TENANT,
        ...(OIDC_TENANT_CLAIM === undefined ? {} : { tenantClaim: OIDC_TENANT_CLAIM }),
      },
      limits: { lifetime: config.CONSOLE_SESSION_HOURS * 3_600_000, idle: config.CONSOLE_IDLE_MINUTES * 60_000 },
      hasTenant: async (name) => (await tenants.find(name)) !== undefined,
      seal: (text) => secretBox.seal(text, OWNER),
      open: (sealed) => secretBox.open(sealed, OWNER),
    },
  };
}
