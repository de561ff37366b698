// SPDX-License-Identifier: Apache-2.0
// An OpenID Connect provider on loopback: the certified implementation oidc-provider, with its pages for development, which
// accept every user without a password.
import type { RequestListener } from 'node:http';
import Provider from 'oidc-provider';
import { startStoppableServer } from '../stoppableServer.ts';

export type Account = {
  readonly email: string;
  readonly name?: string;
  readonly roles?: readonly string[];
  readonly email_verified?: boolean;
};

export type OpenIdProvider = {
  readonly issuer: string;
  /** By the name that a user signs in with. Changes take effect with the next token. */
  readonly accounts: Map<string, Account>;
  /** Accepts these installations. */
  register(baseUrls: readonly string[]): void;
  /** Refuses connections from now on. */
  stop(): Promise<void>;
  start(): Promise<void>;
};

export const client = { id: 'midroll', secret: 'the-secret-of-the-client' } as const;

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const accounts = new Map<string, Account>();
  let handle: RequestListener = (_request, response) => void response.writeHead(503).end();
  const server = await startStoppableServer((request, response) => handle(request, response));
  const issuer = server.url;
  return {
    issuer,
    accounts,
    register(baseUrls) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: client.id,
            client_secret: client.secret,
            grant_types: ['authorization_code', 'refresh_token'],
            redirect_uris: baseUrls.map((url) => `${url}/auth/callback`),
            post_logout_redirect_uris: baseUrls.map((url) => `${url}/`),
          },
        ],
        cookies: { keys: ['a key for tests'] },
        claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'roles'] },
        findAccount: (_context, sub) => ({
          accountId: sub,
          claims: async () => ({ sub, email_verified: true, ...accounts.get(sub) }),
        }),
      });
      handle = provider.callback();
    },
    start: server.restart,
    stop: server.stop,
  };
}
