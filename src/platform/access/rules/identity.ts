// SPDX-License-Identifier: Apache-2.0
// Who a user is for Midroll, from the claims of an OpenID Connect provider: e-mail address, tenant, and the scope of the roles.
import { withoutUndefined } from '../../../invariant.ts';
import { highestScope, isScope, type Scope, scopes } from './scope.ts';
import { EMAIL, LONGEST_EMAIL, TENANT_NAME } from './tenant.ts';

export type Claims = Readonly<Record<string, unknown>>;

export type Identity = {
  readonly tenant: string;
  /** The user's id at the provider. */
  readonly subject: string;
  readonly email: string;
  readonly name?: string;
  readonly scope: Scope;
};

type RoleMap = readonly { readonly role: string; readonly scope: Scope }[];

export type IdentityRules = {
  /** Names of claims with roles; the first one that exists is used. */
  readonly roleClaims: readonly string[];
  readonly roleMap: RoleMap;
  /** The claim with the name of the tenant, in place of `tenant`. */
  readonly tenantClaim?: string | undefined;
  readonly tenant: string;
  readonly emailClaim: string;
};

/** Why a user cannot be signed in although the provider has accepted them. */
export type IdentityFault = 'no-role' | 'no-tenant' | 'no-email';

/** Any signed-in user of the provider. */
const ANYONE = '*';

/** @returns the roles with their scopes, or what is wrong with the text. @param text `role=scope`, separated by commas */
export function readRoleMap(text: string): RoleMap | string {
  const entries = text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const roles = entries.map((entry) => {
    const at = entry.lastIndexOf('=');
    return { role: entry.slice(0, at).trim(), scope: entry.slice(at + 1).trim(), isPair: at > 0 };
  });
  const isValid = roles.every(({ role, scope, isPair }) => isPair && role !== '' && isScope(scope));
  if (roles.length === 0 || !isValid)
    return `pairs of a role and one of ${scopes.join(', ')}, e.g. midroll-admins=manage,*=read`;
  return roles.map(({ role, scope }) => ({ role, scope: scope as Scope }));
}

/** The claim with this name, or else the one at this path: Keycloak has `realm_access.roles`. */
function claimAt(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isObject ? (value as Claims)[part] : undefined;
  }, claims);
}

/** An array of texts, or one text with spaces or commas between the roles. */
function rolesIn(value: unknown): string[] {
  if (typeof value === 'string') return [value, ...value.split(/[\s,]+/)];
  return Array.isArray(value) ? value.filter((role) => typeof role === 'string') : [];
}

function emailOf(claims: Claims, claim: string): string | undefined {
  // An address that the user can choose freely must not become the author of changes.
  if (claim === 'email' && (claims.email_verified === false || claims.email_verified === 'false')) return undefined;
  const email = claimAt(claims, claim);
  return typeof email === 'string' && email.length <= LONGEST_EMAIL && EMAIL.test(email) ? email : undefined;
}

/** Undefined without a name that a tenant can have. */
function tenantOf(claims: Claims | undefined, { tenant, tenantClaim }: IdentityRules): string | undefined {
  const name = tenantClaim === undefined ? tenant : claims && claimAt(claims, tenantClaim);
  return typeof name === 'string' && TENANT_NAME.test(name) ? name : undefined;
}

const LONGEST_NAME = 200;
/** OpenID Connect Core 1.0 §2 */
const LONGEST_SUBJECT = 255;

/** Whom a sign-in concerns that is refused, as far as it is known. @param claims of a user whom the provider has confirmed */
export function claimedBy(claims: Claims | undefined, rules: IdentityRules) {
  const subject = claims && String(claims.sub).slice(0, LONGEST_SUBJECT);
  const email = claims && emailOf(claims, rules.emailClaim);
  return withoutUndefined({ tenant: tenantOf(claims, rules), subject, email });
}

export function identityOf(claims: Claims, rules: IdentityRules): Identity | IdentityFault {
  const { roleClaims, roleMap } = rules;
  const value = roleClaims.map((name) => claimAt(claims, name)).find((found) => found !== undefined);
  const roles = [...rolesIn(value), ANYONE];
  const scope = highestScope(roleMap.filter(({ role }) => roles.includes(role)).map((entry) => entry.scope));
  if (scope === undefined) return 'no-role';
  const tenant = tenantOf(claims, rules);
  if (tenant === undefined) return 'no-tenant';
  const email = emailOf(claims, rules.emailClaim);
  if (email === undefined) return 'no-email';
  const name = typeof claims.name === 'string' ? claims.name.replace(/\p{Cc}/gu, '').slice(0, LONGEST_NAME) : '';
  return { tenant, subject: String(claims.sub), email, ...(name === '' ? {} : { name }), scope };
}
