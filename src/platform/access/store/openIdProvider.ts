// SPDX-License-Identifier: Apache-2.0
// An OpenID Connect provider: authorization code flow with PKCE, state and nonce (RFC 6749 §4.1, RFC 7636, OpenID Connect Core
// 1.0 §3.1). Connects to the issuer that the operator has configured, and to what its metadata name.
import * as oidc from 'openid-client';
import { defined, withoutUndefined } from '../../../invariant.ts';
import { shareRunning } from '../../../time/shareRunning.ts';
import { isTransientStatus } from '../../../time/transientStatus.ts';
import type { Claims } from '../rules/identity.ts';
import type { IdentityProvider, ProviderFault, SignedIn } from '../rules/ports.ts';

type Settings = {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string | undefined;
  readonly scopes: string;
};

type Deps = {
  readonly now: () => number;
  readonly warn: (message: string, facts: Record<string, unknown>) => void;
};

/** Metadata and keys of the provider are read again after this time. */
const METADATA_MS = 3_600_000;
/** The same before a browser is sent to the provider, to find out whether the provider responds at all. */
const RESPONDED_MS = 10_000;
const TIMEOUT_SECONDS = 10;
/** The most requests to the provider at the same time: callbacks need no authentication. */
const MAX_REQUESTS = 20;

/** The most bytes of a response: metadata, keys, tokens or claims, which have a few kilobytes. */
const MAX_BYTES = 512 * 1024;

/** The client reads a response whole. */
const limitedFetch: oidc.CustomFetch = async (url, options) => {
  const response = await fetch(url, options as RequestInit);
  if (response.body === null) return response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`the response has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), response);
};

/** `client_secret_basic` unless the provider does not list it (OpenID Connect Discovery 1.0 §3). */
function authenticationOf(secret: string | undefined): oidc.ClientAuth {
  if (secret === undefined) return oidc.None();
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...request) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...request);
  };
}

export function createOpenIdProvider(settings: Settings, { now, warn }: Deps): IdentityProvider {
  const { issuer, clientId, clientSecret, scopes } = settings;
  let known: { readonly config: oidc.Configuration; readonly readAt: number } | undefined;
  let requests = 0;

  const read = shareRunning(async () => {
    // Settings admit http for loopback only.
    const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    const config = await oidc.discovery(new URL(issuer), clientId, clientSecret, authenticationOf(clientSecret), {
      execute: [oidc.enableNonRepudiationChecks, ...insecure],
      timeout: TIMEOUT_SECONDS,
      [oidc.customFetch]: limitedFetch,
    });
    known = { config, readAt: now() };
    return config;
  });

  function configuration(maxAge: number): Promise<oidc.Configuration> {
    if (known !== undefined && now() - known.readAt < maxAge) return Promise.resolve(known.config);
    return read();
  }

  /** Old metadata are used while the provider does not respond. */
  const lastConfiguration = (): Promise<oidc.Configuration> =>
    configuration(METADATA_MS).catch((error: unknown) => {
      if (known === undefined) throw error;
      return known.config;
    });

  async function attempt<T>(
    step: string,
    act: (config: oidc.Configuration) => Promise<T>,
    find = lastConfiguration,
  ): Promise<T | ProviderFault> {
    if (requests >= MAX_REQUESTS) return 'unavailable';
    requests += 1;
    try {
      return await act(await find());
    } catch (error) {
      warn(`OpenID Connect: ${step} failed`, { issuer, fault: describeFault(error) });
      return faultOf(error);
    } finally {
      requests -= 1;
    }
  }

  /** Providers differ in which claims they put into the ID token, and which into the user info. */
  async function withUserInfo(config: oidc.Configuration, accessToken: string, claims: Claims, subject: string) {
    if (config.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await oidc.fetchUserInfo(config, accessToken, subject)), ...claims };
  }

  const tokensOf = (response: { refresh_token?: string; id_token?: string }): SignedIn['tokens'] =>
    withoutUndefined({ refresh: response.refresh_token, id: response.id_token });

  return {
    start: (redirectUri) =>
      attempt(
        'starting a sign-in',
        async (config) => {
          const [state, nonce, verifier] = [oidc.randomState(), oidc.randomNonce(), oidc.randomPKCECodeVerifier()];
          const url = oidc.buildAuthorizationUrl(config, {
            redirect_uri: redirectUri,
            scope: scopes,
            state,
            nonce,
            // Providers issue a refresh token for this scope only with consent (OpenID Connect Core 1.0 §11).
            ...(scopes.split(' ').includes('offline_access') ? { prompt: 'consent' } : {}),
            code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          });
          return { url: url.href, secrets: { state, nonce, verifier } };
        },
        () => configuration(RESPONDED_MS),
      ),
    finish: (url, { state, nonce, verifier }) =>
      attempt('a sign-in', async (config) => {
        const checks = {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const response = await oidc.authorizationCodeGrant(config, new URL(url), checks);
        const own = defined(response.claims(), 'a sign-in has an ID token');
        const claims = await withUserInfo(config, response.access_token, own, own.sub);
        return { claims, tokens: tokensOf(response) };
      }),
    refresh: (refreshToken, subject) =>
      attempt('checking a role', async (config) => {
        const response = await oidc.refreshTokenGrant(config, refreshToken);
        const own = response.claims();
        if (own !== undefined && own.sub !== subject) return 'rejected';
        const claims = await withUserInfo(config, response.access_token, own ?? {}, subject);
        // Without claims and user info, the response says nothing about the role.
        const isKnown = Object.keys(claims).length > 0;
        return { ...(isKnown ? { claims: { sub: subject, ...claims } } : {}), tokens: tokensOf(response) };
      }),
    async logoutUrl(idToken, returnTo) {
      const url = await attempt('signing out', async (config) => {
        if (config.serverMetadata().end_session_endpoint === undefined) return undefined;
        return oidc.buildEndSessionUrl(config, {
          post_logout_redirect_uri: returnTo,
          ...(idToken === undefined ? {} : { id_token_hint: idToken }),
        });
      });
      return url instanceof URL ? url.href : undefined;
    },
  };
}

// Errors of an OpenID Connect provider, without what they were caused by: causes contain responses with tokens.

const TIMED_OUT: ReadonlySet<unknown> = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT']);

/** The status of a response that is not what the protocol expects. */
function statusOf(error: unknown): number | undefined {
  if (error instanceof oidc.ResponseBodyError) return error.status;
  const cause = error instanceof oidc.ClientError ? error.cause : undefined;
  return cause instanceof Response ? cause.status : undefined;
}

function faultOf(error: unknown): ProviderFault {
  // `fetch` rejects with a TypeError that has the cause.
  if (error instanceof TypeError) return error.cause === undefined ? 'rejected' : 'unavailable';
  if (error instanceof oidc.ClientError && TIMED_OUT.has(error.code)) return 'unavailable';
  // RFC 6749 §5.2
  if (error instanceof oidc.ResponseBodyError && error.error === 'invalid_grant') return 'ended';
  const status = statusOf(error);
  return status !== undefined && isTransientStatus(status) ? 'unavailable' : 'rejected';
}

/** For the log. */
function describeFault(error: unknown): string {
  if (error instanceof oidc.ResponseBodyError || error instanceof oidc.AuthorizationResponseError)
    return `error "${error.error.slice(0, 100)}"`;
  if (error instanceof TypeError) {
    const { code } = (error.cause ?? {}) as { code?: unknown };
    return `no connection${typeof code === 'string' ? ` (${code})` : ''}`;
  }
  const status = statusOf(error);
  const message = error instanceof Error ? error.message : 'unknown';
  return `${message}${status === undefined ? '' : ` (status ${status})`}`;
}
