// SPDX-License-Identifier: Apache-2.0
// What access needs from outside: stores, and the OpenID Connect provider. Implemented in src/platform/access/store. With an
// entry of the audit log, a change stores it in the same transaction.

import type { Millis } from '../../../time/units.ts';
import type { AuditEntry } from '../../audit/rules/auditEntry.ts';
import type { System } from '../../systems/rules/system.ts';
import type { ApiKey } from './apiKey.ts';
import type { ConsoleSession, ProviderTokens, SessionLimits } from './consoleSession.ts';
import type { Claims, IdentityRules } from './identity.ts';
import type { Scope } from './scope.ts';
import type { Tenant } from './tenant.ts';

export type TenantStore = {
  /** Stores the tenant, its first system and its first key in one transaction; false if the name is taken. */
  create(
    tenant: Tenant,
    system: System,
    key?: { readonly key: ApiKey; readonly hash: string },
    entry?: AuditEntry,
  ): Promise<boolean>;
  find(name: string): Promise<Tenant | undefined>;
  list(): Promise<Tenant[]>;
  /** Removes the tenant with all of its records; false if there is none. */
  remove(name: string, entry?: AuditEntry): Promise<boolean>;
};

export type ApiKeyStore = {
  insert(key: ApiKey, hash: string, entry?: AuditEntry): Promise<void>;
  findByHash(hash: string): Promise<ApiKey | undefined>;
  find(tenant: string, id: string): Promise<ApiKey | undefined>;
  /** Newest first. */
  list(tenant: string): Promise<ApiKey[]>;
  remove(tenant: string, id: string, entry?: AuditEntry): Promise<boolean>;
  /** Removes a key if the tenant keeps one without expiry that may do everything, also if two requests remove keys at once. */
  removeUnlessLast(tenant: string, id: string, entry?: AuditEntry): Promise<boolean>;
  /** Stores a key and sets the expiry of another, in one transaction. */
  rotate(next: ApiKey, hash: string, previous: ApiKey, entry?: AuditEntry): Promise<void>;
  /** Sets `lastUsedAt`. @param at ISO 8601 */
  touch(id: string, at: string): Promise<void>;
};

export type ConsoleSessionStore = {
  /** Inserts a session, and deletes expired sessions of all tenants. @param hash of the token */
  insert(session: ConsoleSession, hash: string, tokens: ProviderTokens, entry?: AuditEntry): Promise<void>;
  findByHash(hash: string): Promise<ConsoleSession | undefined>;
  /** Newest first, expired ones included. */
  list(tenant: string): Promise<ConsoleSession[]>;
  /** Undefined if the session has ended, or they cannot be decrypted. */
  tokensOf(id: string): Promise<ProviderTokens | undefined>;
  seen(id: string, at: Millis): Promise<void>;
  /** Sets `checkedAt` if nothing else has: of several processes, one gets to check the role. */
  claimCheck(id: string, previous: Millis, at: Millis): Promise<boolean>;
  /** Stores the result of a check. */
  checked(id: string, scope: Scope, tokens: ProviderTokens): Promise<void>;
  remove(tenant: string, id: string, entry?: AuditEntry): Promise<boolean>;
  /** Removes the expired sessions of all tenants. */
  removeExpired(now: Millis): Promise<void>;
  /** Removes all sessions of a user. */
  removeAll(tenant: string, subject: string): Promise<void>;
};

/** Sent to the provider at the start of a sign-in, and compared at its end. */
export type SignInSecrets = { readonly state: string; readonly nonce: string; readonly verifier: string };
export type SignedIn = { readonly claims: Claims; readonly tokens: ProviderTokens };
/**
 * `unavailable`: the provider did not respond. `ended`: a code or a refresh token is not valid any more. `rejected`: any other
 * refusal, or an invalid response.
 */
export type ProviderFault = 'unavailable' | 'ended' | 'rejected';

/** The OpenID Connect provider. It logs faults. */
export type IdentityProvider = {
  /** @param redirectUri where the provider sends the browser afterwards */
  start(redirectUri: string): Promise<{ readonly url: string; readonly secrets: SignInSecrets } | ProviderFault>;
  /** @param url the one that the provider has sent the browser to */
  finish(url: string, secrets: SignInSecrets): Promise<SignedIn | ProviderFault>;
  refresh(refreshToken: string, subject: string): Promise<Partial<SignedIn> | ProviderFault>;
  /** Where the browser signs out at the provider; undefined without such a place. */
  logoutUrl(idToken: string | undefined, returnTo: string): Promise<string | undefined>;
};

/** The requests of a tenant in an interval, counted across all nodes. */
export type RequestWindow = { readonly startedAt: Millis; readonly requests: number };
export type RequestWindowStore = {
  /** Counts a request. If the window is over, a new one begins now. @param length of a window, in milliseconds */
  count(tenant: string, now: Millis, length: number): Promise<RequestWindow>;
};

/** Signing in to the console with OpenID Connect. */
export type SignIn = {
  readonly provider: IdentityProvider;
  /** Name of the provider. */
  readonly name: string;
  readonly rules: IdentityRules;
  readonly limits: SessionLimits;
  readonly hasTenant: (name: string) => Promise<boolean>;
  /** Encrypts what the browser keeps during a sign-in; every node can decrypt it. */
  readonly seal: (text: string) => string;
  /** @throws if the text was not encrypted here */
  readonly open: (sealed: string) => string;
};
