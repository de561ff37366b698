// SPDX-License-Identifier: Apache-2.0
import type { SessionLimits } from './consoleSession.ts';
import type { IdentityRules } from './identity.ts';
import type { IdentityProvider } from './ports.ts';

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
