// SPDX-License-Identifier: Apache-2.0
// Signing in with a provider that does not respond: for what does not need one.

import { createSecretBox } from '../../src/adapters/sql/secrets/secretBox.ts';
import type { SignIn } from '../../src/platform/access/rules/ports.ts';
import { createOpenIdProvider } from '../../src/platform/access/store/openIdProvider.ts';

const HOUR = 3_600_000;
const box = createSecretBox('another secret for tests');

/** Users belong to tenant `acme`. */
export const unreachableSignIn: SignIn = {
  provider: createOpenIdProvider(
    { issuer: 'http://127.0.0.1:1', clientId: 'x', scopes: 'openid' },
    { now: Date.now, warn: () => {} },
  ),
  name: 'SSO',
  rules: {
    ...{ roleClaims: ['roles'], tenant: 'acme', emailClaim: 'email' },
    roleMap: [{ role: 'admins', scope: 'manage' }],
  },
  limits: { lifetime: 12 * HOUR, idle: 2 * HOUR },
  hasTenant: async (name) => name === 'acme',
  seal: (text) => box.seal(text, 'x'),
  open: (sealed) => box.open(sealed, 'x'),
};
