// SPDX-License-Identifier: Apache-2.0
// An OpenID Connect provider whose ID tokens and user info the test determines: one that is compromised, or that an attacker has got
// between.

import { createHmac, createSign, generateKeyPairSync } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { startServer } from '../../demo/listen.ts';

const keyPair = () => generateKeyPairSync('rsa', { modulusLength: 2048 });
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

export type Claims = Readonly<Record<string, unknown>>;
export type Signing = 'right' | 'other key' | 'none' | 'secret of the client';

export type HostileProvider = {
  readonly issuer: string;
  /** Of the next sign-in. */
  next: { claims: Claims; signing: Signing; userInfo: Claims; padding?: number };
  /** Forms that the token endpoint has received. */
  readonly requests: URLSearchParams[];
  close(): Promise<void>;
};

export async function startHostileProvider(clientSecret: string): Promise<HostileProvider> {
  const [own, other] = [keyPair(), keyPair()];
  const jwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig', alg: 'RS256' };
  const requests: URLSearchParams[] = [];
  const state: HostileProvider['next'] = { claims: {}, signing: 'right', userInfo: {} };

  function idToken(): string {
    const { claims, signing } = state;
    const alg = { right: 'RS256', 'other key': 'RS256', none: 'none', 'secret of the client': 'HS256' }[signing];
    const content = `${base64url({ alg, kid: 'k', typ: 'JWT' })}.${base64url(claims)}`;
    if (signing === 'none') return `${content}.`;
    if (signing === 'secret of the client')
      return `${content}.${createHmac('sha256', clientSecret).update(content).digest('base64url')}`;
    const { privateKey } = signing === 'right' ? own : other;
    return `${content}.${createSign('sha256').update(content).sign(privateKey, 'base64url')}`;
  }

  async function answer(path: string, request: IncomingMessage): Promise<object> {
    if (path === '/.well-known/openid-configuration')
      return {
        ...{ issuer, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ userinfo_endpoint: `${issuer}/me`, jwks_uri: `${issuer}/keys`, response_types_supported: ['code'] },
        ...{ subject_types_supported: ['public'], id_token_signing_alg_values_supported: ['RS256'] },
      };
    if (path === '/keys') return { keys: [jwk] };
    if (path === '/me') return state.userInfo;
    let body = '';
    for await (const part of request) body += part;
    requests.push(new URLSearchParams(body));
    const padding = 'a'.repeat(state.padding ?? 0);
    return { access_token: 'an-access-token', token_type: 'Bearer', expires_in: 60, id_token: idToken(), padding };
  }

  const { url: issuer, close } = await startServer((request, response) => {
    void answer(new URL(request.url!, 'http://x').pathname, request).then((json) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify(json)),
    );
  });
  return { issuer, next: state, requests, close };
}
