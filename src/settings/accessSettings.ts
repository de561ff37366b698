// SPDX-License-Identifier: Apache-2.0
// The settings for access to the administrative port: the first key, the rate limit, and OpenID Connect.
import { Type } from 'typebox';

export const accessSettings = {
  BOOTSTRAP_API_KEY: Type.Optional(
    Type.String({
      pattern: '^[\\x21-\\x7e]{1,200}$',
      expected: '1 to 200 printable ASCII characters',
      description: 'First API key of an empty database, in printable ASCII. Default: a random key, printed once.',
    }),
  ),
  BOOTSTRAP_EMAIL: Type.String({
    pattern: '^[^\\s@]+@[^\\s@]+$',
    expected: 'an e-mail address',
    default: 'admin@localhost',
    description: 'E-mail address of the owner of the first API key.',
  }),
  BOOTSTRAP_TENANT: Type.String({
    pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
    expected: '1 to 63 letters, digits, dots, dashes or underscores, starting with a letter or digit',
    default: 'default',
    description: 'Name of the first tenant: 1 to 63 letters, digits, dots, dashes or underscores.',
  }),
  ADMIN_RATE_LIMIT: Type.Integer({
    minimum: 0,
    default: 200,
    description: 'Requests per minute and tenant, across all nodes. 0 disables the limit.',
  }),
  OIDC_ISSUER: Type.Optional(
    Type.String({
      format: 'issuer',
      description: 'URL of an OpenID Connect provider for signing in to the console. Default: API keys only.',
    }),
  ),
  OIDC_CLIENT_ID: Type.Optional(Type.String({ description: 'Client id of Midroll at the provider.' })),
  OIDC_CLIENT_SECRET: Type.Optional(
    Type.String({ description: 'Client secret of Midroll at the provider. Default: a public client.' }),
  ),
  OIDC_NAME: Type.Optional(
    Type.String({
      pattern: '^[^\\x00-\\x1f\\x7f]{1,40}$',
      expected: '1 to 40 characters without control characters',
      description: 'Name of the provider on the sign-in page. Default: SSO.',
    }),
  ),
  OIDC_SCOPES: Type.String({
    pattern: '^(.*[ ,])?openid([ ,].*)?$',
    expected: 'scopes separated by commas, one of which is openid',
    default: 'openid,email,profile',
    description:
      'Scopes to request from the provider, separated by commas. With `offline_access`, roles are checked every 10 minutes.',
  }),
  OIDC_ROLE_CLAIM: Type.String({
    default: 'roles,groups',
    description:
      'Claims with the roles of a user, separated by commas; the first that exists is used. A dot leads into an object.',
  }),
  OIDC_ROLE_MAP: Type.Optional(
    Type.String({
      format: 'roles',
      description: 'Scopes of roles, such as `midroll-admins=manage,midroll-ops=operate,*=read`. `*` is every user.',
    }),
  ),
  OIDC_TENANT: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$',
      expected: '1 to 63 letters, digits, dots, dashes or underscores, starting with a letter or digit',
      description: 'Tenant of the users of the provider. Default: BOOTSTRAP_TENANT.',
    }),
  ),
  OIDC_TENANT_CLAIM: Type.Optional(
    Type.String({ description: 'Claim with the name of the tenant of a user, in place of OIDC_TENANT.' }),
  ),
  OIDC_EMAIL_CLAIM: Type.String({
    default: 'email',
    description: 'Claim with the e-mail address of a user, the author of changes.',
  }),
  CONSOLE_SESSION_HOURS: Type.Integer({
    minimum: 1,
    maximum: 720,
    default: 12,
    description: 'Hours after which a user of the provider has to sign in to the console again.',
  }),
  CONSOLE_IDLE_MINUTES: Type.Integer({
    minimum: 5,
    maximum: 43_200,
    default: 120,
    description: 'Minutes without a request after which a user of the provider has to sign in again.',
  }),
};
