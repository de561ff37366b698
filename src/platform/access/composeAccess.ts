// SPDX-License-Identifier: Apache-2.0
// Composes access to the administrative port: tenants, API keys, and users who sign in with OpenID Connect.

import type { Services } from '../../composition/openServices.ts';
import { type Part, repeat } from '../../composition/part.ts';
import { roleClaims } from '../../config.ts';
import type { AdminAccess } from '../../http/admin/adminServer.ts';
import type { sqlSystems } from '../systems/store/sqlSystems.ts';
import { accessRoutes } from './routes/accessRoutes.ts';
import { keyRoutes } from './routes/keyRoutes.ts';
import { addSignInRoutes, createSessionReader, type SignInDeps } from './routes/signInRoutes.ts';
import { bootstrap } from './rules/bootstrap.ts';
import { readRoleMap } from './rules/identity.ts';
import type { SignIn, TenantStore } from './rules/ports.ts';
import { createOpenIdProvider } from './store/openIdProvider.ts';
import { sqlApiKeys } from './store/sqlApiKeys.ts';
import { sqlConsoleSessions } from './store/sqlConsoleSessions.ts';
import { sqlIdempotency } from './store/sqlIdempotency.ts';
import { sqlRequestWindows } from './store/sqlRequestWindows.ts';
import { sqlTenants } from './store/sqlTenants.ts';

const PRUNE_INTERVAL_MS = 600_000;

type Port = Pick<SignInDeps, 'baseUrl' | 'clientOf' | 'audit'>;

export function composeAccess(services: Services, systems: ReturnType<typeof sqlSystems>, port: Port) {
  const { sql, secretBox, channels, config, log, now } = services;
  const tenants = sqlTenants(sql, systems);
  const keys = sqlApiKeys(sql);
  const consoleSessions = sqlConsoleSessions(sql, secretBox);
  const idempotency = sqlIdempotency(sql, secretBox);
  const signIn = openSignIn(services, tenants);
  const deps: SignInDeps = { ...port, signIn, consoleSessions, now, log };
  const admin: AdminAccess = {
    keys,
    channels,
    idempotency,
    readSession: signIn && createSessionReader(deps, signIn),
    requestWindows: sqlRequestWindows(sql),
  };
  const part: Part = {
    routes: [...keyRoutes({ keys, channels, now }), ...accessRoutes(deps)],
    pages: (app) => addSignInRoutes(app, deps),
    tasks: [
      {
        name: 'deleting old idempotency keys and expired sessions of users',
        everyMs: PRUNE_INTERVAL_MS,
        async run() {
          await repeat(() => idempotency.removeOld(now()));
          await consoleSessions.removeExpired(now());
        },
      },
    ],
  };
  /** Creates the first tenant of an empty store. @returns its API key, which is shown only once, if it was made here */
  function createFirstTenant(): Promise<string | undefined> {
    const { BOOTSTRAP_TENANT: tenant, BOOTSTRAP_EMAIL: email, BOOTSTRAP_API_KEY: apiKey } = config;
    return bootstrap(tenants, { tenant, email, apiKey }, new Date(now()).toISOString());
  }
  return { admin, part, tenants, createFirstTenant };
}

/** Binds what the browser keeps to its purpose. */
const OWNER = 'sign-in';

/** The provider is first contacted by a sign-in, so the process starts without it. */
function openSignIn(
  { config, secretBox, now, warn }: Services,
  tenants: Pick<TenantStore, 'find'>,
): SignIn | undefined {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, OIDC_TENANT_CLAIM } = config;
  const roleMap = readRoleMap(config.OIDC_ROLE_MAP ?? '');
  // readConfig has rejected settings with which this is the case.
  if (OIDC_ISSUER === undefined || OIDC_CLIENT_ID === undefined || typeof roleMap === 'string') return undefined;
  const scopes = config.OIDC_SCOPES.split(/[ ,]+/).join(' ');
  const settings = { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, scopes };
  return {
    provider: createOpenIdProvider(settings, { now, warn }),
    name: config.OIDC_NAME ?? 'SSO',
    rules: {
      roleClaims: roleClaims(config),
      roleMap,
      emailClaim: config.OIDC_EMAIL_CLAIM,
      tenant: config.OIDC_TENANT ?? config.BOOTSTRAP_TENANT,
      tenantClaim: OIDC_TENANT_CLAIM,
    },
    limits: { lifetime: config.CONSOLE_SESSION_HOURS * 3_600_000, idle: config.CONSOLE_IDLE_MINUTES * 60_000 },
    hasTenant: async (name) => (await tenants.find(name)) !== undefined,
    seal: (text) => secretBox.seal(text, OWNER),
    open: (sealed) => secretBox.open(sealed, OWNER),
  };
}
